//! The review: what its users see of the studio, and how candidates are decided.
//!
//! Stands on the store, the accounts and whichever authority it was given. Every call asks the authority itself, and
//! no database connection is held while it does.

mod events;
mod failing;
mod held;
mod importing;
mod job;
mod refusal;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use app::{
    model::{
        Account, AccountId, Asset, AssetId, AssetPage, AssetQuery, AssetVersion, Batch, BatchId, Change, ChangeId,
        Decision, HistoryEntry, Importing, Managed, Refusal, Slug,
    },
    studio::{Caller, Studio},
};
use async_trait::async_trait;
use tokio::sync::broadcast;
use uuid::Uuid;

pub(crate) use self::{events::Event, failing::FailingDesk, held::HeldDesk, job::Job};
use self::{events::decided, refusal::refuse};
use crate::{
    accounts::Accounts,
    authority::{Action, Authority, Denial, Principal},
    store::{Actor, Located, MediaSource, Place, Scope, Store},
};

/// The most assets that one act decides.
const MOST: usize = 10_000;
/// Events that a slow listener may be behind; then it is told that it missed some.
const BEHIND: usize = 256;

/// The studio on its database.
#[derive(Clone)]
pub(crate) struct Review {
    store: Store,
    accounts: Accounts,
    authority: Arc<dyn Authority>,
    events: broadcast::Sender<Event>,
}

impl Review {
    pub(crate) fn new(store: Store, accounts: Accounts, authority: Arc<dyn Authority>) -> Self {
        Self { store, accounts, authority, events: broadcast::Sender::new(BEHIND) }
    }

    /// What happens from now on, to everybody: who passes it on asks the authority about each.
    pub(crate) fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Whether the caller may do this in the place at this moment; an error where nobody is signed in any more.
    pub(crate) async fn may(&self, caller: &Caller, action: Action, place: &Place) -> Result<bool, Refusal> {
        match self.authority.check(caller, action, place).await {
            Ok(_) => Ok(true),
            Err(Denial::Refused) => Ok(false),
            Err(denial) => Err(refuse(caller)(denial)),
        }
    }

    /// Who calls, by session or token.
    pub(crate) async fn principal(&self, caller: &Caller) -> Result<Principal, Refusal> {
        let principal = self.authority.identify(caller).await.map_err(refuse(caller))?;
        self.note(caller, &principal).await;
        Ok(principal)
    }

    /// The original behind an asset that the caller may see. Asks the authority once, and writes nothing.
    pub(crate) async fn media(&self, caller: &Caller, asset: AssetId) -> Result<MediaSource, Refusal> {
        let seen = self.authority.see(&self.store, caller, asset).await.map_err(refuse(caller))?;
        seen.ok_or_else(|| not_found("picture"))
    }

    async fn check(&self, caller: &Caller, action: Action, place: &Place) -> Result<Principal, Refusal> {
        let principal = self.authority.check(caller, action, place).await.map_err(refuse(caller))?;
        self.note(caller, &principal).await;
        Ok(principal)
    }

    async fn scope(&self, caller: &Caller, action: Action) -> Result<Scope, Refusal> {
        let (principal, scope) = self.authority.scope(caller, action).await.map_err(refuse(caller))?;
        self.note(caller, &principal).await;
        Ok(scope)
    }

    /// Notes that the session or token is in use, where that is due. Failing to is not the caller's concern.
    async fn note(&self, caller: &Caller, principal: &Principal) {
        if !principal.unnoted {
            return;
        }
        let noted = match (&caller.token, &caller.session) {
            (Some(token), _) => self.accounts.note_token(token).await,
            (None, Some(session)) => self.accounts.note_session(session).await,
            (None, None) => Ok(()),
        };
        if let Err(error) = noted {
            tracing::warn!(request_id = caller.request_id, %error, "a session's or token's use was not noted");
        }
    }

