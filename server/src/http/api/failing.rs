//! Originals that could not be rendered lately, for admins.

use app::failing::{FailingOriginal, FailingOriginals as _, RefusedFromFolder};
use axum::extract::State;
use http::StatusCode;
use serde::Serialize;

use crate::http::{
    problem::Problem,
    request::{Asker, Path},
    state::AppState,
};

#[derive(Serialize)]
pub(crate) struct FailingList {
    failing: Vec<FailingOriginal>,
    folders: Vec<RefusedFromFolder>,
}

/// Originals that could not be rendered and are not tried again for a while, and files of watched folders that were not
/// taken in; of both the last first. Admins only.
#[utoipa::path(get, path = "/api/failing", tag = "failing", responses(
    (status = 200, description = "`{\"failing\": [{\"sha256\", \"recipe\", \"reason\", \"since\", \"pictures\"}], \
        \"folders\": [{\"place\", \"path\", \"reason\", \"at\"}]}`"),
    (status = 403, description = "Not an admin")))]
pub(crate) async fn list_failing(
    State(state): State<AppState>,
    Asker(caller): Asker,
) -> Result<axum::Json<FailingList>, Problem> {
    let (failing, folders) = (state.failing.failing(&caller).await?, state.failing.refused(&caller).await?);
    Ok(axum::Json(FailingList { failing, folders }))
}

/// Forget that an original failed: whoever asks next has it tried again. Admins only.
#[utoipa::path(delete, path = "/api/failing/{sha256}", tag = "failing", params(("sha256" = String, Path)), responses(
    (status = 204, description = "Forgotten"), (status = 404, description = "Nothing of it is remembered")))]
pub(crate) async fn forget_failing(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(sha256): Path<String>,
) -> Result<StatusCode, Problem> {
    state.failing.try_again(&caller, &sha256).await?;
    Ok(StatusCode::NO_CONTENT)
}
