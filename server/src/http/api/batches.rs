//! Batches: those that the caller may see, and new ones.

use app::{
    model::{AssetPage, AssetQuery, Batch, BatchId, Slug},
    studio::Studio as _,
};
use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::http::{
    problem::Problem,
    request::{Asker, Json, Path, Query},
    state::AppState,
};

#[derive(Serialize)]
pub(crate) struct Batches {
    batches: Vec<Batch>,
}

/// The batches that the caller may see, with the counts of what the caller may see.
#[utoipa::path(get, path = "/api/batches", tag = "batches", responses(
    (status = 200, description = "`{\"batches\": [Batch]}`"),
    (status = 401, description = "Not signed in"),
))]
pub(crate) async fn list_batches(
    State(state): State<AppState>,
    Asker(caller): Asker,
) -> Result<axum::Json<Batches>, Problem> {
    Ok(axum::Json(Batches { batches: state.studio.batches(&caller).await? }))
}

#[derive(Deserialize)]
pub(crate) struct NewBatch {
    family: Slug,
    slug: Slug,
    title: String,
}

/// Create an empty batch in a family that the caller manages.
#[utoipa::path(post, path = "/api/batches", tag = "batches",
    request_body(content = String, description = "`{\"family\", \"slug\", \"title\"}`", content_type = "application/json"),
    responses((status = 201, description = "The batch"), (status = 403, description = "Not a manager of the family")))]
pub(crate) async fn create_batch(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Json(new): Json<NewBatch>,
) -> Result<(StatusCode, axum::Json<Batch>), Problem> {
    let batch = state.studio.create_batch(&caller, &new.family, &new.slug, &new.title).await?;
    Ok((StatusCode::CREATED, axum::Json(batch)))
}

/// One batch.
#[utoipa::path(get, path = "/api/batches/{id}", tag = "batches", params(("id" = String, Path)), responses(
    (status = 200, description = "The batch"), (status = 404, description = "None that the caller may see")))]
pub(crate) async fn show_batch(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<BatchId>,
) -> Result<axum::Json<Batch>, Problem> {
    Ok(axum::Json(state.studio.batch(&caller, id).await?))
}

/// The pictures of a batch that the caller may see, a page at a time, in the order of import.
#[utoipa::path(get, path = "/api/batches/{id}/assets", tag = "batches", params(
    ("id" = String, Path),
    ("decision" = Option<String>, Query, description = "undecided, approved or rejected"),
    ("kind" = Option<String>, Query, description = "candidate or pipeline"),
    ("subject" = Option<String>, Query),
    ("after" = Option<String>, Query, description = "`next` of the page before"),
    ("limit" = Option<u32>, Query, description = "at most 1000, which is the default"),
), responses((status = 200, description = "`{\"assets\": [Asset], \"next\"}`")))]
pub(crate) async fn list_assets(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(id): Path<BatchId>,
    Query(query): Query<AssetQuery>,
) -> Result<axum::Json<AssetPage>, Problem> {
    Ok(axum::Json(state.studio.assets(&caller, id, &query).await?))
}
