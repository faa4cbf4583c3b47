//! Signing in and out by a plain form: cookies and the way onwards. It works without scripts.

use http::{HeaderValue, header::SET_COOKIE};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

use super::{
    answer, context,
    form::{go, is_form},
};
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
