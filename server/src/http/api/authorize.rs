//! The decision alone, for a proxy that has the pictures in its own hands and asks here about each request: nginx
//! `auth_request`, and the forward-auth of Caddy and Traefik.
//!
//! It must allow nothing but reading one picture at its exact address, and answers a proxy in the three words that it
//! knows: 2xx, 401, 403.

use app::model::{AssetId, Refusal};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header::CACHE_CONTROL};

use crate::http::{media_route, problem::Problem, request::Asker, state::AppState};

/// What nginx is told to send, and what the forward-auth of others sends by itself.
const ADDRESSES: [&str; 2] = ["x-original-uri", "x-forwarded-uri"];
const METHODS: [&str; 2] = ["x-original-method", "x-forwarded-method"];
/// Names the original, so that the proxy can find its file by the hash.
const SHA256: HeaderName = HeaderName::from_static("x-avatars-sha256");

/// Whether the caller may read the picture at the address that the header `X-Original-URI` or `X-Forwarded-Uri` names.
#[utoipa::path(get, path = "/api/authorize", tag = "media", responses(
    (status = 204, description = "Yes; `X-Avatars-Sha256` names the original"),
    (status = 401, description = "Nobody is signed in"), (status = 403, description = "No, or no such picture")))]
pub(crate) async fn authorize_media(
    State(state): State<AppState>,
    Asker(mut caller): Asker,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (id, address) = asked(&headers).ok_or(Refusal::Forbidden)?;
    address.clone_into(&mut caller.uri);
    let source = match state.studio.media(&caller, id).await {
        Ok(source) => source,
        Err(Refusal::NotFound { .. }) => return Err(Refusal::Forbidden.into()),
        Err(refusal) => return Err(refusal.into()),
    };
    let mut response = StatusCode::NO_CONTENT.into_response();
    let answer = response.headers_mut();
    answer.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(sha256) = HeaderValue::from_str(&source.sha256.to_string()) {
        answer.insert(SHA256, sha256);
    }
    Ok(response)
}

/// The picture and the address asked about. A proxy sets one of the headers and passes on what its client sent as the
/// other: where they are not the same, one of them is a lie.
fn asked(headers: &HeaderMap) -> Option<(AssetId, &str)> {
    let address = only(headers, ADDRESSES).ok()??;
    let method = only(headers, METHODS).ok()?.unwrap_or("GET");
    let path = address.split_once('?').map_or(address, |(path, _)| path);
    media_route::classify(&Method::from_bytes(method.as_bytes()).ok()?, path)?;
    let id = path.split('/').nth(3)?.parse().ok()?;
    Some((id, address))
}

struct Contradiction;

/// The one value that all headers of these names have.
fn only<'a>(headers: &'a HeaderMap, names: [&str; 2]) -> Result<Option<&'a str>, Contradiction> {
    let mut values = names.iter().flat_map(|name| headers.get_all(*name)).map(HeaderValue::to_str);
    let Some(first) = values.next() else { return Ok(None) };
    let first = first.map_err(|_| Contradiction)?;
    if values.all(|other| other.is_ok_and(|other| other == first)) { Ok(Some(first)) } else { Err(Contradiction) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193a6c8-7e0b-7000-8000-000000000001";

    fn allowed(headers: &[(&'static str, &str)]) -> bool {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
            .collect();
        asked(&headers).is_some_and(|(id, _)| id == ID.parse().unwrap())
    }

    #[test]
    fn a_picture_is_named_by_either_header() {
        let address = format!("/api/assets/{ID}/thumbnail?retry=1");
        assert!(allowed(&[("x-original-uri", &address)]));
        assert!(allowed(&[("x-forwarded-uri", &address), ("x-forwarded-method", "HEAD")]));
        assert!(!allowed(&[]));
    }

    #[test]
    fn what_is_not_reading_one_picture_at_its_exact_address_is_refused() {
        for address in [
            format!("/api/assets/{ID}/decision"),
            format!("/api/assets/{ID}/../{ID}/file"),
            format!("/api/assets/x/{ID}/file"),
            format!("//api/assets/{ID}/file"),
            "/api/assets/nobody/file".to_owned(),
            "/".to_owned(),
        ] {
            assert!(!allowed(&[("x-original-uri", &address)]), "{address}");
        }
        let address = format!("/api/assets/{ID}/file");
        assert!(!allowed(&[("x-original-uri", &address), ("x-original-method", "PUT")]));
    }

    #[test]
    fn a_client_that_adds_the_header_its_proxy_does_not_set_gains_nothing() {
        let address = format!("/api/assets/{ID}/file");
        let other = address.replace("0001", "0002");
        assert!(allowed(&[("x-original-uri", &address), ("x-forwarded-uri", &address)]));
        assert!(!allowed(&[("x-original-uri", &address), ("x-forwarded-uri", &other)]));
        assert!(!allowed(&[
            ("x-forwarded-uri", &address),
            ("x-forwarded-method", "GET"),
            ("x-original-method", "PUT")
        ]));
    }
}
