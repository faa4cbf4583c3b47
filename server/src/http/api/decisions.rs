//! Deciding, one or many, and taking it back.

use app::{
    model::{AssetId, AssetVersion, BatchId, Change, ChangeId, Decided, Decision},
    studio::Studio as _,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::http::{
    problem::Problem,
    request::{Asker, Json, Path},
    state::AppState,
};

#[derive(Deserialize)]
pub(crate) struct OneDecision {
    decision: Decision,
    /// The version that the caller has seen.
    version: u32,
}

#[derive(Serialize)]
pub(crate) struct OneDecided {
    #[serde(flatten)]
    decided: Decided,
    change: ChangeId,
}

/// Decide one candidate. A stale version is refused with the present decision.
#[utoipa::path(put, path = "/api/assets/{id}/decision", tag = "decisions", params(("id" = String, Path)),
    request_body(content = String, description = "`{\"decision\": \"approved|rejected|undecided\", \"version\": N}`",
        content_type = "application/json"),
    responses((status = 200, description = "Where the asset stands now, with its new version and the change to undo"),
        (status = 409, description = "Somebody else decided meanwhile: the present decision, by whom and when")))]
pub(crate) async fn decide_one(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<AssetId>,
    Json(asked): Json<OneDecision>,
) -> Result<axum::Json<OneDecided>, Problem> {
    let assets = [AssetVersion { id, version: asked.version }];
    let change = state.studio.decide(&caller, asked.decision, &assets).await?;
    let decided = change.assets.into_iter().next().ok_or_else(Problem::internal)?;
    Ok(axum::Json(OneDecided { decided, change: change.id }))
}

#[derive(Deserialize)]
pub(crate) struct ManyDecisions {
    decision: Decision,
    assets: Vec<AssetVersion>,
}

#[derive(Serialize)]
pub(crate) struct ManyDecided {
    change: ChangeId,
    assets: Vec<Decided>,
}

impl From<Change> for ManyDecided {
    fn from(change: Change) -> Self {
        Self { change: change.id, assets: change.assets }
    }
}

/// Decide many candidates of one batch, all or nothing.
#[utoipa::path(post, path = "/api/batches/{id}/decisions", tag = "decisions", params(("id" = String, Path)),
    request_body(content = String, description = "`{\"decision\", \"assets\": [{\"id\", \"version\"}]}`",
        content_type = "application/json"),
    responses((status = 200, description = "`{\"change\", \"assets\"}`"),
        (status = 409, description = "Lists every stale asset; nothing was changed")))]
pub(crate) async fn decide_many(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(batch): Path<BatchId>,
    Json(asked): Json<ManyDecisions>,
) -> Result<axum::Json<ManyDecided>, Problem> {
    Ok(axum::Json(state.studio.decide_in(&caller, batch, asked.decision, &asked.assets).await?.into()))
}

/// Take a change back: each asset returns to its own decision before it, all or nothing.
#[utoipa::path(post, path = "/api/changes/{id}/undo", tag = "decisions", params(("id" = String, Path)),
    responses((status = 200, description = "`{\"change\", \"assets\"}`"),
        (status = 409, description = "Decided again meanwhile: lists every such asset; nothing was changed")))]
pub(crate) async fn undo_change(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<ChangeId>,
) -> Result<axum::Json<ManyDecided>, Problem> {
    Ok(axum::Json(state.studio.undo(&caller, id).await?.into()))
}
