//! Uploads: a multipart form, streamed file by file through the intake.

use std::sync::{Arc, OnceLock};

use app::{
    model::{BatchId, Kind, Slug},
    studio::Caller,
};
use axum::extract::{Request, State, multipart::Field};
use http::{StatusCode, header::CONTENT_LENGTH};
use serde::Serialize;

use crate::{
    http::{
        form::{Form, broken, text, unread},
        problem::Problem,
        request::{Asker, Path},
        state::AppState,
    },
    intake::{Fate, Intake, IntakeError, Length, Step, Target, Tell, Told},
    review::Job,
    store::Place,
};

/// The most files of one request; an archive may bring as many more.
const FILES: usize = 10_000;
/// All files of one request together may be so many times as large as the largest one.
const LARGEST_FILES: u64 = 100;

/// Seconds until it is worth trying again where the quarantine is full.
const QUARANTINE_PAUSE: u64 = 60;

#[derive(Serialize)]
pub(crate) struct Uploaded {
    pub(super) assets: Vec<Told>,
}

/// Bytes of the largest request, in a studio whose largest file has so many.
pub(crate) fn largest_request(largest_file: u64) -> usize {
    usize::try_from(largest_file.saturating_mul(LARGEST_FILES)).unwrap_or(usize::MAX)
}

/// Upload pictures: the fields `subject` and `kind` first, then any number of `file`, ten thousand at the most. A file
/// that is a ZIP archive is taken in file by file; each has a line of its own, whose name is its path in the archive, and
/// `/api/events` tells how far it is, as `job`.
///
/// A file is received once there is room for it in the memory budget: for its part's `Content-Length`, or else for
/// what is left of the request's. Those that came before a 503 are in, and are duplicates when they are sent again.
#[utoipa::path(post, path = "/api/batches/{id}/assets", tag = "batches", params(("id" = String, Path)),
    request_body(content_type = "multipart/form-data", content = String, description = "subject, kind, then file…"),
    responses((status = 201, description = "`{\"assets\": [{\"name\", \"status\": \"added|duplicate|refused|held\", \
            \"id\", \"sha256\", \"reason\"}]}`; what is held goes on by itself once it is known to be clean"),
        (status = 413, description = "The request as a whole is too large"),
        (status = 503, description = "The memory budget has no room; Retry-After says when to try again")))]
pub(crate) async fn upload_assets(
    State(state): State<AppState>,
    Asker(caller): Asker,
    Path(batch): Path<BatchId>,
    request: Request,
) -> Result<(StatusCode, axum::Json<Uploaded>), Problem> {
    let mut form = Form::open(request).await?;
    match receive(&state, &caller, batch, &mut form).await {
        Ok(assets) => Ok((StatusCode::CREATED, axum::Json(Uploaded { assets }))),
        Err(problem) => {
            form.linger();
            Err(problem)
        }
    }
}

async fn receive(state: &AppState, caller: &Caller, batch: BatchId, form: &mut Form) -> Result<Vec<Told>, Problem> {
    let mut subject: Option<Slug> = None;
    let mut kind = Kind::Candidate;
    let mut target = None;
    let mut assets = Vec::new();
    let mut left = form.length().unwrap_or(u64::MAX);
    while let Some(field) = form.next().await? {
        match field.name() {
            Some("subject") => subject = Some(word(field).await?),
            Some("kind") => kind = word(field).await?,
            Some("file") if assets.len() >= FILES => {
                return Err(broken(&format!("there are more than {FILES} files in it")));
            }
            Some("file") => {
                if target.is_none() {
                    let subject = subject.clone().ok_or_else(|| broken("`subject` must come before the first file"))?;
                    let (place, sender) = state.studio.admit_import(caller, batch, &subject).await?;
                    target = Some((place, Target { batch, subject, kind, sender, turn: None }));
                }
                if let Some((place, target)) = &target {
                    let name = field.file_name().unwrap_or("unnamed").to_owned();
                    let tell = as_job(state, batch, place.clone());
                    let (told, received) = take(&state.intake, target, name, left, field, tell).await?;
                    left = left.saturating_sub(received);
                    assets.extend(told);
                }
            }
            _ => return Err(broken("the form takes the fields subject, kind and file")),
        }
    }
    if target.is_none() {
        return Err(broken("there is no file in it"));
    }
    Ok(assets)
}

/// Those who listen hear of an archive as a job.
fn as_job(state: &AppState, batch: BatchId, place: Place) -> Tell {
    let (studio, job) = (state.studio.clone(), OnceLock::new());
    Arc::new(move |step| match step {
        Step::Files(files) => _ = job.set(studio.job(batch, place.clone(), files)),
        Step::Done => _ = job.get().map(Job::step),
    })
}

/// Takes one file in, or those of an archive; what became of it, and how many bytes it had. No more than `left` can come.
async fn take(
    intake: &Intake,
    target: &Target,
    name: String,
    left: u64,
    mut field: Field<'_>,
    tell: Tell,
) -> Result<(Vec<Told>, u64), Problem> {
    let said = field.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let mut incoming = refusing(intake.open(said.map_or(Length::AtMost(left), Length::Said)).await)?;
    let mut received = 0;
    // A refused file is read to its end all the same: those behind it may be fine.
    while let Some(piece) = field.chunk().await.map_err(|error| unread(&error))? {
        received += piece.len() as u64;
        incoming = match incoming {
            Ok(incoming) => refusing(incoming.write(&piece).await.map_err(IntakeError::from))?,
            refused => refused,
        };
    }
    let told = match incoming {
        Ok(incoming) => intake.take_all(target, name, incoming, tell).await?,
        Err(reason) => vec![Fate::Refused { reason }.told(name)],
    };
    Ok((told, received))
}

/// The reason, where the file alone is at fault.
fn refusing<T>(outcome: Result<T, IntakeError>) -> Result<Result<T, String>, IntakeError> {
    match outcome {
        Ok(done) => Ok(Ok(done)),
        Err(IntakeError::Incoming(error)) if error.refuses() => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

async fn word<T: std::str::FromStr<Err: std::fmt::Display>>(field: Field<'_>) -> Result<T, Problem> {
    text(field).await?.parse().map_err(|error: T::Err| Problem::invalid(error.to_string()))
}

impl From<IntakeError> for Problem {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::Busy { retry_after } => {
                Self::unavailable("The server has no memory to spare for this file right now.", retry_after.as_secs())
            }
            IntakeError::QuarantineFull => Self::unavailable(
                "The scanner does not answer, and no more files can be held back until it does.",
                QUARANTINE_PAUSE,
            ),
            other => {
                tracing::error!(error = %other, "an upload could not be taken in");
                Self::internal()
            }
        }
    }
}
