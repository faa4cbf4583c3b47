//! Drawn signs. The drawings stand once in the page ([`Sprite`], from the server); an [`Icon`] only names one.

use leptos::prelude::*;

use crate::model::Decision;

/// One of the sprite's drawings, at the size of the text around it.
#[component]
pub(crate) fn Icon(#[prop(into)] name: Signal<&'static str>) -> impl IntoView {
    view! {
        <svg class="icon" aria-hidden="true">
            <use_ href=move || name.get()></use_>
        </svg>
    }
}

/// The drawing that stands for a decision.
pub(crate) const fn of(decision: Decision) -> &'static str {
    match decision {
        Decision::Undecided => "#i-open",
        Decision::Approved => "#i-check",
        Decision::Rejected => "#i-cross",
    }
}

/// All drawings, 24 by 24, strokes in the text's colour.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn Sprite() -> impl IntoView {
    view! { <svg class="sprite" aria-hidden="true" inner_html=include_str!("sprite.svg")></svg> }
}
