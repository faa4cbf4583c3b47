use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use app::{
    model::{AssetId, AssetQuery, AssetVersion, BatchId, Decision, Kind, Refusal, Role},
    studio::{Caller, Studio as _},
};
use async_trait::async_trait;
use time::Duration;
use uuid::Uuid;

use super::fixture::{Fixture, place, slug};
use crate::{
    authority::{Action, Authority, Builtin, Denial, Principal},
    store::{Grant, Place, Scope, Store, TokenScope, testing::each_engine},
};

fn bearer(token: String) -> Caller {
    Caller { token: Some(token), ..Caller::default() }
}

#[tokio::test]
async fn a_viewer_of_one_subject_sees_that_subject_and_counts_it_alone() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let tom = fixture.candidates("tom", 3).await;
        let kit = fixture.candidates("kit", 2).await;
        let dogs = store.ensure_batch(&slug("dogs"), &slug("winter"), "Dogs").await.unwrap();
        fixture.picture_in(dogs, "rex", Kind::Candidate, "rex.png").await;
        store.ensure_batch(&slug("cats"), &slug("empty"), "Empty").await.unwrap();
        let ada = fixture.somebody("ada", Role::Viewer, &["cats/kit"]).await;

        let batches = fixture.review.batches(&ada).await.unwrap();

        assert_eq!(batches.iter().map(|batch| batch.id).collect::<Vec<_>>(), [fixture.batch]);
        assert_eq!((batches[0].counts.total, batches[0].counts.undecided), (2, 2));
        assert_eq!(fixture.review.batch(&ada, fixture.batch).await.unwrap().counts.total, 2);
        assert_eq!(fixture.listed(&ada).await.iter().map(|asset| asset.id).collect::<Vec<_>>(), kit);
        let others = AssetQuery { subject: Some(slug("tom")), ..AssetQuery::default() };
        assert!(fixture.review.assets(&ada, fixture.batch, &others).await.unwrap().assets.is_empty());
        assert!(fixture.review.asset(&ada, kit[0]).await.is_ok());
        assert_eq!(fixture.review.asset(&ada, tom[0]).await, Err(Refusal::Forbidden));
        assert_eq!(fixture.review.media(&ada, tom[0]).await, Err(Refusal::Forbidden));
        assert_eq!(fixture.review.history(&ada, tom[0]).await, Err(Refusal::Forbidden));
        assert_eq!(fixture.review.batch(&ada, dogs).await, Err(Refusal::Forbidden));
        let query = AssetQuery::default();
        assert_eq!(fixture.review.assets(&ada, dogs, &query).await, Err(Refusal::Forbidden));
    })
    .await;
}

#[tokio::test]
async fn a_viewer_decides_nothing_and_a_reviewer_only_in_reach() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let tom = fixture.candidates("tom", 1).await[0];
        let kit = fixture.candidates("kit", 1).await[0];
        let viewer = fixture.somebody("vera", Role::Viewer, &["cats"]).await;
        let reviewer = fixture.somebody("ada", Role::Reviewer, &["cats/kit"]).await;
        let [tom, kit] = [tom, kit].map(|id| AssetVersion { id, version: 0 });
        let review = &fixture.review;
        assert!(!review.may_decide(&viewer, fixture.batch).await.unwrap());
        assert!(review.may_decide(&reviewer, fixture.batch).await.unwrap());
        assert_eq!(review.decide(&viewer, Decision::Approved, &[kit]).await, Err(Refusal::Forbidden));
        assert_eq!(review.decide(&reviewer, Decision::Approved, &[kit, tom]).await, Err(Refusal::Forbidden));
        let change = review.decide(&reviewer, Decision::Approved, &[kit]).await.unwrap();
        assert_eq!(review.undo(&viewer, change.id).await, Err(Refusal::Forbidden));
    })
    .await;
}

#[tokio::test]
async fn a_revocation_holds_on_the_very_next_request() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let id = fixture.candidates("tom", 1).await[0];
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        fixture.review.media(&ada, id).await.unwrap();
        fixture.accounts.revoke("ada", &place("cats")).await.unwrap();
        assert_eq!(fixture.review.media(&ada, id).await, Err(Refusal::Forbidden));
        assert_eq!(fixture.review.batches(&ada).await.unwrap(), []);
        let decided = fixture.review.decide(&ada, Decision::Approved, &[AssetVersion { id, version: 0 }]).await;
        assert_eq!(decided, Err(Refusal::Forbidden));
        let grant = Grant { role: Role::Viewer, place: place("cats/tom") };
        fixture.accounts.grant("ada", &grant).await.unwrap();
        fixture.review.media(&ada, id).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_disabled_account_is_signed_out_at_once_and_cannot_return() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let id = fixture.candidates("tom", 1).await[0];
        let ada = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        assert_eq!(fixture.review.account(&ada).await.unwrap().name, "ada");
        fixture.accounts.disable("ada").await.unwrap();
        assert_eq!(fixture.review.account(&ada).await, Err(Refusal::SignedOut));
        assert_eq!(fixture.review.media(&ada, id).await, Err(Refusal::SignedOut));
        let again = fixture.review.sign_in(&Caller::default(), "ada", "a password").await;
        assert_eq!(again, Err(Refusal::WrongPassword));
    })
    .await;
}

