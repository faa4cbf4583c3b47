//! Uploads: a multipart form, streamed file by file through the intake.

use app::model::{BatchId, Kind, Slug};
use axum::extract::{Multipart, State, multipart::Field};
use http::StatusCode;
use serde::Serialize;

use crate::{
    http::{
        problem::Problem,
        request::{Asker, Path},
        state::AppState,
    },
    intake::{Fate, IncomingError, Intake, IntakeError, Target, Told},
};

#[derive(Serialize)]
pub(crate) struct Uploaded {
    assets: Vec<Told>,
}

/// Upload pictures: the fields `subject` and `kind` first, then any number of `file`.
#[utoipa::path(post, path = "/api/batches/{id}/assets", tag = "batches", params(("id" = String, Path)),
    request_body(content_type = "multipart/form-data", content = String, description = "subject, kind, then file…"),
    responses((status = 201, description = "`{\"assets\": [{\"name\", \"status\", \"id\", \"sha256\", \"reason\"}]}`"),
        (status = 503, description = "The memory budget has no room; Retry-After says when to try again")))]
pub(crate) async fn upload_assets(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(batch): Path<BatchId>,
    mut form: Multipart,
) -> Result<(StatusCode, axum::Json<Uploaded>), Problem> {
    let mut subject: Option<Slug> = None;
    let mut kind = Kind::Candidate;
    let mut target = None;
    let mut assets = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| broken(&error.body_text()))? {
        match field.name() {
            Some("subject") => subject = Some(word(field).await?),
            Some("kind") => kind = word(field).await?,
            Some("file") => {
                if target.is_none() {
                    let subject = subject.clone().ok_or_else(|| broken("`subject` must come before the first file"))?;
                    state.studio.admit_import(&caller, batch, &subject).await?;
                    target = Some(Target { batch, subject, kind });
                }
                if let Some(target) = &target {
                    let name = field.file_name().unwrap_or("unnamed").to_owned();
                    let fate = take(&state.intake, target, &name, field).await?;
                    assets.push(fate.told(name));
                }
            }
            _ => return Err(broken("the form takes the fields subject, kind and file")),
        }
    }
    if target.is_none() {
        return Err(broken("there is no file in it"));
    }
    Ok((StatusCode::CREATED, axum::Json(Uploaded { assets })))
}

async fn take(intake: &Intake, target: &Target, name: &str, mut field: Field<'_>) -> Result<Fate, Problem> {
    let mut incoming = Ok(intake.open().await.map_err(IntakeError::from)?);
    // A refused file is read to its end all the same: those behind it may be fine.
    while let Some(piece) = field.chunk().await.map_err(|error| broken(&error.body_text()))? {
        incoming = match incoming {
            Ok(incoming) => match incoming.write(&piece).await {
                Ok(incoming) => Ok(incoming),
                Err(refusal @ IncomingError::TooLarge { .. }) => Err(refusal.to_string()),
                Err(error) => return Err(IntakeError::from(error).into()),
            },
            refused => refused,
        };
    }
    match incoming {
        Ok(incoming) => Ok(intake.take(target, name, incoming).await?),
        Err(reason) => Ok(Fate::Refused { reason }),
    }
}

async fn word<T: std::str::FromStr<Err: std::fmt::Display>>(field: Field<'_>) -> Result<T, Problem> {
    let text = field.text().await.map_err(|error| broken(&error.body_text()))?;
    text.parse().map_err(|error: T::Err| Problem::invalid(error.to_string()))
}

fn broken(reason: &str) -> Problem {
    Problem::invalid(format!("This upload cannot be read: {reason}."))
}

impl From<IntakeError> for Problem {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::Busy { retry_after } => {
                Self::unavailable("The server has no memory to spare for this file right now.", retry_after.as_secs())
            }
            other => {
                tracing::error!(error = %other, "an upload could not be taken in");
                Self::internal()
            }
        }
    }
}
