//! The parts of the page that adding pictures needs: the form that asks where they go, the bar of what is on its way, and
//! what lies over the page while files are dragged.
//!
//! They are rendered here, once, and never again: `upload/page.rs` changes a text or a mark in them where something has
//! changed. As views of the island they would double what the island weighs.

mod card;
mod form;

use leptos::prelude::*;

use crate::{components::icon::Icon, model::Importing};
use card::UploadCard;
use form::UploadForm;

#[component]
pub(super) fn Uploader(
    importing: Importing,
    /// The largest file that is taken in, in bytes.
    limit: u64,
    /// The batch's title.
    batch: String,
    /// Whether the batch has no pictures yet: then the form is what there is to see.
    empty: bool,
) -> impl IntoView {
    view! {
        <UploadForm importing limit empty />
        <UploadCard />
        <div class="drop-veil" aria-hidden="true">
            <p>
                <Icon name="#i-up" />
                "Drop them to add them to "
                <strong>{batch}</strong>
            </p>
        </div>
    }
}
