//! The server functions: from a request's contexts to the [`Studio`](crate::studio::Studio) and back, nothing else.
//!
//! Each is a public POST route at a stable address. None decides anything itself, and what they can do the JSON API
//! can do too. `Caller` and `Arc<dyn Studio>` are contexts that the server provides.

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
mod failing;
#[cfg(feature = "ssr")]
mod form;
#[cfg(feature = "ssr")]
mod held;
#[cfg(feature = "ssr")]
mod new_batch;
#[cfg(feature = "ssr")]
mod sign;

use crate::model::{
    AssetId, AssetPage, AssetQuery, AssetVersion, BatchId, Change, ChangeId, Decision, HeldId, HistoryEntry, Refusal,
};

/// Opens a session. A plain form posts here: it is sent on to `next`, or back to the sign-in page with the reason.
#[server(prefix = "/actions", endpoint = "sign-in")]
pub async fn sign_in(name: String, password: String, #[server(default)] next: String) -> Result<(), Refusal> {
    sign::sign_in(&name, &password, &next).await
}

/// Ends the session and returns to the sign-in page.
#[server(prefix = "/actions", endpoint = "sign-out")]
pub async fn sign_out() -> Result<(), Refusal> {
    sign::sign_out().await
}

/// Decides one or many candidates, all or nothing.
#[server(prefix = "/actions", endpoint = "decide", input = Json)]
pub async fn decide(decision: Decision, assets: Vec<AssetVersion>) -> Result<Change, Refusal> {
    let (studio, caller) = context()?;
    answer(studio.decide(&caller, decision, &assets).await)
}

/// Takes one act of deciding back.
#[server(prefix = "/actions", endpoint = "undo", input = Json)]
pub async fn undo(change: ChangeId) -> Result<Change, Refusal> {
    let (studio, caller) = context()?;
    answer(studio.undo(&caller, change).await)
}

/// What was decided of an asset, oldest first.
#[server(prefix = "/actions", endpoint = "history", input = Json)]
pub async fn history(asset: AssetId) -> Result<Vec<HistoryEntry>, Refusal> {
    let (studio, caller) = context()?;
    answer(studio.history(&caller, asset).await)
}

/// One page of a batch's assets.
#[server(prefix = "/actions", endpoint = "assets", input = Json)]
pub async fn assets(batch: BatchId, query: AssetQuery) -> Result<AssetPage, Refusal> {
    let (studio, caller) = context()?;
    answer(studio.assets(&caller, batch, &query).await)
}

/// Creates an empty batch. A plain form posts here: it is sent on to the batch, or back with what was typed and why.
/// The family is the chosen one, or else the one newly named; without a slug, the title makes one.
#[server(prefix = "/actions", endpoint = "new-batch")]
pub async fn new_batch(
    title: String,
    #[server(default)] family: String,
    #[server(default)] new_family: String,
    #[server(default)] slug: String,
) -> Result<(), Refusal> {
    new_batch::new_batch(crate::pages::new_batch::Entered { title, family, new_family, slug }).await
}

/// Scans a held file again. A plain form posts here, and is sent back to the page with the outcome.
#[server(prefix = "/actions", endpoint = "retry-held")]
pub async fn retry_held(id: HeldId) -> Result<(), Refusal> {
    held::retry(id).await
}

/// Throws a held file away. A plain form posts here, and is sent back to the page.
#[server(prefix = "/actions", endpoint = "discard-held")]
pub async fn discard_held(id: HeldId) -> Result<(), Refusal> {
    held::discard(id).await
}

/// Has an original that could not be rendered tried again. Admins only; a plain form posts here and is sent back.
#[server(prefix = "/actions", endpoint = "try-again")]
pub async fn try_again(sha256: String) -> Result<(), Refusal> {
    failing::try_again(&sha256).await
}

#[cfg(feature = "ssr")]
type Contexts = (std::sync::Arc<dyn crate::studio::Studio>, crate::studio::Caller);

/// The studio and the caller of this request.
#[cfg(feature = "ssr")]
pub(crate) fn context() -> Result<Contexts, Refusal> {
    use_context().zip(use_context()).ok_or_else(|| Refusal::Internal { request_id: "none".to_owned() })
}

#[cfg(feature = "ssr")]
pub(crate) use held::desk as held_desk;

/// Adds what only a header can say: how long to wait, and that no answer may be kept.
#[cfg(feature = "ssr")]
fn answer<T>(result: Result<T, Refusal>) -> Result<T, Refusal> {
    use http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER};

    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.insert_header(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = result.as_ref().err().and_then(Refusal::retry_after) {
            options.insert_header(RETRY_AFTER, seconds.into());
        }
    }
    result
}
