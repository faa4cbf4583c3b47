//! Files that are held back until they are known to be clean.

use app::{
    held::{HeldFiles as _, HeldOverview, Retried},
    model::HeldId,
};
use axum::extract::State;
use http::StatusCode;

use crate::http::{
    problem::Problem,
    request::{Asker, Path},
    state::AppState,
};

/// What is held, what was refused after a scan, and for admins how the scanner stands: where the caller may import.
#[utoipa::path(get, path = "/api/quarantine", tag = "quarantine", responses(
    (status = 200, description = "`{\"held\": [{\"id\", \"batch\", \"family\", \"subject\", \"kind\", \"name\", \"sha256\", \
        \"bytes\", \"by\", \"since\", \"held_seconds\", \"tries\", \"next_try\", \"next_try_seconds\", \
        \"why\": \"away|unscanned|too-large|not-taken\", \"reason\"}], \
        \"refused\": [{\"id\", \"batch\", \"family\", \"subject\", \"kind\", \"name\", \"sha256\", \"bytes\", \"by\", \"since\", \
        \"at\", \"ago_seconds\", \"signature\", \"reason\"}], \
        \"scanner\": {\"on\", \"address\", \"version\", \"signatures\": {\"version\", \"age_seconds\"}, \"trouble\"}}`"),
    (status = 403, description = "The caller may import nowhere")))]
pub(crate) async fn list_held(
    State(state): State<AppState>,
    Asker(caller): Asker,
) -> Result<axum::Json<HeldOverview>, Problem> {
    Ok(axum::Json(state.held.overview(&caller).await?))
}

/// Scan a held file again now. Waits for the outcome as long as a sender does.
#[utoipa::path(post, path = "/api/quarantine/{id}/retry", tag = "quarantine", params(("id" = String, Path)), responses(
    (status = 200, description = "`{\"id\", \"status\": \"held|added|duplicate|refused\", \"asset\", \"reason\"}`"),
    (status = 404, description = "It is held no more")))]
pub(crate) async fn retry_held(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<HeldId>,
) -> Result<axum::Json<Retried>, Problem> {
    Ok(axum::Json(state.held.retry(&caller, id).await?))
}

/// Throw a held file away, for good.
#[utoipa::path(delete, path = "/api/quarantine/{id}", tag = "quarantine", params(("id" = String, Path)), responses(
    (status = 204, description = "It is gone"), (status = 404, description = "It is held no more")))]
pub(crate) async fn discard_held(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<HeldId>,
) -> Result<StatusCode, Problem> {
    state.held.discard(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
