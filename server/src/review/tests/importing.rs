use app::{
    model::{Kind, Managed, Refusal, Role},
    studio::{Caller, Studio as _},
};

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
        let families = store.families().await.unwrap();
        let (_, subjects) = families.iter().find(|(place, _)| place.family == slug("cats")).unwrap();
        assert_eq!(subjects.len(), 2, "a stranger is not made by asking: {subjects:?}");
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        assert_eq!(asked(&ada, "tom").await, Err(Refusal::Forbidden));
        let token = fixture.accounts.add_token("reader", TokenScope::Read, None).await.unwrap();
        assert_eq!(asked(&bearer(token), "tom").await, Err(Refusal::Forbidden));
    })
    .await;
}
