//! The media routes. They run while a media slot is held: authorization, the database read, rendering and the body
//! all happen inside it, and the body carries it away.
//!
//! Nothing here may name generation: looking at a picture never makes one.

mod representation;

use app::{
    model::{AssetId, Refusal},
    studio::Caller,
};
use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn},
    response::Response,
    routing::get,
};
use http::{HeaderMap, HeaderValue, header::COOKIE};
use tokio::fs::File;

use self::representation::{Content, Representation, answer, describe, tag, unchanged};
use super::{
    admit::Slot,
    problem::Problem,
    range::Span,
    request::{Asker, Path},
    state::AppState,
};
use crate::{
    pictures::{Export, Recipe, RenderError, Rendition, Source},
    store::MediaSource,
};

/// The same routes for services: only a bearer token opens them, a cookie never does.
pub(crate) fn internal() -> Router<AppState> {
    Router::new()
        .route("/assets/{id}/file", get(file))
        .route("/assets/{id}/thumbnail", get(thumbnail))
        .route("/assets/{id}/preview", get(preview))
        .route("/assets/{id}/poster", get(poster))
        .route("/assets/{id}/export/{preset}", get(export))
        .layer(from_fn(without_cookies))
}

async fn without_cookies(mut request: Request, next: Next) -> Response {
    request.headers_mut().remove(COOKIE);
    next.run(request).await
}

/// The original, untouched; takes `Range`.
#[utoipa::path(get, path = "/api/assets/{id}/file", tag = "media", params(("id" = String, Path)), responses(
    (status = 200, description = "The original's bytes"), (status = 206, description = "The range asked for"),
    (status = 416, description = "No such range"), (status = 503, description = "No media slot came free in time")))]
pub(crate) async fn file(
    State(state): State<AppState>,
    Asker(caller): Asker,
    _: Slot,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let source = authorize(&state, &caller, &id).await?;
    original(&state, &headers, &source).await
}

async fn original(state: &AppState, headers: &HeaderMap, source: &MediaSource) -> Result<Response, Problem> {
    let etag = tag(state, source, "file");
    if let Some(answer) = unchanged(headers, etag.as_ref()) {
        return Ok(answer);
    }
    let file = File::open(state.originals.path(source.sha256)).await.map_err(|error| {
        tracing::error!(sha256 = %source.sha256, %error, "an original cannot be opened");
        Problem::internal()
    })?;
    let span = Span::asked(headers, source.bytes, etag.as_ref());
    let content = Content::File(file);
    answer(state, span, Representation { mime: &source.mime, bytes: source.bytes, etag, content }).await
}

/// WebP of at most 440 pixels on the longer side: upright, sRGB, alpha kept, never enlarged.
#[utoipa::path(get, path = "/api/assets/{id}/thumbnail", tag = "media", params(("id" = String, Path)), responses(
    (status = 200, description = "The thumbnail"), (status = 503, description = "No media slot came free in time")))]
pub(crate) async fn thumbnail(
    State(state): State<AppState>,
    Asker(caller): Asker,
    _: Slot,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let source = authorize(&state, &caller, &id).await?;
    rendition(&state, &headers, &source, &Recipe::THUMBNAIL).await
}

/// WebP of at most 1600 pixels on the longer side.
#[utoipa::path(get, path = "/api/assets/{id}/preview", tag = "media", params(("id" = String, Path)), responses(
    (status = 200, description = "The preview"), (status = 503, description = "No media slot came free in time")))]
pub(crate) async fn preview(
    State(state): State<AppState>,
    Asker(caller): Asker,
    _: Slot,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let source = authorize(&state, &caller, &id).await?;
    rendition(&state, &headers, &source, &Recipe::PREVIEW).await
}

/// A picture of what moves: an animation's first frame, or one from the beginning of a video. Takes `Range`.
#[utoipa::path(get, path = "/api/assets/{id}/poster", tag = "media", params(("id" = String, Path)), responses(
    (status = 200, description = "The poster, a WebP"), (status = 206, description = "The range asked for"),
    (status = 404, description = "Nothing that moves")))]
pub(crate) async fn poster(
    State(state): State<AppState>,
    Asker(caller): Asker,
    _: Slot,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let source = authorize(&state, &caller, &id).await?;
    if !source.animated {
        return Err(Problem::not_found());
    }
    let recipe = Recipe::PREVIEW;
    let etag = tag(&state, &source, &recipe.folder());
    if let Some(answer) = unchanged(&headers, etag.as_ref()) {
        return Ok(answer);
    }
    let made = render(&state, &source, &recipe, etag.clone()).await?;
    answer(&state, Span::asked(&headers, made.bytes, etag.as_ref()), made).await
}

/// The picture as a preset makes it, or untouched where the preset says so; an unknown preset is 404.
#[utoipa::path(get, path = "/api/assets/{id}/export/{preset}", tag = "media",
    params(("id" = String, Path), ("preset" = String, Path)), responses(
    (status = 200, description = "The export"), (status = 404, description = "No such asset or preset")))]
pub(crate) async fn export(
    State(state): State<AppState>,
    Asker(caller): Asker,
    _: Slot,
    Path((id, preset)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let source = authorize(&state, &caller, &id).await?;
    match state.presets.get(&preset) {
        Some(Export::Made(recipe)) => rendition(&state, &headers, &source, recipe).await,
        Some(Export::Original) => original(&state, &headers, &source).await,
        None => Err(Problem::not_found()),
    }
}

/// One live check, once the slot is held; an id that cannot be one is told only to those who are signed in.
async fn authorize(state: &AppState, caller: &Caller, id: &str) -> Result<MediaSource, Refusal> {
    match id.parse::<AssetId>() {
        Ok(id) => state.studio.media(caller, id).await,
        Err(_) => {
            state.studio.principal(caller).await?;
            Err(Refusal::NotFound { what: "picture".to_owned() })
        }
    }
}

async fn rendition(
    state: &AppState,
    headers: &HeaderMap,
    source: &MediaSource,
    recipe: &Recipe,
) -> Result<Response, Problem> {
    let etag = tag(state, source, &recipe.folder());
    if let Some(answer) = unchanged(headers, etag.as_ref()) {
        return Ok(answer);
    }
    let made = render(state, source, recipe, etag).await?;
    let Representation { mime, bytes, etag, content } = made;
    let mut response = Response::new(content.whole());
    describe(state, &mut response, mime, bytes, etag);
    Ok(response)
}

async fn render<'a>(
    state: &AppState,
    source: &MediaSource,
    recipe: &'a Recipe,
    etag: Option<HeaderValue>,
) -> Result<Representation<'a>, Problem> {
    let original = Source { sha256: source.sha256.into(), path: state.originals.path(source.sha256) };
    let rendition = state.renditions.get(&original, recipe).await?;
    let bytes = rendition.length();
    let content = match rendition {
        Rendition::Memory(content) => Content::Memory(content),
        Rendition::File { file, .. } => Content::File(File::from_std(file)),
    };
    Ok(Representation { mime: recipe.mime(), bytes, etag, content })
}

impl From<RenderError> for Problem {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Busy { retry_after } => {
                Self::unavailable("The server is busy rendering other pictures.", retry_after.as_secs())
            }
            RenderError::Interrupted => Self::unavailable("The server is stopping.", 5),
            error => {
                tracing::error!(%error, "a picture cannot be rendered");
                Self::internal()
            }
        }
    }
}