    /// Where a page begins: behind the page whose `next` it is, or behind an asset.
    async fn sequence(&self, caller: &Caller, batch: BatchId, after: &str) -> Result<i64, Refusal> {
        let found = match (after.parse(), after.parse::<AssetId>()) {
            (Ok(sequence), _) => Some(sequence),
            (_, Ok(id)) => self.store.sequence(batch, id).await.map_err(refuse(caller))?,
            _ => None,
        };
        let reason = "\"after\" is neither a page's \"next\" nor the id of a picture in this batch.";
        found.ok_or_else(|| Refusal::Invalid { reason: reason.to_owned() })
    }

    /// Why a batch is not shown.
    async fn unseen(&self, caller: &Caller, batch: BatchId) -> Refusal {
        match self.store.family_of(batch).await {
            Ok(Some(_)) => Refusal::Forbidden,
            Ok(None) => not_found("batch"),
            Err(error) => refuse(caller)(error),
        }
    }

    /// The asset, where the caller may see it.
    async fn seen(&self, caller: &Caller, id: AssetId) -> Result<Asset, Refusal> {
        match self.store.asset(id).await.map_err(refuse(caller))? {
            Some((place, asset)) => self.check(caller, Action::View, &place).await.map(|_| asset),
            None => self.principal(caller).await.and(Err(not_found("picture"))),
        }
    }

    /// Who decides, where the caller may decide on each of these.
    async fn decider(&self, caller: &Caller, located: &[Located]) -> Result<Actor, Refusal> {
        let places: BTreeSet<&Place> = located.iter().map(|located| &located.place).collect();
        let mut principal = None;
        for place in places {
            principal = Some(self.check(caller, Action::Decide, place).await?);
        }
        let principal = match principal {
            Some(principal) => principal,
            None => self.principal(caller).await?,
        };
        Ok(Actor { account: principal.account, name: principal.name })
    }

    /// Decides candidates of one batch: one of another is none of its own.
    pub(crate) async fn decide_in(
        &self,
        caller: &Caller,
        batch: BatchId,
        decision: Decision,
        assets: &[AssetVersion],
    ) -> Result<Change, Refusal> {
        self.decide_where(caller, decision, assets, |located| located.batch == batch).await
    }

    /// Begins a piece of work on the batch of which those who listen are told how far it is.
    pub(crate) fn job(&self, batch: BatchId, place: Place, total: usize) -> Job {
        Job::begin(self.events.clone(), batch, place, total)
    }

    async fn decide_where(
        &self,
        caller: &Caller,
        decision: Decision,
        assets: &[AssetVersion],
        belongs: impl Fn(&Located) -> bool + Send,
    ) -> Result<Change, Refusal> {
        let ids: Vec<AssetId> = assets.iter().map(|asset| asset.id).collect();
        if ids.is_empty() || ids.len() > MOST || ids.iter().collect::<HashSet<_>>().len() < ids.len() {
            // Before anything is said of the request, it must be somebody's.
            self.principal(caller).await?;
            return Err(Refusal::Invalid { reason: format!("Name 1 to {MOST} pictures, each once.") });
        }
        let located = self.store.locate(&ids).await.map_err(refuse(caller))?;
        let actor = self.decider(caller, &located).await?;
        if located.len() < ids.len() || !located.iter().all(belongs) {
            return Err(not_found("picture"));
        }
        let change = self.store.decide(&actor, decision, assets, &located).await.map_err(refuse(caller))?;
        self.tell(&change, &located);
        Ok(change)
    }

    /// Tells the listeners; that there are none is no error.
    fn tell(&self, change: &Change, located: &[Located]) {
        for event in decided(change, located) {
            let _listeners = self.events.send(event);
        }
    }
}

#[async_trait]
impl Studio for Review {
    async fn sign_in(&self, caller: &Caller, name: &str, password: &str) -> Result<String, Refusal> {
        self.accounts.sign_in(name, password, caller.address).await.map_err(refuse(caller))
    }

    async fn sign_out(&self, caller: &Caller) -> Result<(), Refusal> {
        match &caller.session {
            Some(session) => self.accounts.sign_out(session).await.map_err(refuse(caller)),
            None => Ok(()),
        }
    }

