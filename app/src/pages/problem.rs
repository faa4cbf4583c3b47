//! The page that says what went wrong and what to do next.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::model::Refusal;

#[component]
pub(crate) fn Problem(refusal: Refusal) -> impl IntoView {
    let title = match &refusal {
        Refusal::NotFound { .. } => "Not here",
        Refusal::Forbidden => "Not for this account",
        Refusal::Unavailable { .. } | Refusal::TooManyTries { .. } => "One moment",
        Refusal::SignedOut => "Please sign in",
        _ => "Something went wrong",
    };
    let way = match &refusal {
        Refusal::Forbidden => "If that is not right, sign in with another account or ask an admin for a grant.",
        Refusal::Internal { .. } => "Trying again may help. If it does not, an admin can find the request in the log.",
        _ => "",
    };
    view! {
        <Title text=title />
        <main class="calm" id="main">
            <div class="calm-sheet">
                <p class="status">{refusal.status().as_u16()}</p>
                <h1>{title}</h1>
                <p>{refusal.to_string()}</p>
                <p class="muted">{way}</p>
                <a class="button" href="/batches">
                    "To the batches"
                </a>
            </div>
        </main>
    }
}

/// For an address that leads nowhere.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.set_status(http::StatusCode::NOT_FOUND);
    }
    view! { <Problem refusal=Refusal::NotFound { what: "page".to_owned() } /> }
}
