//! Signing in and out.

use app::studio::Studio as _;
use axum::{
    extract::State,
    response::{AppendHeaders, IntoResponse},
};
use http::{StatusCode, header::SET_COOKIE};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::{
    problem::Problem,
    request::{Asker, Json},
    state::AppState,
};

#[derive(Deserialize, ToSchema)]
pub(crate) struct SignIn {
    name: String,
    password: String,
}

/// Sign in: the answer carries the cookie `avatars_session`.
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = SignIn, responses(
    (status = 204, description = "Signed in; sets the cookie avatars_session"),
    (status = 401, description = "Wrong name or password"),
    (status = 429, description = "Too many tries; Retry-After says when to try again"),
))]
pub(crate) async fn sign_in(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Json(given): Json<SignIn>,
) -> Result<impl IntoResponse, Problem> {
    let session = state.studio.sign_in(&caller, &given.name, &given.password).await?;
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(SET_COOKIE, state.cookie.set(&session))])))
}

/// Sign out: the session ends on the server, and the cookie is cleared.
#[utoipa::path(delete, path = "/api/session", tag = "session", responses((status = 204, description = "Signed out")))]
pub(crate) async fn sign_out(
    State(state): State<AppState>,
    Asker(caller): Asker,
) -> Result<impl IntoResponse, Problem> {
    state.studio.sign_out(&caller).await?;
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(SET_COOKIE, state.cookie.clear())])))
}
