//! The browser half's files: WASM, JavaScript, style. A release build carries them inside; a debug build reads the
//! folder that the site builder writes.

use std::borrow::Cow;

use app::site::SiteFiles;
use axum::{
    body::Body,
    extract::Path,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
};
use rust_embed::RustEmbed;
use serde::Deserialize;

use super::problem::Problem;

#[derive(RustEmbed)]
#[folder = "../target/site"]
#[allow_missing = true]
struct Site;

/// The hashed addresses that the site builder recorded.
#[derive(Deserialize)]
struct Manifest {
    css: String,
    js: String,
    wasm: String,
}

/// Where a page finds its style and scripts; `None` where the site has not been built.
pub(crate) fn files() -> Option<SiteFiles> {
    let manifest: Manifest = serde_json::from_slice(&Site::get("manifest.json")?.data).ok()?;
    let address = |path: String| format!("/{path}").into();
    Some(SiteFiles { css: address(manifest.css), js: address(manifest.js), wasm: address(manifest.wasm) })
}

/// A file with a hash in its name: it never changes, so it is kept for a year.
pub(crate) async fn package_file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    serve(&format!("pkg/{name}"), &headers, HeaderValue::from_static("public, max-age=31536000, immutable"))
}

/// The icon that browsers ask for by themselves.
pub(crate) async fn favicon(headers: HeaderMap) -> Response {
    serve("favicon.svg", &headers, HeaderValue::from_static("public, max-age=86400"))
}

fn serve(path: &str, headers: &HeaderMap, cache: HeaderValue) -> Response {
    // The compressed variants are reached by negotiation alone: under their own names they would be of no known type.
    let Some(mime) = content_type(path) else { return Problem::not_found().into_response() };
    let Some((data, encoding)) = negotiate(path, headers) else { return Problem::not_found().into_response() };
    let body = match data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    headers.insert(CACHE_CONTROL, cache);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// The smallest variant that the client takes.
fn negotiate(path: &str, headers: &HeaderMap) -> Option<(Cow<'static, [u8]>, Option<&'static str>)> {
    let accepts = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let compressed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(encoding, _)| accepted(accepts, encoding))
        .find_map(|(encoding, ending)| Some((Site::get(&format!("{path}.{ending}"))?.data, Some(encoding))));
    compressed.or_else(|| Some((Site::get(path)?.data, None)))
}

fn accepted(accepts: &str, encoding: &str) -> bool {
    accepts.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        name.trim().eq_ignore_ascii_case(encoding) && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_that_is_refused_outright_is_not_accepted() {
        assert!(accepted("gzip, deflate, br;q=0.9", "br"));
        assert!(!accepted("gzip, br;q=0", "br"));
        assert!(!accepted("brotli", "br"));
    }
}
