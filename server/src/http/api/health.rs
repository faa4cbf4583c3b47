//! Whether the program lives, and whether it can do its work.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{problem::Problem, state::AppState};

#[derive(Serialize, ToSchema)]
pub(crate) struct Status {
    status: &'static str,
}

/// Whether the program lives. It asks nothing of anything.
#[utoipa::path(get, path = "/api/health", tag = "health", responses((status = 200, body = Status)))]
pub(crate) async fn show_health() -> axum::Json<Status> {
    axum::Json(Status { status: "ok" })
}

/// Whether database and store answer, media slots come free, and the scanner (if any) passes its self-test.
#[utoipa::path(get, path = "/api/ready", tag = "health", responses(
    (status = 200, body = Status),
    (status = 503, description = "Names what is not ready"),
))]
pub(crate) async fn show_readiness(State(state): State<AppState>) -> Result<axum::Json<Status>, Problem> {
    match state.not_ready().await.as_slice() {
        [] => Ok(axum::Json(Status { status: "ready" })),
        missing => Err(Problem::unavailable(format!("Not ready: {}.", missing.join("; ")), 5)),
    }
}
