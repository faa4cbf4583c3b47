//! What sets a form's browser apart from a script that reads the answer: it is sent on, and has no eyes for a status.

use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT, LOCATION},
    request::Parts,
};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

/// Whether a person's browser posted a form.
pub(super) fn is_form() -> bool {
    use_context::<Parts>()
        .and_then(|parts| Some(parts.headers.get(ACCEPT)?.to_str().ok()?.contains("text/html")))
        .unwrap_or(false)
}

/// Sends a form's browser on with a GET.
pub(super) fn go(path: &str) {
    if !is_form() {
        return;
    }
    if let (Some(options), Ok(path)) = (use_context::<ResponseOptions>(), HeaderValue::from_str(path)) {
        options.insert_header(LOCATION, path);
        options.set_status(StatusCode::SEE_OTHER);
    }
}
