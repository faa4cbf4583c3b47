//! How media is sent: whole or in part, with what its headers say of it.

use std::io::{self, SeekFrom};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{
        ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    },
};
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncSeekExt as _},
};
use tokio_util::io::ReaderStream;

use crate::{
    config::MediaCache,
    http::{etag, problem::Problem, range::Span, state::AppState},
    store::MediaSource,
};

/// How much of an original is read at a time: what one slot holds in memory while it streams.
const CHUNK: usize = 64 << 10;

/// Even a picture that turns out to be a page runs nothing and loads nothing.
const SANDBOX: HeaderValue = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// What is about to be sent.
pub(super) struct Representation<'a> {
    pub(super) mime: &'a str,
    pub(super) bytes: u64,
    pub(super) etag: Option<HeaderValue>,
    pub(super) content: Content,
}

/// A file is at its beginning.
pub(super) enum Content {
    Memory(Bytes),
    File(File),
}

impl Content {
    pub(super) fn whole(self) -> Body {
        match self {
            Self::Memory(content) => Body::from(content),
            Self::File(file) => Body::from_stream(ReaderStream::with_capacity(file, CHUNK)),
        }
    }

    /// So many bytes from the `first` on.
    async fn part(self, first: u64, bytes: u64) -> io::Result<Body> {
        match self {
            Self::Memory(content) => {
                let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(content.len());
                Ok(Body::from(content.slice(place(first)..place(first.saturating_add(bytes)))))
            }
            Self::File(mut file) => {
                file.seek(SeekFrom::Start(first)).await?;
                Ok(Body::from_stream(ReaderStream::with_capacity(file.take(bytes), CHUNK)))
            }
        }
    }
}

/// Sends the part that was asked for of what takes `Range`.
pub(super) async fn answer(state: &AppState, span: Span, made: Representation<'_>) -> Result<Response, Problem> {
    let Representation { mime, bytes, etag, content } = made;
    let (status, range, first) = match span {
        Span::Outside => {
            let problem =
                Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "no-such-range", "No such range", "Ask within it.");
            let mut response = problem.into_response();
            set(&mut response, CONTENT_RANGE, &format!("bytes */{bytes}"));
            return Ok(response);
        }
        Span::Whole => (StatusCode::OK, None, 0),
        Span::Part { first, last } => {
            (StatusCode::PARTIAL_CONTENT, Some(format!("bytes {first}-{last}/{bytes}")), first)
        }
    };
    let length = span.bytes(bytes);
    let body = content.part(first, length).await.map_err(|error| {
        tracing::error!(%error, "a file cannot be read from its middle");
        Problem::internal()
    })?;
    let mut response = (status, body).into_response();
    if let Some(range) = range {
        set(&mut response, CONTENT_RANGE, &range);
    }
    response.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    describe(state, &mut response, mime, length, etag);
    Ok(response)
}

pub(super) fn tag(state: &AppState, source: &MediaSource, rendition: &str) -> Option<HeaderValue> {
    match state.media_cache {
        MediaCache::NoStore => None,
        MediaCache::Revalidate => etag::of(&source.sha256.to_string(), rendition),
    }
}

/// 304 where the client has it already. Only ever asked after the authority has said yes.
pub(super) fn unchanged(headers: &HeaderMap, etag: Option<&HeaderValue>) -> Option<Response> {
    let etag = etag.filter(|etag| etag::matches(headers, etag))?;
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    let headers = response.headers_mut();
    headers.insert(ETAG, etag.clone());
    headers.insert(CACHE_CONTROL, cache_control(MediaCache::Revalidate));
    Some(response)
}

pub(super) fn describe(state: &AppState, response: &mut Response, mime: &str, length: u64, etag: Option<HeaderValue>) {
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
