//! A small studio: cats (tom, kit) and dogs (rex), with a winter batch of cats.

use std::sync::Arc;

use app::{
    model::{Asset, AssetId, AssetQuery, AssetVersion, BatchId, Kind, Role, Slug},
    studio::{Caller, Studio as _},
};

use crate::{
    accounts::{Accounts, Passwords},
    authority::{Authority, Builtin},
    originals::Sha256,
    review::Review,
    store::{Added, Grant, NewAsset, NewOriginal, Place, Store},
};

pub(super) struct Fixture {
    pub(super) review: Review,
    pub(super) accounts: Accounts,
    pub(super) store: Store,
    pub(super) batch: BatchId,
}

pub(super) fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

pub(super) fn place(text: &str) -> Place {
    text.parse().unwrap()
}

impl Fixture {
    pub(super) async fn new(store: &Store) -> Self {
        Self::with_authority(store, Arc::new(Builtin::new(store.clone()))).await
    }

    pub(super) async fn with_authority(store: &Store, authority: Arc<dyn Authority>) -> Self {
        let accounts = Accounts::new(store.clone(), Passwords::cheap());
        for subject in ["tom", "kit"] {
            store.ensure_subject(&slug("cats"), &slug(subject)).await.unwrap();
        }
        store.ensure_subject(&slug("dogs"), &slug("rex")).await.unwrap();
        let batch = store.ensure_batch(&slug("cats"), &slug("winter"), "Winter").await.unwrap();
        let review = Review::new(store.clone(), accounts.clone(), authority);
        Self { review, accounts, store: store.clone(), batch }
    }

    /// A picture in the winter batch; its content is its name.
    pub(super) async fn picture(&self, subject: &str, kind: Kind, name: &str) -> AssetId {
        self.picture_in(self.batch, subject, kind, name).await
    }

    pub(super) async fn picture_in(&self, batch: BatchId, subject: &str, kind: Kind, name: &str) -> AssetId {
        match self.store.add_asset(&new_asset(batch, subject, kind, name)).await.unwrap() {
            Added::Added(id) => id,
            Added::Duplicate(id) => panic!("{name} is there already: {id}"),
        }
    }

    pub(super) async fn candidates(&self, subject: &str, count: usize) -> Vec<AssetId> {
        let mut ids = Vec::new();
        for number in 0..count {
            ids.push(self.picture(subject, Kind::Candidate, &format!("{subject}-{number}.png")).await);
        }
        ids
    }

    /// Somebody with a role at some places, signed in.
    pub(super) async fn somebody(&self, name: &str, role: Role, places: &[&str]) -> Caller {
        self.accounts.add(name, "a password", false).await.unwrap();
        for at in places {
            self.accounts.grant(name, &Grant { role, place: place(at) }).await.unwrap();
        }
        self.sign_in(name).await
    }

    pub(super) async fn admin(&self) -> Caller {
        self.accounts.add("root", "a password", true).await.unwrap();
        self.sign_in("root").await
    }

    pub(super) async fn sign_in(&self, name: &str) -> Caller {
        let session = self.review.sign_in(&Caller::default(), name, "a password").await.unwrap();
        Caller { session: Some(session), request_id: "test".to_owned(), ..Caller::default() }
    }

    /// The assets at the versions that they have now.
    pub(super) async fn versions(&self, caller: &Caller, ids: &[AssetId]) -> Vec<AssetVersion> {
        let mut versions = Vec::new();
        for &id in ids {
            let version = self.review.asset(caller, id).await.unwrap().version;
            versions.push(AssetVersion { id, version });
        }
        versions
    }

    pub(super) async fn listed(&self, caller: &Caller) -> Vec<Asset> {
        self.review.assets(caller, self.batch, &AssetQuery::default()).await.unwrap().assets
    }
}

pub(super) fn new_asset(batch: BatchId, subject: &str, kind: Kind, name: &str) -> NewAsset {
    let original = NewOriginal {
        sha256: Sha256::of(name.as_bytes()),
        bytes: name.len() as u64,
        mime: "image/png".to_owned(),
        width: 640,
        height: 480,
        animated: false,
        duration_ms: None,
        placeholder: None,
    };
    NewAsset { batch, subject: slug(subject), kind, original, original_name: name.to_owned() }
}
