//! One picture: what is known of it, and what was decided of it.

use app::{
    model::{Asset, AssetId, HistoryEntry},
    studio::Studio as _,
};
use axum::extract::State;
use serde::Serialize;

use crate::http::{
    problem::Problem,
    request::{Asker, Path},
    state::AppState,
};

/// One picture.
#[utoipa::path(get, path = "/api/assets/{id}", tag = "assets", params(("id" = String, Path)), responses(
    (status = 200, description = "The asset"), (status = 404, description = "No such asset")))]
pub(crate) async fn show_asset(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<AssetId>,
) -> Result<axum::Json<Asset>, Problem> {
    Ok(axum::Json(state.studio.asset(&caller, id).await?))
}

#[derive(Serialize)]
pub(crate) struct History {
    history: Vec<HistoryEntry>,
}

/// What was decided of a picture, oldest first.
#[utoipa::path(get, path = "/api/assets/{id}/history", tag = "assets", params(("id" = String, Path)), responses(
    (status = 200, description = "`{\"history\": [{\"by\", \"at\", \"before\", \"after\", \"version\"}]}`")))]
pub(crate) async fn show_history(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<AssetId>,
) -> Result<axum::Json<History>, Problem> {
    Ok(axum::Json(History { history: state.studio.history(&caller, id).await? }))
}
