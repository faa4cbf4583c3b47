//! The grid: one tab stop, one listener for all tiles.

use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, MouseEvent};

use crate::{
    components::{dom, tile::Tile},
    model::{Decision, Kind},
    review::{
        desk::{Desk, Item},
        size::Size,
    },
};

#[component]
pub(crate) fn Gallery(desk: Desk, size: RwSignal<Size>, row: NodeRef<html::Div>) -> impl IntoView {
    // After the list has been drawn anew: a tile that just came into it can take the focus, too.
    Effect::new(move |before: Option<u32>| {
        let now = desk.focus.get();
        if before.is_some_and(|before| before != now) && !desk.viewing.get_untracked() {
            let _no_window = request_animation_frame(move || {
                if let Some(id) = desk.cursor.get_untracked() {
                    dom::focus_tile(id);
                }
            });
        }
        now
    });

    let empty = move || desk.visible.with(Vec::is_empty);
    view! {
        <div
            role="grid"
            class="gallery"
            data-size=move || size.get().as_str()
            aria-label="Pictures"
            aria-multiselectable="true"
            hidden=empty
            on:click=move |event| clicked(desk, &event)
            on:focusin=move |event| focused(desk, &event)
        >
            <div role="row" class="tiles" node_ref=row>
                <For each=move || desk.visible.get() key=Item::id let:item>
                    <Tile desk item />
                </For>
            </div>
        </div>
        <p class="empty" hidden=move || !empty()>
            {move || nothing_here(desk)}
        </p>
    }
}

fn nothing_here(desk: Desk) -> &'static str {
    desk.filter.with(|filter| match (filter.kind, filter.decision) {
        (Kind::Pipeline, _) => "No pipeline pictures here.",
        (_, None) => "No pictures here yet.",
        (_, Some(Decision::Undecided)) => "Everything here is decided.",
        (_, Some(Decision::Approved)) => "Nothing approved yet.",
        (_, Some(Decision::Rejected)) => "Nothing rejected.",
    })
}

/// The cursor follows the focus; but not to where the browser puts it when the large view closes.
fn focused(desk: Desk, event: &FocusEvent) {
    if desk.viewing.get_untracked() {
        return;
    }
    if let Some(id) = event.target().and_then(|target| dom::picture_of(target.unchecked_ref())) {
        desk.cursor.set(Some(id));
    }
}

fn clicked(desk: Desk, event: &MouseEvent) {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
    let Some(id) = dom::picture_of(&target) else { return };
    if dom::is_control(&target) {
        return;
    }
    let act = target.closest("[data-act]").ok().flatten().and_then(|part| part.get_attribute("data-act"));
    match act.as_deref() {
        Some("approve") => desk.decide_these(Decision::Approved, &[id]),
        Some("reject") => desk.decide_these(Decision::Rejected, &[id]),
        _ if event.shift_key() => {
            desk.pick_range(id);
            desk.go(id);
        }
        Some("select") => desk.toggle(id),
        _ if event.ctrl_key() || event.meta_key() => desk.toggle(id),
        // With a selection at hand a tap goes on selecting, as on a phone.
        _ if !desk.picked.with_untracked(|picked| picked.is_empty()) => desk.toggle(id),
        _ => desk.open(id),
    }
}