#[tokio::test]
async fn a_new_password_ends_the_sessions_and_signs_in() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ada = fixture.somebody("ada", Role::Viewer, &[]).await;
        fixture.accounts.set_password("ada", "another").await.unwrap();
        assert_eq!(fixture.review.account(&ada).await, Err(Refusal::SignedOut));
        let nobody = Caller::default();
        let old = fixture.review.sign_in(&nobody, "ada", "a password").await;
        assert_eq!(old, Err(Refusal::WrongPassword));
        fixture.review.sign_in(&nobody, "ada", "another").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn signing_out_ends_this_session_and_no_other() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let here = fixture.somebody("ada", Role::Viewer, &[]).await;
        let there = fixture.sign_in("ada").await;
        fixture.review.sign_out(&here).await.unwrap();
        fixture.review.sign_out(&here).await.unwrap();
        fixture.review.sign_out(&Caller::default()).await.unwrap();
        assert_eq!(fixture.review.account(&here).await, Err(Refusal::SignedOut));
        assert!(fixture.review.account(&there).await.is_ok());
    })
    .await;
}

#[tokio::test]
async fn a_session_in_use_lives_on_and_media_never_extends_it() {
    each_engine(async |store, hand| {
        let fixture = Fixture::new(store).await;
        let id = fixture.candidates("tom", 1).await[0];
        let ada = fixture.somebody("ada", Role::Viewer, &["cats"]).await;
        hand.forward(Duration::days(20));
        fixture.review.account(&ada).await.unwrap();
        hand.forward(Duration::days(20));
        fixture.review.media(&ada, id).await.unwrap();
        hand.forward(Duration::days(10));
        assert_eq!(fixture.review.account(&ada).await, Err(Refusal::SignedOut));
    })
    .await;
}

#[tokio::test]
async fn guessing_is_slowed_and_does_not_tell_who_exists() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let ada = fixture.somebody("ada", Role::Viewer, &["cats"]).await;
        let id = fixture.candidates("tom", 1).await[0];
        for name in ["ada", "nobody"] {
            for _ in 0..10 {
                let wrong = fixture.review.sign_in(&Caller::default(), name, "guess").await;
                assert_eq!(wrong, Err(Refusal::WrongPassword));
            }
            let slowed = fixture.review.sign_in(&Caller::default(), name, "a password").await;
            assert_eq!(slowed, Err(Refusal::TooManyTries { retry_after: 30 }));
        }
        for _ in 0..300 {
            fixture.review.media(&ada, id).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_token_does_what_its_scope_says_where_its_family_says() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let id = fixture.candidates("tom", 1).await[0];
        let cats = slug("cats");
        for (scope, decides, manages) in [
            (TokenScope::Read, false, false),
            (TokenScope::Review, true, false),
            (TokenScope::Import, false, true),
            (TokenScope::Admin, true, true),
        ] {
            let name = scope.as_str();
            let caller = bearer(fixture.accounts.add_token(name, scope, None).await.unwrap());
            fixture.review.media(&caller, id).await.unwrap();
            let version = fixture.review.asset(&caller, id).await.unwrap().version;
            let decided = fixture.review.decide(&caller, Decision::Approved, &[AssetVersion { id, version }]).await;
            assert_eq!(decided.is_ok(), decides, "{name}");
            let created = fixture.review.create_batch(&caller, &cats, &slug(name), "A batch").await;
            assert_eq!(created.is_ok(), manages, "{name}");
            assert_eq!(fixture.review.principal(&caller).await.unwrap().admin, scope == TokenScope::Admin);
            assert_eq!(fixture.review.account(&caller).await, Err(Refusal::SignedOut), "a token is nobody");
        }
        let dogs = fixture.accounts.add_token("dogs", TokenScope::Admin, Some(&slug("dogs"))).await.unwrap();
        let dogs = bearer(dogs);
        assert_eq!(fixture.review.media(&dogs, id).await, Err(Refusal::Forbidden));
        assert!(!fixture.review.principal(&dogs).await.unwrap().admin);
        fixture.accounts.revoke_token("dogs").await.unwrap();
        assert_eq!(fixture.review.media(&dogs, id).await, Err(Refusal::SignedOut));
    })
    .await;
}

#[tokio::test]
async fn a_tokens_decision_bears_the_tokens_name_and_its_use_is_noted() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let id = fixture.candidates("tom", 1).await[0];
        let robot = bearer(fixture.accounts.add_token("robot", TokenScope::Review, None).await.unwrap());
        fixture.review.media(&robot, id).await.unwrap();
        assert_eq!(fixture.accounts.tokens().await.unwrap()[0].last_used_at, None, "media writes nothing");
        fixture.review.decide(&robot, Decision::Approved, &[AssetVersion { id, version: 0 }]).await.unwrap();
        assert_eq!(fixture.accounts.tokens().await.unwrap()[0].last_used_at, Some(store.clock().now()));
        assert_eq!(fixture.review.history(&robot, id).await.unwrap()[0].by, "robot");
    })
    .await;
}

