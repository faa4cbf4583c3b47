use ::time::Duration;

use super::*;
use crate::store::testing::each_engine;

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

async fn received(store: &Store, subject: &str, content: &str) -> Received {
    store.ensure_subject(&slug("cats"), &slug(subject)).await.unwrap();
    let batch = store.ensure_batch(&slug("cats"), &slug("winter"), "Winter").await.unwrap();
    Received {
        batch,
        subject: slug(subject),
        kind: Kind::Candidate,
        sha256: Sha256::of(content.as_bytes()),
        bytes: content.len() as u64,
        name: format!("{content}.png"),
        sender: "ada".to_owned(),
        received_at: store.now(),
    }
}

fn pending(store: &Store, seconds: i64) -> Pending {
    let next_try = store.now() + Duration::seconds(seconds);
    Pending { next_try, why: Why::Away, reason: "clamd is away".to_owned() }
}

async fn hold(store: &Store, file: &Received, seconds: i64) -> HeldId {
    let id = store.new_held_id().unwrap();
    assert_eq!(store.hold(id, file, &pending(store, seconds)).await.unwrap(), Hold::New);
    id
}

#[tokio::test]
async fn a_held_file_is_read_as_it_was_written_and_held_once() {
    each_engine(async |store, _| {
        let file = received(store, "tom", "a face").await;
        let id = hold(store, &file, 5).await;
        let again = Received { name: "another name.png".to_owned(), ..file.clone() };
        let second = store.new_held_id().unwrap();
        assert_eq!(store.hold(second, &again, &pending(store, 0)).await.unwrap(), Hold::Known);

        let Pending { next_try, why, reason } = pending(store, 5);
        let place = Place::subject(slug("cats"), slug("tom"));
        let expected = HeldRecord { id, place, received: file.clone(), tries: 0, next_try, why, reason };
        assert_eq!(store.held_one(id).await.unwrap().as_ref(), Some(&expected));
        assert_eq!(store.held(&Scope::All, 10).await.unwrap(), [expected]);
        assert_eq!(store.held_ids().await.unwrap(), [id]);
        assert!(store.let_go(id).await.unwrap());
        assert!(!store.let_go(id).await.unwrap());
        assert_eq!(store.held_one(id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_file_is_held_for_a_batch_and_a_subject_that_exist() {
    each_engine(async |store, _| {
        let file = received(store, "tom", "a face").await;
        let lost = Received { batch: BatchId(Uuid::nil()), ..file };
        let held = store.hold(store.new_held_id().unwrap(), &lost, &pending(store, 0)).await;
        assert!(matches!(held, Err(StoreError::Unknown { what: "batch", .. })));
    })
    .await;
}

#[tokio::test]
async fn files_fall_due_in_order_and_one_claim_wins() {
    each_engine(async |store, hand| {
        let later = hold(store, &received(store, "tom", "later").await, 60).await;
        let sooner = hold(store, &received(store, "tom", "sooner").await, 5).await;
        assert_eq!(store.due(10).await.unwrap(), []);
        hand.forward(Duration::seconds(60));
        let due = store.due(10).await.unwrap();
        assert_eq!(due.iter().map(|held| held.id).collect::<Vec<_>>(), [sooner, later]);
        assert_eq!(store.due(1).await.unwrap(), due[..1]);

        let until = store.now() + Duration::minutes(10);
        assert!(store.claim(&due[0], until).await.unwrap());
        assert!(!store.claim(&due[0], until).await.unwrap(), "somebody has it");
        assert_eq!(store.due(10).await.unwrap(), due[1..]);
        assert_eq!(store.held_one(sooner).await.unwrap().unwrap().tries, 1);

        let pending = Pending { why: Why::TooLarge, reason: "too large".to_owned(), ..pending(store, 600) };
        store.postpone(later, &pending).await.unwrap();
        let held = store.held_one(later).await.unwrap().unwrap();
        assert_eq!((held.next_try, held.why, held.reason.as_str()), (pending.next_try, Why::TooLarge, "too large"));
    })
    .await;
}

#[tokio::test]
async fn pauses_end_for_all_or_for_those_that_wait_for_the_scanner() {
    each_engine(async |store, _| {
        let waits = hold(store, &received(store, "tom", "waits").await, 600).await;
        let large = hold(store, &received(store, "tom", "large").await, 600).await;
        store.postpone(large, &Pending { why: Why::TooLarge, ..pending(store, 600) }).await.unwrap();
        store.hasten(Some(Why::Away)).await.unwrap();
        let ids = async || store.due(10).await.unwrap().into_iter().map(|held| held.id).collect::<Vec<_>>();
        assert_eq!(ids().await, [waits]);
        store.hasten(None).await.unwrap();
        let all = ids().await;
        assert!(all.len() == 2 && all.contains(&waits) && all.contains(&large), "{all:?}");
    })
    .await;
}

#[tokio::test]
async fn a_refusal_is_recorded_and_ends_the_holding() {
    each_engine(async |store, hand| {
        let file = received(store, "tom", "a worm").await;
        let id = hold(store, &file, 5).await;
        hand.forward(Duration::seconds(9));
        store.refuse(id, &file, Some("Worm.Test"), "infected: Worm.Test").await.unwrap();
        assert_eq!(store.held_one(id).await.unwrap(), None);
        let other = store.new_held_id().unwrap();
        store.refuse(other, &file, None, "it is no picture").await.unwrap();

        let refused = store.refused(&Scope::All, 10).await.unwrap();
        assert_eq!(refused.len(), 2);
        let infected = refused.iter().find(|refused| refused.id == id).unwrap();
        assert_eq!(infected.signature.as_deref(), Some("Worm.Test"));
        assert_eq!((&infected.received, infected.refused_at), (&file, store.now()));
        assert_eq!(store.refused(&Scope::All, 1).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn each_sees_what_lies_in_reach() {
    each_engine(async |store, _| {
        let (tom, kit) = (received(store, "tom", "tom").await, received(store, "kit", "kit").await);
        hold(store, &tom, 5).await;
        hold(store, &kit, 5).await;
        store.refuse(store.new_held_id().unwrap(), &kit, Some("Worm"), "infected").await.unwrap();
        for (reach, held, refused) in [("cats", 2, 1), ("cats/tom", 1, 0), ("cats/kit", 1, 1), ("dogs", 0, 0)] {
            let scope = Scope::Only(vec![reach.parse().unwrap()]);
            assert_eq!(store.held(&scope, 10).await.unwrap().len(), held, "{reach}");
            assert_eq!(store.held_in(tom.batch, &scope).await.unwrap() as usize, held, "{reach}");
            assert_eq!(store.refused(&scope, 10).await.unwrap().len(), refused, "{reach}");
        }
        assert_eq!(store.held(&Scope::Only(vec![]), 10).await.unwrap(), []);
    })
    .await;
}
