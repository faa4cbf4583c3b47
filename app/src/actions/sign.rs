//! Signing in and out by a plain form: cookies and the way onwards. It works without scripts.

use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT, LOCATION, SET_COOKIE},
    request::Parts,
};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

use super::{answer, context};
use crate::{
    model::Refusal,
    pages::sign_in::{Why, address, local},
    site::SessionCookie,
};

pub(super) async fn sign_in(name: &str, password: &str, next: &str) -> Result<(), Refusal> {
    let (studio, caller) = context()?;
    match studio.sign_in(&caller, name, password).await {
        Ok(session) => {
            cookie(|cookie| cookie.set(&session));
            go(local(next));
            Ok(())
        }
        // A form has no eyes for a status: the page says why, and the way onwards is kept.
        Err(refusal) if is_form() => {
            go(&address(next, Some(Why::of(&refusal))));
            Ok(())
        }
        Err(refusal) => answer(Err(refusal)),
    }
}

pub(super) async fn sign_out() -> Result<(), Refusal> {
    let (studio, caller) = context()?;
    answer(studio.sign_out(&caller).await)?;
    cookie(SessionCookie::clear);
    go(&address("", None));
    Ok(())
}

fn cookie(line: impl FnOnce(&SessionCookie) -> String) {
    let (Some(options), Some(cookie)) = (use_context::<ResponseOptions>(), use_context::<SessionCookie>()) else {
        return;
    };
    if let Ok(line) = HeaderValue::from_str(&line(&cookie)) {
        options.append_header(SET_COOKIE, line);
    }
}

/// Whether a person's browser posted a form, as opposed to a script that reads the answer.
fn is_form() -> bool {
    use_context::<Parts>()
        .and_then(|parts| Some(parts.headers.get(ACCEPT)?.to_str().ok()?.contains("text/html")))
        .unwrap_or(false)
}

/// Sends a form's browser on with a GET.
fn go(path: &str) {
    if !is_form() {
        return;
    }
    if let (Some(options), Ok(path)) = (use_context::<ResponseOptions>(), HeaderValue::from_str(path)) {
        options.insert_header(LOCATION, path);
        options.set_status(StatusCode::SEE_OTHER);
    }
}
