use app::{
    model::{AssetId, AssetQuery, BatchId, Importing, Kind, Managed, Refusal, Role},
    studio::{Caller, Studio as _},
};
use uuid::Uuid;

use super::fixture::{Fixture, slug};
use crate::{
    originals::Sha256,
    store::{TokenScope, testing::each_engine},
};

fn bearer(token: String) -> Caller {
    Caller { token: Some(token), ..Caller::default() }
}

#[tokio::test]
async fn batches_are_created_where_a_whole_family_is_managed() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let admin = fixture.admin().await;
        let both = Managed { families: vec![slug("cats"), slug("dogs")], any: true };
        assert_eq!(fixture.review.managed(&admin).await.unwrap(), both);
        let max = fixture.somebody("max", Role::Manager, &["dogs", "cats/tom"]).await;
        let dogs = Managed { families: vec![slug("dogs")], any: false };
        assert_eq!(fixture.review.managed(&max).await.unwrap(), dogs);
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        assert!(fixture.review.managed(&ada).await.unwrap().is_empty());
        assert_eq!(fixture.review.managed(&Caller::default()).await, Err(Refusal::SignedOut));
    })
    .await;
}

#[tokio::test]
async fn pictures_are_brought_by_who_manages_the_family_or_the_subject() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let all = Importing { subjects: vec![slug("kit"), slug("tom")], any: true };
        let admin = fixture.admin().await;
        let max = fixture.somebody("max", Role::Manager, &["cats"]).await;
        for caller in [&admin, &max] {
            assert_eq!(fixture.review.importing(caller, fixture.batch).await.unwrap(), Some(all.clone()));
        }
        let pia = fixture.somebody("pia", Role::Manager, &["cats/tom"]).await;
        let tom = Importing { subjects: vec![slug("tom")], any: false };
        assert_eq!(fixture.review.importing(&pia, fixture.batch).await.unwrap(), Some(tom));
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let rex = fixture.somebody("rex", Role::Manager, &["dogs"]).await;
        for caller in [&ada, &rex] {
            assert_eq!(fixture.review.importing(caller, fixture.batch).await.unwrap(), None);
        }
        let nowhere = fixture.review.importing(&admin, BatchId(Uuid::nil())).await;
        assert!(matches!(nowhere, Err(Refusal::NotFound { .. })));
        assert_eq!(fixture.review.importing(&Caller::default(), fixture.batch).await, Err(Refusal::SignedOut));
    })
    .await;
}

#[tokio::test]
async fn what_is_missing_is_told_to_who_may_bring_it_and_asking_makes_nothing() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        fixture.picture("tom", Kind::Candidate, "tom.png").await;
        let (there, new) = (Sha256::of(b"tom.png"), Sha256::of(b"new.png"));
        let max = fixture.somebody("max", Role::Manager, &["cats"]).await;
        let asked = async |caller: &Caller, subject: &str| {
            let place = (&slug(subject), Kind::Candidate);
            fixture.review.missing(caller, fixture.batch, place, vec![new, there, new]).await
        };
        assert_eq!(asked(&max, "tom").await, Ok(vec![new, new]));
        assert_eq!(asked(&max, "kit").await, Ok(vec![new, there, new]));
        assert_eq!(asked(&max, "stranger").await, Ok(vec![new, there, new]));
        assert_eq!(store.subjects(&slug("cats")).await.unwrap(), [slug("kit"), slug("tom")]);
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        assert_eq!(asked(&ada, "tom").await, Err(Refusal::Forbidden));
        let token = fixture.accounts.add_token("reader", TokenScope::Read, None).await.unwrap();
        assert_eq!(asked(&bearer(token), "tom").await, Err(Refusal::Forbidden));
    })
    .await;
}

#[tokio::test]
async fn a_page_begins_behind_a_picture_of_the_batch() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let tom = fixture.candidates("tom", 3).await;
        let admin = fixture.admin().await;
        let behind = async |after: String| {
            let query = AssetQuery { after: Some(after), ..AssetQuery::default() };
            let page = fixture.review.assets(&admin, fixture.batch, &query).await?;
            Ok::<Vec<AssetId>, Refusal>(page.assets.into_iter().map(|asset| asset.id).collect())
        };
        assert_eq!(behind(tom[0].to_string()).await.unwrap(), tom[1..]);
        assert_eq!(behind(tom[2].to_string()).await.unwrap(), []);
        for after in [Uuid::nil().to_string(), "yesterday".to_owned()] {
            assert!(matches!(behind(after).await, Err(Refusal::Invalid { .. })));
        }
    })
    .await;
}
