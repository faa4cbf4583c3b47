//! How a page gets what it shows: asked of the studio while rendering, and a refusal becomes a status and a page.

use std::{future::Future, sync::Arc};

use http::{HeaderValue, StatusCode, header, request::Parts};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{
    actions::context,
    model::Refusal,
    pages::{problem::Problem, sign_in},
    studio::{Caller, Studio},
};

/// Renders what `load` gives, or the refusal in its place.
pub(super) fn page<L, F, V>(load: L) -> impl IntoView
where
    L: Fn(Arc<dyn Studio>, Caller) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Result<V, Refusal>> + Send + 'static,
    V: IntoView + 'static,
{
    let render = move || {
        let load = load.clone();
        Suspend::new(async move {
            let found = match context() {
                Ok((studio, caller)) => load(studio, caller).await,
                Err(refusal) => Err(refusal),
            };
            found.map_or_else(refused, IntoAny::into_any)
        })
    };
    view! { <Suspense>{render}</Suspense> }
}

/// Sets the answer's status and headers, and gives the page that says why.
fn refused(refusal: Refusal) -> AnyView {
    if let Some(options) = use_context::<ResponseOptions>() {
        if refusal == Refusal::SignedOut {
            let next = use_context::<Parts>().and_then(|parts| Some(parts.uri.path_and_query()?.as_str().to_owned()));
            if let Ok(path) = HeaderValue::from_str(&sign_in::address(&next.unwrap_or_default(), None)) {
                options.insert_header(header::LOCATION, path);
                options.set_status(StatusCode::SEE_OTHER);
            }
        } else {
            options.set_status(refusal.status());
        }
        if let Some(seconds) = refusal.retry_after() {
            options.insert_header(header::RETRY_AFTER, seconds.into());
        }
    }
    view! { <Problem refusal /> }.into_any()
}
