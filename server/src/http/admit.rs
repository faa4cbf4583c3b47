//! How the admission room meets HTTP: which requests are media, whose share they draw on, and how a refusal is told.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    net::SocketAddr,
};

use axum::{
    body::Body,
    extract::{ConnectInfo, FromRequestParts},
    response::{IntoResponse as _, Response},
};
use http::request::Parts;

use super::{
    media_route::classify,
    problem::Problem,
    request::{bearer_token, session_cookie},
};
use crate::admission::{Admitted, MediaAdmissionLayer, Refusal, Slots, Ticket};

type Layer = MediaAdmissionLayer<fn(&Parts) -> Option<Ticket>, fn(Refusal) -> Response<Body>>;

/// The layer around the whole router.
pub(crate) fn layer(slots: Slots) -> Layer {
    MediaAdmissionLayer::new(slots, ticket, refuse)
}

fn ticket(parts: &Parts) -> Option<Ticket> {
    let route = classify(&parts.method, parts.uri.path())?;
    Some(Ticket { class: route.class(), party: party(parts) })
}

/// Whoever shares one share of the queue: a session, a token, or else an address. Unchecked, since nothing may be asked
/// before admission: an invented session gains a share of its own, but spends it on a refusal.
fn party(parts: &Parts) -> u64 {
    let mut hasher = DefaultHasher::new();
    match (session_cookie(&parts.headers), bearer_token(&parts.headers)) {
        (Some(session), _) => session.hash(&mut hasher),
        (None, Some(token)) => token.hash(&mut hasher),
        (None, None) => parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip()).hash(&mut hasher),
    }
    hasher.finish()
}

fn refuse(refusal: Refusal) -> Response<Body> {
    let detail = match refusal {
        Refusal::Full { .. } => "Too many pictures are being asked for right now.",
        Refusal::TimedOut { .. } => "No place came free for this picture in time.",
    };
    Problem::unavailable(detail, refusal.retry_after().as_secs()).into_response()
}

/// Proof that a request holds a media slot. An address that is spelt so that the admission did not know it for media
/// (an escaped letter in a preset) names nothing.
pub(super) struct Slot;

impl<S: Sync> FromRequestParts<S> for Slot {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Admitted>().map(|_| Self).ok_or_else(Problem::not_found)
    }
}
