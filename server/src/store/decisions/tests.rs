use app::model::{AssetVersion, BatchId, ChangeId, Decision, Kind, Slug};

use crate::{
    originals::Sha256,
    store::{
        Actor, Added, Located, NewAsset, NewOriginal, Scope, Store, StoreError,
        db::{transaction, writing},
        testing::each_engine,
    },
};

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

fn actor(name: &str) -> Actor {
    Actor { account: None, name: name.to_owned() }
}

async fn candidate(store: &Store, batch: &str) -> Located {
    store.ensure_subject(&slug("cats"), &slug("tom")).await.unwrap();
    let batch = store.ensure_batch(&slug("cats"), &slug(batch), batch).await.unwrap();
    let original = NewOriginal {
        sha256: Sha256::of(b"tom"),
        bytes: 3,
        mime: "image/png".to_owned(),
        width: 1,
        height: 1,
        animated: false,
        duration_ms: None,
        placeholder: None,
    };
    let (subject, kind) = (slug("tom"), Kind::Candidate);
    let asset = NewAsset { batch, subject, kind, original, original_name: "tom.png".to_owned() };
    let Added::Added(id) = store.add_asset(&asset).await.unwrap() else { panic!("it is new") };
    store.locate(&[id]).await.unwrap().remove(0)
}

async fn close(store: &Store, batch: BatchId) {
    writing!(store, |db| {
        sqlx::query("update batches set status = 'closed' where id = $1").bind(batch.0).execute(db).await.map(|_| ())
    })
    .unwrap();
}

#[tokio::test]
async fn a_closed_batch_takes_no_decision_no_undo_and_no_picture() {
    each_engine(async |store, _| {
        let located = [candidate(store, "winter").await];
        let wanted = [AssetVersion { id: located[0].id, version: 0 }];
        let change = store.decide(&actor("ada"), Decision::Approved, &wanted, &located).await.unwrap();
        assert_eq!(store.takes_decisions(located[0].batch, &Scope::All).await.unwrap(), Some(true));
        close(store, located[0].batch).await;
        assert_eq!(store.takes_decisions(located[0].batch, &Scope::All).await.unwrap(), Some(false));
        let wanted = [AssetVersion { id: located[0].id, version: 1 }];
        let refused = store.decide(&actor("ada"), Decision::Rejected, &wanted, &located).await;
        assert!(matches!(refused, Err(StoreError::Closed(batch)) if batch == "winter"));
        let refused = store.undo(&actor("ada"), change.id, &located).await;
        assert!(matches!(refused, Err(StoreError::Closed(_))));
        let (_, asset) = store.asset(located[0].id).await.unwrap().unwrap();
        assert_eq!((asset.decision, asset.version), (Decision::Approved, 1));
    })
    .await;
}

#[tokio::test]
async fn changes_that_cross_each_other_end_both() {
    each_engine(async |store, _| {
        let located = [candidate(store, "winter").await, candidate(store, "spring").await];
        let reversed = [located[1].clone(), located[0].clone()];
        let (ada, bo) = (actor("ada"), actor("bo"));
        let mut taken = 0;
        for version in 0..40 {
            let [there, back] = [&located, &reversed]
                .map(|located| located.iter().map(|at| AssetVersion { id: at.id, version }).collect::<Vec<_>>());
            let decision = if version % 2 == 0 { Decision::Approved } else { Decision::Rejected };
            let outcomes = tokio::join!(
                store.decide(&ada, decision, &there, &located),
                store.decide(&bo, decision, &back, &reversed),
            );
            for outcome in [outcomes.0, outcomes.1] {
                match outcome {
                    Ok(_) => taken += 1,
                    Err(StoreError::Stale(stale)) => assert_eq!(stale.len(), 2),
                    Err(other) => panic!("{other}"),
                }
            }
        }
        assert_eq!(taken, 40, "each round has one winner");
    })
    .await;
}

#[tokio::test]
async fn history_can_be_neither_changed_nor_deleted() {
    each_engine(async |store, _| {
        let located = [candidate(store, "winter").await];
        let wanted = [AssetVersion { id: located[0].id, version: 0 }];
        store.decide(&actor("ada"), Decision::Approved, &wanted, &located).await.unwrap();
        for tampering in ["update history set became = 'rejected'", "delete from history"] {
            let tampered = async {
                transaction!(store, |tx| {
                    sqlx::query(tampering).execute(&mut *tx).await?;
                });
                Ok::<_, StoreError>(())
            };
            let refused = tampered.await.unwrap_err().to_string();
            assert!(refused.contains("history is append-only"), "{refused}");
        }
        assert_eq!(store.history(located[0].id).await.unwrap()[0].after, Decision::Approved);
    })
    .await;
}

#[tokio::test]
async fn a_row_that_cannot_be_is_named() {
    each_engine(async |store, _| {
        let id = candidate(store, "winter").await.id;
        writing!(store, |db| sqlx::query("update assets set version = -1").execute(db).await.map(|_| ())).unwrap();
        let refused = store.asset(id).await.unwrap_err().to_string();
        assert!(refused.contains(&format!("assets {id}")), "{refused}");
    })
    .await;
}

#[tokio::test]
async fn a_change_that_nobody_made_is_unknown() {
    each_engine(async |store, _| {
        assert_eq!(store.changed(ChangeId(uuid::Uuid::nil())).await.unwrap(), None);
    })
    .await;
}
