//! How far the uploads are: a slim bar above the dock, and the list of files when it is unfolded.

use leptos::prelude::*;

use crate::{components::icon::Icon, upload::page};

#[component]
pub(super) fn UploadCard() -> impl IntoView {
    view! {
        <section class="upload-card" id=page::CARD aria-label="Uploads" hidden>
            <div class="upload-bar">
                <button
                    type="button"
                    class="upload-fold"
                    id=page::FOLD
                    aria-expanded="false"
                    aria-controls=page::LIST
                    data-do="fold"
                >
                    <Icon name="#i-fold" />
                    <span class="upload-title" id=page::TITLE></span>
                    <span class="upload-note" id=page::NOTE></span>
                    <span class="upload-problems" id=page::PROBLEMS hidden></span>
                </button>
                <a class="button" id=page::SIGN_IN target="_blank" hidden>
                    "Sign in"
                </a>
                <button type="button" id=page::RETRY data-do="retry" hidden>
                    "Retry"
                </button>
                <button type="button" class="tool" id=page::PAUSE data-do="pause" aria-label="Pause" title="Pause">
                    <Icon name="#i-pause" />
                    <Icon name="#i-play" />
                </button>
                <button
                    type="button"
                    class="tool"
                    id=page::END
                    data-do="end"
                    aria-label="Cancel all"
                    title="Cancel all"
                >
                    <Icon name="#i-cross" />
                </button>
            </div>
            <progress class="upload-progress" id=page::SHARE max="1000" value="0" aria-label="All files"></progress>
            <div class="upload-list" id=page::LIST hidden>
                <ul id=page::ROWS aria-label="Files"></ul>
                <p class="hint" id=page::MORE hidden></p>
            </div>
        </section>
        // What each line of the list is a copy of.
        <ul hidden>
            <li class="upload-line" id=page::ROW>
                <Icon name="#i-clock" />
                <span class="upload-name"></span>
                <span class="upload-why"></span>
                <button type="button" class="tool" data-do="one">
                    <Icon name="#i-cross" />
                </button>
                <progress max="1000"></progress>
            </li>
        </ul>
    }
}
