use app::{
    model::{AssetQuery, BatchId, BatchStatus, Counts, Decision, Kind, Refusal, Role},
    studio::{Caller, Studio as _},
};
use time::Duration;
use uuid::Uuid;

use super::fixture::{Fixture, slug};
use crate::store::testing::each_engine;

#[tokio::test]
async fn batches_come_newest_first_and_count_candidates_alone() {
    each_engine(async |store, hand| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 3).await;
        fixture.picture("tom", Kind::Pipeline, "sketch.png").await;
        hand.forward(Duration::SECOND);
        let admin = fixture.admin().await;
        let spring = fixture.review.create_batch(&admin, &slug("birds"), &slug("spring"), " Spring ").await.unwrap();
        assert_eq!((spring.title.as_str(), spring.family.as_str()), ("Spring", "birds"));
        assert_eq!((spring.status, spring.counts), (BatchStatus::Open, Counts::default()));
        let some = fixture.versions(&admin, &ids[..1]).await;
        fixture.review.decide(&admin, Decision::Rejected, &some).await.unwrap();

        let batches = fixture.review.batches(&admin).await.unwrap();

        assert_eq!(batches.iter().map(|batch| batch.id).collect::<Vec<_>>(), [spring.id, fixture.batch]);
        assert_eq!(batches[1].counts, Counts { total: 3, undecided: 2, approved: 0, rejected: 1 });
        assert_eq!(fixture.review.batch(&admin, fixture.batch).await.unwrap(), batches[1]);
    })
    .await;
}

#[tokio::test]
async fn pages_follow_the_order_of_import_without_a_gap() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ids = fixture.candidates("tom", 25).await;
        let admin = fixture.admin().await;
        let mut query = AssetQuery { limit: Some(10), ..AssetQuery::default() };
        let mut seen = Vec::new();
        let mut sizes = Vec::new();
        loop {
            let page = fixture.review.assets(&admin, fixture.batch, &query).await.unwrap();
            sizes.push(page.assets.len());
            seen.extend(page.assets.into_iter().map(|asset| asset.id));
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        assert_eq!(sizes, [10, 10, 5]);
        assert_eq!(seen, ids);
        let exact = AssetQuery { limit: Some(25), ..AssetQuery::default() };
        assert_eq!(fixture.review.assets(&admin, fixture.batch, &exact).await.unwrap().next, None);
        let wrong = AssetQuery { after: Some("x' or 1=1".to_owned()), ..AssetQuery::default() };
        let refused = fixture.review.assets(&admin, fixture.batch, &wrong).await;
        assert!(matches!(refused, Err(Refusal::Invalid { .. })));
    })
    .await;
}

#[tokio::test]
async fn a_page_is_filtered_by_decision_kind_and_subject() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let tom = fixture.candidates("tom", 2).await;
        let kit = fixture.candidates("kit", 2).await;
        let sketch = fixture.picture("tom", Kind::Pipeline, "sketch.png").await;
        let admin = fixture.admin().await;
        let some = fixture.versions(&admin, &[tom[0], kit[0]]).await;
        fixture.review.decide(&admin, Decision::Approved, &some).await.unwrap();
        let listed = async |query: AssetQuery| -> Vec<_> {
            let page = fixture.review.assets(&admin, fixture.batch, &query).await.unwrap();
            page.assets.into_iter().map(|asset| asset.id).collect()
        };
        let all = AssetQuery::default();
        let approved = AssetQuery { decision: Some(Decision::Approved), ..all.clone() };
        assert_eq!(listed(approved.clone()).await, [tom[0], kit[0]]);
        assert_eq!(listed(AssetQuery { subject: Some(slug("kit")), ..approved }).await, [kit[0]]);
        assert_eq!(listed(AssetQuery { kind: Some(Kind::Pipeline), ..all.clone() }).await, [sketch]);
        assert!(listed(AssetQuery { subject: Some(slug("nobody")), ..all }).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_asset_tells_what_was_recorded_of_its_original() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let id = fixture.picture("tom", Kind::Candidate, "=1.png").await;
        let admin = fixture.admin().await;
        let asset = fixture.review.asset(&admin, id).await.unwrap();
        assert_eq!(asset.sha256, crate::originals::Sha256::of(b"=1.png").to_string());
        assert_eq!((asset.bytes, asset.mime.as_str(), asset.width, asset.height), (6, "image/png", 640, 480));
        assert_eq!(
            (asset.original_name.as_str(), asset.subject.as_str(), asset.kind),
            ("=1.png", "tom", Kind::Candidate)
        );
        assert_eq!((asset.version, asset.decided_by, asset.decided_at), (0, None, None));
        let source = fixture.review.media(&admin, id).await.unwrap();
        assert_eq!((source.sha256.to_string(), source.bytes, source.animated), (asset.sha256, 6, false));
        assert_eq!((source.mime.as_str(), source.original_name.as_str()), ("image/png", "=1.png"));
    })
    .await;
}

#[tokio::test]
async fn a_batch_is_created_by_who_manages_the_family_once_and_with_a_title() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let manager = fixture.somebody("max", Role::Manager, &["cats"]).await;
        let reviewer = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let part = fixture.somebody("pia", Role::Manager, &["cats/tom"]).await;
        let (cats, spring) = (slug("cats"), slug("spring"));
        for caller in [&reviewer, &part] {
            let refused = fixture.review.create_batch(caller, &cats, &spring, "Spring").await;
            assert_eq!(refused, Err(Refusal::Forbidden));
        }
        assert_eq!(
            fixture.review.create_batch(&manager, &slug("dogs"), &spring, "Spring").await,
            Err(Refusal::Forbidden)
        );
        for title in ["", "  ", "two\nlines", &"x".repeat(201)] {
            let refused = fixture.review.create_batch(&manager, &cats, &spring, title).await;
            assert!(matches!(refused, Err(Refusal::Invalid { .. })), "{title:?}");
        }
        fixture.review.create_batch(&manager, &cats, &spring, "Spring").await.unwrap();
        let again = fixture.review.create_batch(&manager, &cats, &spring, "Spring").await;
        assert!(matches!(again, Err(Refusal::Invalid { reason }) if reason.contains("spring")));
    })
    .await;
}

#[tokio::test]
async fn what_is_not_there_is_not_found_but_only_by_who_is_signed_in() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ada = fixture.somebody("ada", Role::Viewer, &[]).await;
        let (batch, asset) = (BatchId(Uuid::nil()), app::model::AssetId(Uuid::nil()));
        for (caller, code) in [(&ada, "not-found"), (&Caller::default(), "signed-out")] {
            let review = &fixture.review;
            let query = AssetQuery::default();
            let refusals = [
                review.batch(caller, batch).await.unwrap_err(),
                review.assets(caller, batch, &query).await.unwrap_err(),
                review.may_decide(caller, batch).await.unwrap_err(),
                review.asset(caller, asset).await.unwrap_err(),
                review.media(caller, asset).await.unwrap_err(),
                review.history(caller, asset).await.unwrap_err(),
                review.undo(caller, app::model::ChangeId(Uuid::nil())).await.unwrap_err(),
            ];
            for refusal in refusals {
                match code {
                    "not-found" => assert!(matches!(refusal, Refusal::NotFound { .. }), "{refusal:?}"),
                    _ => assert_eq!(refusal, Refusal::SignedOut),
                }
            }
        }
    })
    .await;
}
