//! Who may do what, asked live for every request: a yes is never kept. Public so that a test can stand in for it.
//!
//! Knows sessions, tokens and places; knows nothing of pictures or pages.

mod builtin;
mod forward;

use std::time::Duration;

use app::{
    model::{AccountId, AssetId, Role},
    studio::Caller,
};
use async_trait::async_trait;

pub(crate) use self::{builtin::Builtin, forward::Forward};
use crate::store::{MediaSource, Store, StoreError, TokenScope};
pub(crate) use crate::store::{Place, Scope};

/// Decides what callers may do.
#[async_trait]
pub(crate) trait Authority: Send + Sync + 'static {
    /// Who calls, whatever they may do.
    async fn identify(&self, caller: &Caller) -> Result<Principal, Denial>;
    /// Whether the caller may do this here; who calls, if so.
    async fn check(&self, caller: &Caller, action: Action, place: &Place) -> Result<Principal, Denial>;
    /// Everywhere that the caller may do this: for listings. Nowhere is an empty scope, not a denial.
    async fn scope(&self, caller: &Caller, action: Action) -> Result<(Principal, Scope), Denial>;
    /// Whether it answers at all, in words.
    async fn probe(&self) -> Result<String, String>;
    /// The original behind an asset that the caller may see; nothing where there is no such asset. The check of every
    /// media request: an authority whose rights lie beside the assets may look up both in one question.
    async fn see(&self, store: &Store, caller: &Caller, asset: AssetId) -> Result<Option<MediaSource>, Denial> {
        let Some((place, source)) = store.media(asset).await? else {
            // Whoever is not signed in learns nothing of what exists.
            self.identify(caller).await?;
            return Ok(None);
        };
        self.check(caller, Action::View, &place).await?;
        Ok(Some(source))
    }
}

/// What a caller wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// See batches, pictures and decisions.
    View,
    /// Decide on candidates.
    Decide,
    /// Import, create batches, export.
    Manage,
}

impl Action {
    /// Whether the role includes the action.
    pub(crate) const fn allowed_to(self, role: Role) -> bool {
        match self {
            Self::View => true,
            Self::Decide => matches!(role, Role::Reviewer | Role::Manager),
            Self::Manage => matches!(role, Role::Manager),
        }
    }

    /// Whether a bearer token of the scope may do the action.
    pub(crate) const fn allowed_by(self, scope: TokenScope) -> bool {
        match self {
            Self::View => true,
            Self::Decide => matches!(scope, TokenScope::Review | TokenScope::Admin),
            Self::Manage => matches!(scope, TokenScope::Import | TokenScope::Admin),
        }
    }
}

/// Who calls, as the authority knows them at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Principal {
    /// Absent for a bearer token.
    pub account: Option<AccountId>,
    pub name: String,
    /// May do everything everywhere.
    pub admin: bool,
    /// The session or token was last noted as used so long ago that it should be noted again.
    pub unnoted: bool,
}

/// Why an authority does not say yes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Denial {
    #[error("nobody is signed in")]
    SignedOut,
    #[error("the caller may not do that here")]
    Refused,
    #[error("the authority does not answer: {reason}")]
    Unavailable { reason: String, retry_after: Duration },
    #[error("the authority failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<StoreError> for Denial {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(source) => {
                Self::Unavailable { reason: source.to_string(), retry_after: Duration::from_secs(1) }
            }
            other => Self::Failed(Box::new(other)),
        }
    }
}
