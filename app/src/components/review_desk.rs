//! The one island: a batch at the desk of one person.

use leptos::{html, prelude::*};

use crate::{
    components::{
        action_bar::ActionBar,
        banner::Banner,
        filters::Filters,
        gallery::Gallery,
        icon::Icon,
        keyboard::{self, Lens},
        progress::Progress,
        size_choice::SizeChoice,
        toast::UndoToast,
        viewer::Viewer,
    },
    model::{AssetPage, Batch, BatchStatus},
    review::{desk::Desk, filter::Filter, size::Size},
    upload::{page, uploads::Uploads},
};

#[island]
pub(crate) fn ReviewDesk(
    batch: Batch,
    /// Whether the person may decide on any of it.
    may_decide: bool,
    /// The first page of the batch's assets, whatever the filter.
    first: AssetPage,
    filter: Filter,
    /// The largest file that the person may add, in bytes; nothing where they may add none.
    limit: Option<u64>,
    /// What is needed to add some: rendered by the server alone.
    children: Children,
) -> impl IntoView {
    let (title, family, closed) = (batch.title.clone(), batch.family.to_string(), batch.status == BatchStatus::Closed);
    let desk = Desk::new(batch, may_decide, first, filter);
    if let Some(limit) = limit {
        Effect::new(move |_| Uploads::wake(desk, limit));
    }
    let size = RwSignal::new(Size::default());
    let lens = Lens { zoomed: RwSignal::new(false), info: RwSignal::new(false) };
    let row = NodeRef::<html::Div>::new();
    keyboard::listen(desk, lens, row);
    warn_before_leaving(desk);

    let progress =
        move || desk.counts.with(|counts| format!("{} of {} decided", counts.total - counts.undecided, counts.total));
    let note = match (closed, may_decide) {
        (true, _) => Some("This batch is closed: it is for looking only."),
        (false, false) => Some("You may look at this batch, not decide in it."),
        _ => None,
    };
    view! {
        <div class="review" data-empty=move || desk.is_empty().then_some("")>
            <header class="review-head">
                <div class="review-title">
                    <h1>{title}</h1>
                    <span class="muted">{family}</span>
                </div>
                {limit.map(|_| view! { <AddButton /> })}
                <div class="review-progress">
                    <Progress counts=desk.counts />
                    <span class="muted">{progress}</span>
                </div>
                {note.map(|note| view! { <p class="note">{note}</p> })}
            </header>
            {children()}
            <div class="toolbar">
                <Filters desk />
                <SizeChoice size />
            </div>
            <Show when=move || !desk.viewing.get()>
                <Banner desk />
            </Show>
            <Gallery desk size row />
            <div class="dock">
                <Show when=move || !desk.viewing.get()>
                    <UndoToast desk />
                </Show>
                <ActionBar desk />
            </div>
            <Viewer desk lens />
            <p class="sr-only" role="status" aria-live="polite">
                {move || desk.said.get()}
            </p>
        </div>
    }
}

#[component]
fn AddButton() -> impl IntoView {
    view! {
        <button
            type="button"
            class="add"
            id=page::BUTTON
            aria-expanded="false"
            aria-controls=page::FORM
            data-do="open"
        >
            <Icon name="#i-plus" />
            <span>"Add pictures"</span>
        </button>
    }
}

/// Leaving the page while acts wait would lose them: the browser asks first.
fn warn_before_leaving(desk: Desk) {
    Effect::new(move |_| {
        let handle = window_event_listener(leptos::ev::beforeunload, move |event| {
            if desk.waiting.get_untracked() > 0 {
                event.prevent_default();
            }
        });
        on_cleanup(move || handle.remove());
    });
}
