use app::{
    model::{AssetId, AssetVersion, ChangeId, Decided, Decision, Kind, Refusal, Role},
    studio::{Caller, Studio as _},
};
use time::Duration;
use uuid::Uuid;

use super::fixture::{Fixture, place, slug};
use crate::{
    review::Event,
    store::{rfc3339, testing::each_engine},
};

fn at(id: AssetId, version: u32) -> AssetVersion {
    AssetVersion { id, version }
}

#[tokio::test]
async fn a_decision_is_taken_once_and_shows_who_and_when() {
    each_engine(async |store, hand| {
        let fixture = Fixture::new(store).await;
        let [id] = fixture.candidates("tom", 1).await[..] else { unreachable!() };
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        hand.forward(Duration::HOUR);
        let now = rfc3339(store.clock().now()).unwrap();

        let change = fixture.review.decide(&ada, Decision::Approved, &[at(id, 0)]).await.unwrap();

        let expected = Decided {
            id,
            decision: Decision::Approved,
            version: 1,
            decided_by: Some("ada".to_owned()),
            decided_at: Some(now.clone()),
        };
        assert_eq!(change.assets, [expected]);
        let asset = fixture.review.asset(&ada, id).await.unwrap();
        assert_eq!((asset.decision, asset.version), (Decision::Approved, 1));
        assert_eq!((asset.decided_by.as_deref(), asset.decided_at), (Some("ada"), Some(now.clone())));
        let history = fixture.review.history(&ada, id).await.unwrap();
        assert_eq!(history.len(), 1);
        assert_eq!((history[0].by.as_str(), &history[0].at), ("ada", &now));
        assert_eq!(
            (history[0].before, history[0].after, history[0].version),
            (Decision::Undecided, Decision::Approved, 1)
        );
    })
    .await;
}

#[tokio::test]
async fn of_two_who_decide_one_candidate_the_second_is_told_who_what_and_when() {
    each_engine(async |store, hand| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 3).await;
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let bo = fixture.somebody("bo", Role::Reviewer, &["cats"]).await;
        let first = fixture.review.decide(&ada, Decision::Rejected, &[at(ids[0], 0), at(ids[2], 0)]).await.unwrap();
        hand.forward(Duration::MINUTE);

        let all: Vec<_> = ids.iter().map(|&id| at(id, 0)).collect();
        let refused = fixture.review.decide(&bo, Decision::Approved, &all).await;

        assert_eq!(refused, Err(Refusal::Stale { assets: first.assets }));
        let untouched = fixture.review.asset(&bo, ids[1]).await.unwrap();
        assert_eq!((untouched.decision, untouched.version), (Decision::Undecided, 0), "all or nothing");
        assert!(fixture.review.history(&bo, ids[1]).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_same_decision_again_keeps_the_version_and_writes_no_history() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 2).await;
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        fixture.review.decide(&ada, Decision::Approved, &[at(ids[0], 0)]).await.unwrap();

        let change = fixture.review.decide(&ada, Decision::Approved, &[at(ids[0], 1), at(ids[1], 0)]).await.unwrap();

        assert_eq!(change.assets.iter().map(|asset| asset.version).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(fixture.review.history(&ada, ids[0]).await.unwrap().len(), 1);
        let undone = fixture.review.undo(&ada, change.id).await.unwrap();
        assert_eq!(undone.assets.iter().map(|asset| asset.id).collect::<Vec<_>>(), [ids[1]]);

        let nothing = fixture.review.decide(&ada, Decision::Approved, &[at(ids[0], 1)]).await.unwrap();
        assert_eq!(fixture.review.undo(&ada, nothing.id).await.unwrap().assets, [], "nothing is taken back");
    })
    .await;
}

#[tokio::test]
async fn undoing_forty_returns_each_to_its_own_decision_before() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let mut ids = fixture.candidates("tom", 60).await;
        ids.extend(fixture.candidates("kit", 60).await);
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        for (decision, range) in [(Decision::Approved, 10..40), (Decision::Rejected, 30..80)] {
            let some = fixture.versions(&ada, &ids[range]).await;
            fixture.review.decide(&ada, decision, &some).await.unwrap();
        }
        let before: Vec<_> = fixture.listed(&ada).await.into_iter().map(|asset| (asset.id, asset.decision)).collect();
        let versions = fixture.versions(&ada, &ids).await;
        let change = fixture.review.decide(&ada, Decision::Approved, &versions).await.unwrap();
        assert_eq!(change.assets.iter().map(|asset| asset.id).collect::<Vec<_>>(), ids, "in the order asked for");
        assert_eq!(fixture.review.batch(&ada, fixture.batch).await.unwrap().counts.approved, 120);

        let undone = fixture.review.undo(&ada, change.id).await.unwrap();

        let after: Vec<_> = fixture.listed(&ada).await.into_iter().map(|asset| (asset.id, asset.decision)).collect();
        assert_eq!(after, before);
        assert_eq!(undone.assets.len(), 100, "twenty stood approved already");
        let counts = fixture.review.batch(&ada, fixture.batch).await.unwrap().counts;
        assert_eq!((counts.undecided, counts.approved, counts.rejected), (50, 20, 50));
        fixture.review.undo(&ada, undone.id).await.unwrap();
        assert_eq!(fixture.review.batch(&ada, fixture.batch).await.unwrap().counts.approved, 120, "done again");
    })
    .await;
}

