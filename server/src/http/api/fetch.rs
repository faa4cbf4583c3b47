//! Import by address.

use app::model::{BatchId, Kind, Slug};
use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;

use super::upload::Uploaded;
use crate::{
    http::{
        problem::Problem,
        request::{Asker, Json, Path},
        state::AppState,
    },
    intake::{ADDRESSES, Target},
};

/// The longest address, in bytes.
const LONGEST: usize = 2048;

#[derive(Deserialize)]
pub(crate) struct Addresses {
    subject: Slug,
    #[serde(default = "candidate")]
    kind: Kind,
    urls: Vec<String>,
}

fn candidate() -> Kind {
    Kind::Candidate
}

/// Fetch pictures by their addresses, a hundred at the most, and take them in. The lines come in the order of the
/// addresses; a ZIP archive has one for each of its files. `/api/events` tells how far it is, as `job`.
///
/// Each is asked for its size by HEAD, waits for as much room in the memory budget, and is asked for by GET. Only http and
/// https, and only the public internet, unless `AVATARS_FETCH_HOSTS` names the host.
#[utoipa::path(post, path = "/api/batches/{id}/fetch", tag = "batches", params(("id" = String, Path)),
    request_body(content = String, description = "`{\"subject\", \"kind\", \"urls\": [\"https://…\"]}`; `kind` may be left out",
        content_type = "application/json"),
    responses((status = 201, description = "`{\"assets\": [{\"name\", \"status\", \"id\", \"sha256\", \"reason\"}]}`"),
        (status = 422, description = "No addresses, or too many")))]
pub(crate) async fn fetch_assets(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(batch): Path<BatchId>,
    Json(asked): Json<Addresses>,
) -> Result<(StatusCode, axum::Json<Uploaded>), Problem> {
    let Addresses { subject, kind, urls } = asked;
    let (place, sender) = state.studio.admit_import(&caller, batch, &subject).await?;
    if urls.is_empty() || urls.len() > ADDRESSES || urls.iter().any(|url| url.len() > LONGEST) {
        let detail = format!("Name 1 to {ADDRESSES} addresses of at most {LONGEST} letters each.");
        return Err(Problem::invalid(detail));
    }
    let job = state.studio.job(batch, place, urls.len());
    let target = Target { batch, subject, kind, sender, turn: None };
    let assets = state.fetcher.fetch(&state.intake, &target, urls, || job.step()).await;
    Ok((StatusCode::CREATED, axum::Json(Uploaded { assets })))
}