/// Counts how often it is asked.
struct Counting {
    inner: Builtin,
    asked: Arc<AtomicUsize>,
}

#[async_trait]
impl Authority for Counting {
    async fn identify(&self, caller: &Caller) -> Result<Principal, Denial> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.inner.identify(caller).await
    }

    async fn check(&self, caller: &Caller, action: Action, place: &Place) -> Result<Principal, Denial> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.inner.check(caller, action, place).await
    }

    async fn scope(&self, caller: &Caller, action: Action) -> Result<(Principal, Scope), Denial> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.inner.scope(caller, action).await
    }

    async fn probe(&self) -> Result<String, String> {
        self.inner.probe().await
    }
}

#[tokio::test]
async fn media_asks_the_authority_exactly_once_whatever_comes_of_it() {
    each_engine(async |store: &Store, _| {
        let asked = Arc::new(AtomicUsize::new(0));
        let counting = Counting { inner: Builtin::new(store.clone()), asked: Arc::clone(&asked) };
        let fixture = Fixture::with_authority(store, Arc::new(counting)).await;
        let id = fixture.candidates("tom", 1).await[0];
        let unknown = AssetId(Uuid::nil());
        let ada = fixture.somebody("ada", Role::Viewer, &["cats"]).await;
        let bo = fixture.somebody("bo", Role::Viewer, &["dogs"]).await;
        let nobody = Caller::default();
        let not_found = || Refusal::NotFound { what: "picture".to_owned() };
        for (caller, id, expected) in [
            (&ada, id, None),
            (&ada, unknown, Some(not_found())),
            (&bo, id, Some(Refusal::Forbidden)),
            (&nobody, id, Some(Refusal::SignedOut)),
            (&nobody, unknown, Some(Refusal::SignedOut)),
        ] {
            asked.store(0, Ordering::SeqCst);
            assert_eq!(fixture.review.media(caller, id).await.err(), expected);
            assert_eq!(asked.load(Ordering::SeqCst), 1, "{expected:?}");
        }
    })
    .await;
}

/// Knows one person by name, as an authority elsewhere does.
struct Elsewhere;

#[async_trait]
impl Authority for Elsewhere {
    async fn identify(&self, _: &Caller) -> Result<Principal, Denial> {
        Ok(Principal { account: None, name: "grace".to_owned(), admin: false, unnoted: false })
    }

    async fn check(&self, caller: &Caller, _: Action, _: &Place) -> Result<Principal, Denial> {
        self.identify(caller).await
    }

    async fn scope(&self, caller: &Caller, _: Action) -> Result<(Principal, Scope), Denial> {
        Ok((self.identify(caller).await?, Scope::Only(vec![place("cats")])))
    }

    async fn probe(&self) -> Result<String, String> {
        Ok("elsewhere".to_owned())
    }
}

#[tokio::test]
async fn somebody_whom_an_authority_elsewhere_knows_needs_no_account_here() {
    each_engine(async |store, _| {
        let fixture = Fixture::with_authority(store, Arc::new(Elsewhere)).await;
        let id = fixture.candidates("tom", 1).await[0];
        let grace = Caller::default();
        assert_eq!(fixture.review.account(&grace).await.unwrap().name, "grace");
        assert_eq!(fixture.review.batches(&grace).await.unwrap().len(), 1);
        let wanted = [AssetVersion { id, version: 0 }];
        fixture.review.decide(&grace, Decision::Approved, &wanted).await.unwrap();
        assert_eq!(fixture.review.history(&grace, id).await.unwrap()[0].by, "grace");
    })
    .await;
}

#[tokio::test]
async fn an_import_is_admitted_where_the_caller_manages_the_subject() {
    each_engine(async |store, _| {
        let fixture = Fixture::new(store).await;
        let part = fixture.somebody("pia", Role::Manager, &["cats/tom"]).await;
        let whole = fixture.somebody("max", Role::Manager, &["cats"]).await;
        let reviewer = fixture.somebody("ada", Role::Reviewer, &["cats"]).await;
        let admitted = async |caller: &Caller, subject: &str| {
            fixture.review.admit_import(caller, fixture.batch, &slug(subject)).await
        };
        assert_eq!(admitted(&part, "tom").await.unwrap(), ("cats/tom".parse().unwrap(), "pia".to_owned()));
        assert_eq!(admitted(&part, "new").await, Err(Refusal::Forbidden));
        assert_eq!(admitted(&reviewer, "tom").await, Err(Refusal::Forbidden));
        assert_eq!(admitted(&Caller::default(), "tom").await, Err(Refusal::SignedOut));
        assert_eq!(admitted(&whole, "new").await.unwrap(), ("cats/new".parse().unwrap(), "max".to_owned()));
        fixture.picture("new", Kind::Candidate, "new.png").await;
        let nowhere = fixture.review.admit_import(&whole, BatchId(Uuid::nil()), &slug("tom")).await;
        assert_eq!(nowhere, Err(Refusal::NotFound { what: "batch".to_owned() }));
    })
    .await;
}
