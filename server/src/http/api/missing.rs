//! What of some contents is still to be sent: asked before an upload, so that nothing goes over the line twice.

use app::model::{BatchId, Kind, Slug};
use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::{
    http::{
        problem::Problem,
        request::{Asker, Json, Path},
        state::AppState,
    },
    originals::Sha256,
};

#[derive(Deserialize)]
pub(crate) struct Contents {
    subject: Slug,
    kind: Kind,
    sha256: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Missing {
    missing: Vec<String>,
}

/// Ask which contents the batch does not have of this subject and kind: at most 1000 at a time, by who may import there.
#[utoipa::path(post, path = "/api/batches/{id}/missing", tag = "batches", params(("id" = String, Path)),
    request_body(content = String, description = "`{\"subject\", \"kind\", \"sha256\": […]}`",
        content_type = "application/json"),
    responses((status = 200, description = "`{\"missing\": […]}`, in the order asked for"),
        (status = 403, description = "Not a manager of the subject")))]
pub(crate) async fn list_missing(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(batch): Path<BatchId>,
    Json(asked): Json<Contents>,
) -> Result<axum::Json<Missing>, Problem> {
    let parse = |text: &String| text.parse::<Sha256>().map_err(|error| Problem::invalid(error.to_string()));
    let contents = asked.sha256.iter().map(parse).collect::<Result<_, _>>()?;
    let missing = state.studio.missing(&caller, batch, (&asked.subject, asked.kind), contents).await?;
    Ok(axum::Json(Missing { missing: missing.iter().map(Sha256::to_string).collect() }))
}