#[tokio::test]
async fn an_undo_is_all_or_nothing_and_names_what_has_moved_on() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 3).await;
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let bo = fixture.somebody("bo", Role::Reviewer, &["cats"]).await;
        let all: Vec<_> = ids.iter().map(|&id| at(id, 0)).collect();
        let change = fixture.review.decide(&ada, Decision::Approved, &all).await.unwrap();
        let moved = fixture.review.decide(&bo, Decision::Rejected, &[at(ids[1], 1)]).await.unwrap();

        let refused = fixture.review.undo(&ada, change.id).await;

        assert_eq!(refused, Err(Refusal::Stale { assets: moved.assets }));
        assert_eq!(fixture.review.asset(&ada, ids[0]).await.unwrap().decision, Decision::Approved);
    })
    .await;
}

#[tokio::test]
async fn a_change_is_undone_once() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 1).await;
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let change = fixture.review.decide(&ada, Decision::Approved, &[at(ids[0], 0)]).await.unwrap();
        let undone = fixture.review.undo(&ada, change.id).await.unwrap();
        assert_eq!((undone.assets[0].decision, undone.assets[0].version), (Decision::Undecided, 2));
        assert_eq!(fixture.review.undo(&ada, change.id).await, Err(Refusal::Stale { assets: undone.assets }));
        let unknown = fixture.review.undo(&ada, ChangeId(Uuid::nil())).await;
        assert_eq!(unknown, Err(Refusal::NotFound { what: "change".to_owned() }));
    })
    .await;
}

#[tokio::test]
async fn pipeline_pictures_and_what_is_not_there_are_not_decided() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 1).await;
        let pipeline = fixture.picture("tom", Kind::Pipeline, "sketch.png").await;
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let both = [at(ids[0], 0), at(pipeline, 0)];
        let refused = fixture.review.decide(&ada, Decision::Approved, &both).await;
        assert!(matches!(refused, Err(Refusal::Invalid { .. })), "{refused:?}");
        let unknown = [at(ids[0], 0), at(AssetId(Uuid::nil()), 0)];
        let refused = fixture.review.decide(&ada, Decision::Approved, &unknown).await;
        assert_eq!(refused, Err(Refusal::NotFound { what: "picture".to_owned() }));
        for wrong in [vec![], vec![at(ids[0], 0), at(ids[0], 0)]] {
            let refused = fixture.review.decide(&ada, Decision::Approved, &wrong).await;
            assert!(matches!(refused, Err(Refusal::Invalid { .. })), "{refused:?}");
            let nobody = fixture.review.decide(&Caller::default(), Decision::Approved, &wrong).await;
            assert_eq!(nobody, Err(Refusal::SignedOut));
        }
        assert_eq!(fixture.review.asset(&ada, ids[0]).await.unwrap().version, 0);
    })
    .await;
}

#[tokio::test]
async fn listeners_hear_of_each_subject_that_was_decided() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let tom = fixture.candidates("tom", 1).await[0];
        let kit = fixture.candidates("kit", 1).await[0];
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let mut events = fixture.review.events();
        let change = fixture.review.decide(&ada, Decision::Approved, &[at(tom, 0), at(kit, 0)]).await.unwrap();
        for (subject, asset) in [("cats/kit", &change.assets[1]), ("cats/tom", &change.assets[0])] {
            let Ok(Event::Decided { batch, place: told, assets }) = events.try_recv() else { panic!("they are told") };
            assert_eq!((batch, told, assets), (fixture.batch, place(subject), vec![asset.clone()]));
        }
        assert!(events.try_recv().is_err());
    })
    .await;
}

#[tokio::test]
async fn a_batch_decides_its_own_pictures_and_no_others() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let here = fixture.candidates("tom", 1).await[0];
        let spring = store.ensure_batch(&slug("cats"), &slug("spring"), "Spring").await.unwrap();
        let there = fixture.picture_in(spring, "tom", Kind::Candidate, "there.png").await;
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let decide = async |assets: &[AssetVersion]| {
            fixture.review.decide_in(&ada, fixture.batch, Decision::Approved, assets).await
        };
        let refused = decide(&[at(here, 0), at(there, 0)]).await;
        assert_eq!(refused, Err(Refusal::NotFound { what: "picture".to_owned() }));
        assert_eq!(decide(&[at(here, 0)]).await.unwrap().assets[0].version, 1);
    })
    .await;
}
