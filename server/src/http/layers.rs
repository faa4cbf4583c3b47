//! What every request passes through, from the outside in.
//!
//! 1. Media admission: nothing may be asked, read or rendered for a picture before it holds a slot.
//! 2. Request id: everything further in, the log above all, names it.
//! 3. Trace: one line for each answer, with its status and time.
//! 4. Panics become a 500, inside the trace so that they are logged as one.
//! 5. Security headers, on errors as well.
//! 6. Same origin: a state-changing request from another site is refused before any handler sees it.

use std::{any::Any, time::Duration};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
};
use http::{
    HeaderName, HeaderValue, StatusCode,
    header::{REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS},
};
use tower_http::{
    catch_panic::CatchPanicLayer,
    csrf::{CsrfLayer, ProtectionError},
    request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    set_header::SetResponseHeaderLayer,
    trace::TraceLayer,
};
use tracing::{Span, field::Empty};
use uuid::Uuid;

use super::{problem::Problem, state::AppState};
use crate::config::ConfigError;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// All layers but the admission, which [`super::router`] puts around the whole.
///
/// # Errors
/// A public address that is no origin.
pub(crate) fn around(router: Router, state: &AppState) -> Result<Router, ConfigError> {
    let router = router
        .layer(same_origin(state.public_url.as_deref())?)
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(REFERRER_POLICY, "same-origin"))
        .layer(header(X_FRAME_OPTIONS, "DENY"))
        .layer(header(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
        .layer(header(HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .layer(CatchPanicLayer::custom(on_panic))
        .layer(TraceLayer::new_for_http().make_span_with(span).on_request(()).on_response(on_response))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(SetRequestIdLayer::new(REQUEST_ID, NewRequestId));
    Ok(router)
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

type SameOrigin = CsrfLayer<fn(ProtectionError) -> Response>;

fn same_origin(public_url: Option<&str>) -> Result<SameOrigin, ConfigError> {
    let refuse: fn(ProtectionError) -> Response = |_| {
        Problem::new(
            StatusCode::FORBIDDEN,
            "cross-origin",
            "Asked from another site",
            "This changes something, and it was asked from another site. Open the studio itself and try again.",
        )
        .into_response()
    };
    let layer = CsrfLayer::new().with_rejection_response(refuse);
    match public_url.map(|url| url.trim_end_matches('/')) {
        None => Ok(layer),
        Some(origin) => layer.add_trusted_origin(origin).map_err(|error| {
            ConfigError::Together(format!("AVATARS_PUBLIC_URL: \"{origin}\" is not an origin: {error}"))
        }),
    }
}

#[derive(Clone, Copy)]
struct NewRequestId;

impl MakeRequestId for NewRequestId {
    fn make_request_id<B>(&mut self, _: &http::Request<B>) -> Option<RequestId> {
        HeaderValue::from_str(&Uuid::now_v7().to_string()).ok().map(RequestId::new)
    }
}

/// Neither query nor headers: a search could hold a name, a header a token.
fn span(request: &Request) -> Span {
    let id = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", method = %request.method(), path = request.uri().path(), id, status = Empty)
}

fn on_response(response: &Response, latency: Duration, span: &Span) {
    span.record("status", response.status().as_u16());
    let milliseconds = latency.as_secs_f64() * 1000.0;
    if response.status().is_server_error() && response.status() != StatusCode::SERVICE_UNAVAILABLE {
        tracing::error!(milliseconds, "answered");
    } else {
        tracing::debug!(milliseconds, "answered");
    }
}

fn on_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    tracing::error!(message = message.unwrap_or("of another type"), "a handler panicked");
    Problem::internal().into_response()
}
