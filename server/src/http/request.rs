//! What a request says: who asks, and its body, path and query with refusals as problem documents.

use std::{convert::Infallible, net::SocketAddr};

use app::{site::SessionCookie, studio::Caller};
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts};
use http::{
    HeaderMap,
    header::{AUTHORIZATION, COOKIE},
    request::Parts,
};
use tower_http::request_id::RequestId;

use super::problem::Problem;

/// Who asks. A claim only: each method of the studio checks it.
pub(crate) struct Asker(pub(crate) Caller);

impl<S: Sync> FromRequestParts<S> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(caller(parts)))
    }
}

/// Reads the caller's claims from a request's head.
pub(crate) fn caller(parts: &Parts) -> Caller {
    Caller {
        session: session_cookie(&parts.headers).map(str::to_owned),
        token: bearer_token(&parts.headers).map(str::to_owned),
        address: parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip()),
        headers: parts.headers.clone(),
        method: parts.method.clone(),
        uri: parts.uri.to_string(),
        request_id: request_id(parts),
    }
}

/// The session cookie's value.
pub(crate) fn session_cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == SessionCookie::NAME && !value.is_empty()).then_some(value))
}

/// The token of an `Authorization: Bearer …` header; the scheme's case does not matter (RFC 9110, 11.1).
pub(crate) fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}

fn request_id(parts: &Parts) -> String {
    let id = parts.extensions.get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    id.unwrap_or_default().to_owned()
}

/// A JSON body.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(crate) struct Json<T>(pub(crate) T);

/// The segments of the path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub(crate) struct Path<T>(pub(crate) T);

/// The query.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(crate) struct Query<T>(pub(crate) T);

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(name: http::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn the_session_is_found_among_other_cookies() {
        assert_eq!(session_cookie(&headers(COOKIE, "a=1; avatars_session=abc; b=2")), Some("abc"));
        assert_eq!(session_cookie(&headers(COOKIE, "not_avatars_session=abc")), None);
        assert_eq!(session_cookie(&headers(COOKIE, "avatars_session=")), None);
    }

    #[test]
    fn a_bearer_token_is_read_whatever_the_case_of_its_scheme() {
        assert_eq!(bearer_token(&headers(AUTHORIZATION, "bearer abc")), Some("abc"));
        assert_eq!(bearer_token(&headers(AUTHORIZATION, "Basic abc")), None);
        assert_eq!(bearer_token(&headers(AUTHORIZATION, "Bearer ")), None);
    }
}
