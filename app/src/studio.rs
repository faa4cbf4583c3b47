//! What the pages and the server functions need of a server, and nothing else.
//!
//! The JSON API stands on the same trait, so that neither can do what the other cannot. Every method checks the
//! caller itself, live; none trusts a check made earlier.

use std::{fmt, net::IpAddr};

use async_trait::async_trait;

use crate::model::{
    Account, Asset, AssetId, AssetPage, AssetQuery, AssetVersion, Batch, BatchId, Change, ChangeId, Decision,
    HistoryEntry, Importing, Managed, Refusal, Slug,
};

/// Who asks, as far as the request shows it: a claim, checked by each method against the database.
#[derive(Clone, Default)]
pub struct Caller {
    /// The session cookie's value.
    pub session: Option<String>,
    /// The bearer token.
    pub token: Option<String>,
    /// Where the connection comes from; only the sign-in limiter looks at it.
    pub address: Option<IpAddr>,
    /// The request's headers, for an authority that decides by them.
    pub headers: http::HeaderMap,
    /// What was asked, for an authority that decides by it.
    pub method: http::Method,
    /// Path and query, as asked.
    pub uri: String,
    /// Under which the log has this request.
    pub request_id: String,
}

/// Without the secrets that it claims with: what is logged of a caller must not let anybody in.
impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("session", &self.session.is_some())
            .field("token", &self.token.is_some())
            .field("address", &self.address)
            .field("request_id", &self.request_id)
            .finish_non_exhaustive()
    }
}

/// The studio as its users see it.
#[async_trait]
pub trait Studio: Send + Sync + 'static {
    /// Checks name and password in constant time and opens a session; returns the cookie's value.
    async fn sign_in(&self, caller: &Caller, name: &str, password: &str) -> Result<String, Refusal>;
    /// Ends the caller's session; ending none is no error.
    async fn sign_out(&self, caller: &Caller) -> Result<(), Refusal>;
    /// Who is signed in; [`Refusal::SignedOut`] where nobody is.
    async fn account(&self, caller: &Caller) -> Result<Account, Refusal>;
    /// The batches that the caller may see, newest first.
    async fn batches(&self, caller: &Caller) -> Result<Vec<Batch>, Refusal>;
    async fn batch(&self, caller: &Caller, id: BatchId) -> Result<Batch, Refusal>;
    /// Creates an empty batch; the caller manages the family.
    async fn create_batch(&self, caller: &Caller, family: &Slug, slug: &Slug, title: &str) -> Result<Batch, Refusal>;
    /// Where the caller may create batches; nowhere is no error.
    async fn managed(&self, caller: &Caller) -> Result<Managed, Refusal>;
    /// Of whom the caller may bring pictures into the batch; nothing where of nobody.
    async fn importing(&self, caller: &Caller, batch: BatchId) -> Result<Option<Importing>, Refusal>;
    /// One page of the batch's assets that the caller may see, in the order of import.
    async fn assets(&self, caller: &Caller, batch: BatchId, query: &AssetQuery) -> Result<AssetPage, Refusal>;
    async fn asset(&self, caller: &Caller, id: AssetId) -> Result<Asset, Refusal>;
    /// Whether the caller may decide in this batch (on at least one subject of it).
    async fn may_decide(&self, caller: &Caller, batch: BatchId) -> Result<bool, Refusal>;
    /// Decides one or many candidates, all or nothing: [`Refusal::Stale`] lists each that has moved on.
    async fn decide(&self, caller: &Caller, decision: Decision, assets: &[AssetVersion]) -> Result<Change, Refusal>;
    /// Takes a change back: each asset returns to its own decision before it, all or nothing.
    async fn undo(&self, caller: &Caller, change: ChangeId) -> Result<Change, Refusal>;
    /// What was decided of an asset, oldest first.
    async fn history(&self, caller: &Caller, asset: AssetId) -> Result<Vec<HistoryEntry>, Refusal>;
}
