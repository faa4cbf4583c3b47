//! Originals that cannot be rendered, as admins see them: it asks who calls, and says what the renditions remember.

use std::{collections::HashMap, sync::Arc};

use app::{
    failing::{FailingOriginal, FailingOriginals, FailingPicture, RefusedFromFolder},
    model::Refusal,
    studio::Caller,
};
use async_trait::async_trait;

use super::{Review, refusal::refuse};
use crate::{
    pictures::{Failing, Renditions, Sha256Hex},
    store::{Store, StoreError, rfc3339},
};

/// The most files of watched folders that are listed.
const MOST: u32 = 200;

/// The failing originals of one studio.
#[derive(Clone)]
pub(crate) struct FailingDesk {
    review: Arc<Review>,
    store: Store,
    renditions: Renditions,
}

impl FailingDesk {
    pub(crate) fn new(review: Arc<Review>, store: Store, renditions: Renditions) -> Self {
        Self { review, store, renditions }
    }

    async fn only_admins(&self, caller: &Caller) -> Result<(), Refusal> {
        if self.review.principal(caller).await?.admin { Ok(()) } else { Err(Refusal::Forbidden) }
    }

    async fn list(&self) -> Result<Vec<FailingOriginal>, StoreError> {
        let failing = self.renditions.failing();
        let hashes: Vec<&str> = failing.iter().map(|failing| failing.sha256.as_str()).collect();
        let mut pictures: HashMap<String, Vec<FailingPicture>> = HashMap::new();
        for (sha256, picture) in self.store.pictures_of(&hashes).await? {
            pictures.entry(sha256).or_default().push(picture);
        }
        failing
            .into_iter()
            .map(|Failing { sha256, recipe, reason, since }| {
                let since = rfc3339(since.into())?;
                let pictures = pictures.get(&sha256).cloned().unwrap_or_default();
                Ok(FailingOriginal { sha256, recipe, reason, since, pictures })
            })
            .collect()
    }
}

#[async_trait]
impl FailingOriginals for FailingDesk {
    async fn failing(&self, caller: &Caller) -> Result<Vec<FailingOriginal>, Refusal> {
        self.only_admins(caller).await?;
        self.list().await.map_err(refuse(caller))
    }

    async fn refused(&self, caller: &Caller) -> Result<Vec<RefusedFromFolder>, Refusal> {
        self.only_admins(caller).await?;
        self.store.refused_from_folders(MOST).await.map_err(refuse(caller))
    }

    async fn try_again(&self, caller: &Caller, sha256: &str) -> Result<(), Refusal> {
        self.only_admins(caller).await?;
        let sha256: Option<Sha256Hex> = sha256.parse().ok();
        match sha256.is_some_and(|sha256| self.renditions.forget(&sha256)) {
            true => Ok(()),
            false => Err(Refusal::NotFound { what: "failing picture".to_owned() }),
        }
    }
}