    async fn account(&self, caller: &Caller) -> Result<Account, Refusal> {
        let principal = self.principal(caller).await?;
        let id = match principal.account {
            Some(id) => id,
            // A bearer token is nobody: it calls, but it does not sign in.
            None if caller.token.is_some() => return Err(Refusal::SignedOut),
            // An authority elsewhere knows people by name; no account here stands for them.
            None => AccountId(Uuid::nil()),
        };
        Ok(Account { id, name: principal.name, admin: principal.admin })
    }

    async fn batches(&self, caller: &Caller) -> Result<Vec<Batch>, Refusal> {
        let scope = self.scope(caller, Action::View).await?;
        self.store.batches(&scope).await.map_err(refuse(caller))
    }

    async fn batch(&self, caller: &Caller, id: BatchId) -> Result<Batch, Refusal> {
        let scope = self.scope(caller, Action::View).await?;
        match self.store.batch(&scope, id).await.map_err(refuse(caller))? {
            Some(batch) => Ok(batch),
            None => Err(self.unseen(caller, id).await),
        }
    }

    async fn create_batch(&self, caller: &Caller, family: &Slug, slug: &Slug, title: &str) -> Result<Batch, Refusal> {
        self.check(caller, Action::Manage, &Place::family(family.clone())).await?;
        let title = title.trim();
        if !Batch::is_title(title) {
            return Err(Refusal::Invalid { reason: Batch::NOT_A_TITLE.to_owned() });
        }
        let id = self.store.create_batch(family, slug, title).await.map_err(refuse(caller))?;
        let created = self.store.batch(&Scope::All, id).await.map_err(refuse(caller))?;
        created.ok_or_else(|| not_found("batch"))
    }

    async fn managed(&self, caller: &Caller) -> Result<Managed, Refusal> {
        self.managed_by(caller).await
    }

    async fn importing(&self, caller: &Caller, batch: BatchId) -> Result<Option<Importing>, Refusal> {
        self.importing_by(caller, batch).await
    }

    async fn assets(&self, caller: &Caller, batch: BatchId, query: &AssetQuery) -> Result<AssetPage, Refusal> {
        let scope = self.scope(caller, Action::View).await?;
        let after = match query.after.as_deref() {
            Some(after) => Some(self.sequence(caller, batch, after).await?),
            None => None,
        };
        let page = self.store.assets(batch, &scope, query, after).await.map_err(refuse(caller))?;
        // Nothing to show: because there is nothing, or because there is no such batch for this caller?
        if page.assets.is_empty() && self.store.batch(&scope, batch).await.map_err(refuse(caller))?.is_none() {
            return Err(self.unseen(caller, batch).await);
        }
        Ok(page)
    }

    async fn asset(&self, caller: &Caller, id: AssetId) -> Result<Asset, Refusal> {
        self.seen(caller, id).await
    }

    async fn may_decide(&self, caller: &Caller, batch: BatchId) -> Result<bool, Refusal> {
        let scope = self.scope(caller, Action::Decide).await?;
        let takes = self.store.takes_decisions(batch, &scope).await.map_err(refuse(caller))?;
        takes.ok_or_else(|| not_found("batch"))
    }

    async fn decide(&self, caller: &Caller, decision: Decision, assets: &[AssetVersion]) -> Result<Change, Refusal> {
        self.decide_where(caller, decision, assets, |_| true).await
    }

    async fn undo(&self, caller: &Caller, change: ChangeId) -> Result<Change, Refusal> {
        let located = self.store.changed(change).await.map_err(refuse(caller))?;
        let actor = self.decider(caller, located.as_deref().unwrap_or_default()).await?;
        let located = located.ok_or_else(|| not_found("change"))?;
        let undone = self.store.undo(&actor, change, &located).await.map_err(refuse(caller))?;
        self.tell(&undone, &located);
        Ok(undone)
    }

    async fn history(&self, caller: &Caller, asset: AssetId) -> Result<Vec<HistoryEntry>, Refusal> {
        self.seen(caller, asset).await?;
        self.store.history(asset).await.map_err(refuse(caller))
    }
}

fn not_found(what: &str) -> Refusal {
    Refusal::NotFound { what: what.to_owned() }
}
