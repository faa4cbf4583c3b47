//! One picture large, over the page: look, decide, go on. Closing it returns to the tile last seen.

mod clip;
mod info;
mod stage;

use leptos::{html, prelude::*};

use crate::{
    components::{
        action_bar::{DecideButton, UndoButton},
        banner::Banner,
        dom,
        icon::{Icon, of},
        keyboard::Lens,
        tile::word_of,
        toast::UndoToast,
    },
    model::{Decision, Kind},
    review::{
        course::Step,
        desk::{Desk, Item, ONE_BY_ONE},
    },
};
use info::Info;
use stage::Stage;

#[component]
pub(crate) fn Viewer(desk: Desk, lens: Lens) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (desk.viewing.get(), dialog.open()) {
            (true, false) => {
                let _open_already = dialog.show_modal();
                // Not on its first button: Space would close what Space has opened.
                let _hidden = dialog.focus();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // The browser gives the focus back to where it was; it belongs to the picture last seen.
    let closed = move |_| {
        desk.viewing.set(false);
        lens.zoomed.set(false);
        if let Some(id) = desk.cursor.get_untracked() {
            dom::focus_tile(id);
        }
    };
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let current = Memo::new(move |_| desk.viewing.get().then(|| desk.current()).flatten());
    view! {
        <dialog
            class="viewer"
            tabindex="-1"
            node_ref=dialog
            aria-label="Picture"
            data-info=move || lens.info.get().then_some("")
            on:close=closed
        >
            <Show when=move || current.with(Option::is_some)>
                <Head desk lens current close />
                <Stage desk lens current />
                <Info desk lens current />
                <Foot desk />
                // What lies behind an open dialog can be neither seen nor heard.
                <div class="viewer-over">
                    <Banner desk />
                    <UndoToast desk />
                </div>
                <p class="sr-only" role="status" aria-live="polite">
                    {move || desk.said.get()}
                </p>
            </Show>
        </dialog>
    }
}

#[component]
fn Head(
    desk: Desk,
    lens: Lens,
    current: Memo<Option<Item>>,
    close: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let title = move || {
        current
            .with(|item| item.as_ref().map(|item| (item.asset.original_name.clone(), item.asset.subject.to_string())))
    };
    let decision = move || current.with(|item| item.as_ref().map_or(Decision::Undecided, Item::decision));
    let candidate = move || current.with(|item| item.as_ref().is_some_and(|item| item.asset.kind == Kind::Candidate));
    let video = move || current.with(|item| item.as_ref().is_some_and(|item| item.asset.is_video()));
    let place = move || {
        let id = desk.cursor.get();
        desk.visible.with(|all| {
            let at = all.iter().position(|item| Some(item.id()) == id).map_or(0, |at| at + 1);
            format!("{at} of {}", all.len())
        })
    };
    view! {
        <header class="viewer-head">
            <button type="button" class="tool" aria-label="Close" title="Close (Esc)" on:click=move |_| close()>
                <Icon name="#i-cross" />
            </button>
            <div class="viewer-title">
                <strong>{move || title().map(|(name, _)| name)}</strong>
                <span>{move || title().map(|(_, subject)| subject)} " · " <span>{place}</span></span>
            </div>
            <Show when=candidate>
                <span class="stamp" data-decision=move || decision().as_str()>
                    <Icon name=Signal::derive(move || of(decision())) />
                    {move || word_of(decision())}
                </span>
            </Show>
            <button
                type="button"
                class="tool"
                aria-label="Original size"
                title="Original size (+)"
                aria-pressed=move || if lens.zoomed.get() { "true" } else { "false" }
                hidden=video
                on:click=move |_| lens.toggle_zoom(desk)
            >
                <Icon name=Signal::derive(move || if lens.zoomed.get() { "#i-fit" } else { "#i-zoom" }) />
            </button>
            <button
                type="button"
                class="tool"
                aria-label="Details"
                title="Details (I)"
                aria-pressed=move || if lens.info.get() { "true" } else { "false" }
                on:click=move |_| lens.info.update(|info| *info = !*info)
            >
                <Icon name="#i-info" />
            </button>
        </header>
    }
}

#[component]
fn Foot(desk: Desk) -> impl IntoView {
    let step = move |step| desk.step(step, ONE_BY_ONE, false);
    view! {
        <footer class="viewer-foot">
            <button type="button" class="act quiet" aria-label="Previous" title="Previous (←)" on:click=move |_| step(Step::Left)>
                <Icon name="#i-left" />
            </button>
            <Show when=move || desk.decides()>
                <DecideButton desk decision=Decision::Approved />
                <DecideButton desk decision=Decision::Rejected />
                <DecideButton desk decision=Decision::Undecided />
                <UndoButton desk />
            </Show>
            <button type="button" class="act quiet" aria-label="Next" title="Next (→)" on:click=move |_| step(Step::Right)>
                <Icon name="#i-right" />
            </button>
        </footer>
    }
}
