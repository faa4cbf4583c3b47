//! Whose pictures they are, what they are, and the ways to hand them over.

use leptos::prelude::*;

use crate::{
    components::icon::Icon,
    model::{Importing, Kind},
    upload::{
        page::{self, NEW},
        words,
    },
};

#[component]
pub(super) fn UploadForm(importing: Importing, limit: u64, empty: bool) -> impl IntoView {
    view! {
        <section class="adding" id=page::FORM aria-label="Add pictures" hidden=!empty>
            <form id=page::FILES>
                <div class="adding-where">
                    <Subject importing />
                    <label>
                        "Kind"
                        <select id=page::KIND>
                            <option value=Kind::Candidate.as_str()>"Candidates, to be decided"</option>
                            <option value=Kind::Pipeline.as_str()>"Pipeline pictures, only seen"</option>
                        </select>
                    </label>
                    <button type="button" class="tool" aria-label="Close" title="Close" data-do="hide">
                        <Icon name="#i-cross" />
                    </button>
                </div>
                <div class="zone">
                    <Icon name="#i-up" />
                    <p class="zone-title">"Drop pictures or folders here"</p>
                    <div class="zone-ways">
                        <label class="button primary">
                            "Choose files"
                            <input class="sr-only" type="file" multiple data-upload="files" />
                        </label>
                        <label class="button zone-folder">
                            "Choose a folder"
                            <input class="sr-only" type="file" multiple data-upload="folder" />
                        </label>
                    </div>
                    <p class="hint">
                        "JPEG, PNG, WebP, GIF, TIFF, BMP, MP4, WebM, or ZIP archives of them, each up to "
                        {words::limit(limit)}
                    </p>
                </div>
                // Files that came before it was clear where they go.
                <div class="staged" id=page::STAGED hidden>
                    <p id=page::STAGED_TEXT></p>
                    <button type="button" class="quiet" data-do="discard">
                        "Leave them"
                    </button>
                    <button type="submit" class="primary">
                        "Add them"
                    </button>
                </div>
            </form>
            <details class="addresses">
                <summary>"From web addresses"</summary>
                <form id=page::ADDRESSES>
                    <label>
                        <span class="sr-only">"Addresses, one a line"</span>
                        <textarea
                            id=page::LINES
                            rows="3"
                            spellcheck="false"
                            placeholder="https://example.org/picture.png, one address a line"
                        ></textarea>
                    </label>
                    <button type="submit">"Fetch them"</button>
                </form>
            </details>
        </section>
    }
}

/// Those that there are, and a field for a new one where that is allowed: it shows once it is asked for.
#[component]
fn Subject(importing: Importing) -> impl IntoView {
    let Importing { subjects, any } = importing;
    let (none, single) = (subjects.is_empty(), subjects.len() == 1 && !any);
    let options = subjects
        .into_iter()
        .map(|subject| view! { <option value=subject.to_string()>{subject.to_string()}</option> })
        .collect_view();
    view! {
        {(!none)
            .then(|| {
                view! {
                    <label>
                        "Subject"
                        <select id=page::SUBJECT>
                            {(!single).then(|| view! { <option value="">"Choose…"</option> })} {options}
                            {any.then(|| view! { <option value=NEW>"A new subject…"</option> })}
                        </select>
                    </label>
                }
            })}
        {any
            .then(|| {
                view! {
                    <label class="new-subject">
                        {if none { "Subject" } else { "New subject" }}
                        <input
                            id=page::NEW_SUBJECT
                            type="text"
                            maxlength="64"
                            autocomplete="off"
                            autocapitalize="none"
                            spellcheck="false"
                            placeholder="maja"
                            data-slug=""
                        />
                    </label>
                }
            })}
    }
}
