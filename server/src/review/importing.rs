//! Who may bring pictures where, and what is there already. A caller learns nothing of a place that they may not
//! bring anything to.

use app::{
    model::{BatchId, Importing, Kind, Managed, Refusal, Slug},
    studio::Caller,
};

use super::{Review, not_found, refusal::refuse};
use crate::{
    authority::{Action, Principal},
    originals::Sha256,
    store::{Place, Scope},
};

/// The most contents that one question names.
const MOST: usize = 1000;

impl Review {
    /// Where the caller may bring pictures of the subject into the batch, and what they are called; the subject is made
    /// where it is missing.
    pub(crate) async fn admit_import(
        &self,
        caller: &Caller,
        batch: BatchId,
        subject: &Slug,
    ) -> Result<(Place, String), Refusal> {
        let (family, principal) = self.may_import(caller, batch, subject).await?;
        self.store.ensure_subject(&family, subject).await.map_err(refuse(caller))?;
        Ok((Place::subject(family, subject.clone()), principal.name))
    }

    /// Those of the contents that the batch has not of this subject and kind, in the order asked for. What the store
    /// holds elsewhere is not told.
    pub(crate) async fn missing(
        &self,
        caller: &Caller,
        batch: BatchId,
        (subject, kind): (&Slug, Kind),
        contents: Vec<Sha256>,
    ) -> Result<Vec<Sha256>, Refusal> {
        self.may_import(caller, batch, subject).await?;
        if contents.len() > MOST {
            return Err(Refusal::Invalid { reason: format!("Ask for at most {MOST} contents at a time.") });
        }
        let present = self.store.present(batch, subject, kind, &contents).await.map_err(refuse(caller))?;
        Ok(contents.into_iter().filter(|content| !present.contains(content)).collect())
    }

    /// The batch's family, and who calls, where the caller may bring pictures of this subject of it.
    async fn may_import(&self, caller: &Caller, batch: BatchId, subject: &Slug) -> Result<(Slug, Principal), Refusal> {
        let family = self.family(caller, batch).await?;
        let place = Place::subject(family.clone(), subject.clone());
        let principal = self.check(caller, Action::Manage, &place).await?;
        Ok((family, principal))
    }

    pub(super) async fn managed_by(&self, caller: &Caller) -> Result<Managed, Refusal> {
        Ok(match self.scope(caller, Action::Manage).await? {
            Scope::All => {
                let families = self.store.families().await.map_err(refuse(caller))?;
                Managed { families: families.into_iter().map(|(place, _)| place.family).collect(), any: true }
            }
            Scope::Only(places) => {
                let whole = places.into_iter().filter(|place| place.subject.is_none());
                let mut families: Vec<Slug> = whole.map(|place| place.family).collect();
                families.sort();
                families.dedup();
                Managed { families, any: false }
            }
        })
    }

    pub(super) async fn importing_by(&self, caller: &Caller, batch: BatchId) -> Result<Option<Importing>, Refusal> {
        let scope = self.scope(caller, Action::Manage).await?;
        let family = self.family(caller, batch).await?;
        let mut subjects = self.store.subjects(&family).await.map_err(refuse(caller))?;
        subjects.retain(|subject| scope.covers(&Place::subject(family.clone(), subject.clone())));
        let any = scope.covers(&Place::family(family));
        Ok((any || !subjects.is_empty()).then_some(Importing { subjects, any }))
    }

    async fn family(&self, caller: &Caller, batch: BatchId) -> Result<Slug, Refusal> {
        match self.store.family_of(batch).await.map_err(refuse(caller))? {
            Some(place) => Ok(place.family),
            None => self.principal(caller).await.and(Err(not_found("batch"))),
        }
    }
}
