//! What can be done now, to the selection or to the picture at the cursor, with its keys beside it.

use leptos::prelude::*;

use crate::{
    components::{
        dom,
        icon::{Icon, of},
    },
    model::Decision,
    review::desk::Desk,
};

/// One button that decides.
#[component]
pub(crate) fn DecideButton(desk: Desk, decision: Decision) -> impl IntoView {
    let (name, key) = match decision {
        Decision::Approved => ("Approve", "P"),
        Decision::Rejected => ("Reject", "X"),
        Decision::Undecided => ("Undecided", "U"),
    };
    view! {
        <button
            type="button"
            class="act"
            data-act=decision.as_str()
            aria-label=name
            aria-keyshortcuts=key
            on:click=move |_| desk.decide(decision)
        >
            <Icon name=of(decision) />
            <span class="act-name">{name}</span>
            <kbd>{key}</kbd>
        </button>
    }
}

#[component]
pub(crate) fn UndoButton(desk: Desk) -> impl IntoView {
    view! {
        <button
            type="button"
            class="act quiet"
            aria-label="Undo"
            aria-keyshortcuts="Z"
            disabled=move || !desk.can_undo.get()
            on:click=move |_| desk.undo()
        >
            <Icon name="#i-undo" />
            <span class="act-name">"Undo"</span>
            <kbd>"Z"</kbd>
        </button>
    }
}

#[component]
pub(crate) fn ActionBar(desk: Desk) -> impl IntoView {
    let picked = move || desk.picked.with(|picked| picked.len());
    let subject = move || match picked() {
        0 => desk.current().map(|item| item.asset.original_name.clone()).unwrap_or_default(),
        count => format!("{count} selected"),
    };
    view! {
        <div class="action-bar" role="toolbar" aria-label="Decide" data-picked=move || (picked() > 0).then_some("")>
            <span class="action-subject" data-count=picked>
                {subject}
            </span>
            <Show when=move || { picked() > 0 }>
                <button type="button" class="act quiet" on:click=move |_| desk.clear()>
                    <span>"Clear"</span>
                    <kbd>"Esc"</kbd>
                </button>
            </Show>
            <Show when=move || desk.decides()>
                <DecideButton desk decision=Decision::Approved />
                <DecideButton desk decision=Decision::Rejected />
                <DecideButton desk decision=Decision::Undecided />
                <UndoButton desk />
            </Show>
            <button
                type="button"
                class="act quiet keys-button"
                aria-label="Keys"
                title="Keys (?)"
                on:click=move |_| dom::show_keys()
            >
                <Icon name="#i-keys" />
            </button>
        </div>
    }
}
