//! The media routes. They run while a media slot is held: authorization, the database read, rendering and the body
//! all happen inside it, and the body carries it away.
//!
//! Nothing here may name generation: looking at a picture never makes one.

use std::io::SeekFrom;

use app::{
    model::{AssetId, Refusal},
    studio::Caller,
};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{
        ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE,
        ETAG,
    },
};
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncSeekExt as _},
};
use tokio_util::io::ReaderStream;

use super::{
    admit::Slot,
    etag,
    problem::Problem,
    range::Span,
    request::{Asker, Path},
    state::AppState,
};
use crate::{
    config::MediaCache,
    pictures::{Recipe, RenderError, Rendition, Source},
    store::MediaSource,
};

/// How much of an original is read at a time: what one slot holds in memory while it streams.
const CHUNK: usize = 64 << 10;

/// Even a picture that turns out to be a page runs nothing and loads nothing.
const SANDBOX: HeaderValue = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

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
    let etag = tag(&state, &source, "file");
    if let Some(answer) = unchanged(&headers, etag.as_ref()) {
        return Ok(answer);
    }
    let span = Span::asked(&headers, source.bytes, etag.as_ref());
    let mut response = match span {
        Span::Outside => {
            let problem =
                Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "no-such-range", "No such range", "Ask within it.");
            let mut response = problem.into_response();
            set(&mut response, CONTENT_RANGE, &format!("bytes */{}", source.bytes));
            return Ok(response);
        }
        Span::Whole => stream(&state, &source, 0, source.bytes).await?.into_response(),
        Span::Part { first, last } => {
            let body = stream(&state, &source, first, span.bytes(source.bytes)).await?;
            let mut response = (StatusCode::PARTIAL_CONTENT, body).into_response();
            set(&mut response, CONTENT_RANGE, &format!("bytes {first}-{last}/{}", source.bytes));
            response
        }
    };
    response.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    describe(&state, &mut response, &source.mime, span.bytes(source.bytes), etag);
    Ok(response)
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

/// The first frame of an animated picture; what does not move has none.
#[utoipa::path(get, path = "/api/assets/{id}/poster", tag = "media", params(("id" = String, Path)), responses(
    (status = 200, description = "The poster"), (status = 404, description = "Nothing that moves")))]
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
    rendition(&state, &headers, &source, &Recipe::PREVIEW).await
}

/// The picture as a preset makes it; an unknown preset is 404.
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
    let recipe = Recipe::preset(&preset).ok_or_else(Problem::not_found)?;
    rendition(&state, &headers, &source, &recipe).await
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
    let original = Source { sha256: source.sha256.into(), path: state.originals.path(source.sha256) };
    let rendition = state.renditions.get(&original, recipe).await?;
    let length = rendition.length();
    let body = match rendition {
        Rendition::Memory(bytes) => Body::from(bytes),
        Rendition::File { file, .. } => Body::from_stream(ReaderStream::with_capacity(File::from_std(file), CHUNK)),
    };
    let mut response = body.into_response();
    describe(state, &mut response, recipe.mime(), length, etag);
    Ok(response)
}

async fn stream(state: &AppState, source: &MediaSource, first: u64, length: u64) -> Result<Body, Problem> {
    let opened = async {
        let mut file = File::open(state.originals.path(source.sha256)).await?;
        file.seek(SeekFrom::Start(first)).await?;
        Ok::<_, std::io::Error>(file)
    };
    let file = opened.await.map_err(|error| {
        tracing::error!(sha256 = %source.sha256, %error, "an original cannot be opened");
        Problem::internal()
    })?;
    Ok(Body::from_stream(ReaderStream::with_capacity(file.take(length), CHUNK)))
}

fn tag(state: &AppState, source: &MediaSource, rendition: &str) -> Option<HeaderValue> {
    match state.media_cache {
        MediaCache::NoStore => None,
        MediaCache::Revalidate => etag::of(&source.sha256.to_string(), rendition),
    }
}

/// 304 where the client has it already. Only ever asked after the authority has said yes.
fn unchanged(headers: &HeaderMap, etag: Option<&HeaderValue>) -> Option<Response> {
    let etag = etag.filter(|etag| etag::matches(headers, etag))?;
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    let headers = response.headers_mut();
    headers.insert(ETAG, etag.clone());
    headers.insert(CACHE_CONTROL, cache_control(MediaCache::Revalidate));
    Some(response)
}

fn describe(state: &AppState, response: &mut Response, mime: &str, length: u64, etag: Option<HeaderValue>) {
    set(response, CONTENT_TYPE, mime);
    let headers = response.headers_mut();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    headers.insert(CONTENT_SECURITY_POLICY, SANDBOX);
    headers.insert(CACHE_CONTROL, cache_control(state.media_cache));
    if let Some(etag) = etag {
        headers.insert(ETAG, etag);
    }
}

const fn cache_control(cache: MediaCache) -> HeaderValue {
    match cache {
        MediaCache::NoStore => HeaderValue::from_static("private, no-store"),
        MediaCache::Revalidate => HeaderValue::from_static("private, no-cache"),
    }
}

/// For values made of our own words and numbers, which always are header values.
fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
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
