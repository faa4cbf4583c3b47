//! From keys to acts: one listener on the window, and the registry in [`keys`](crate::keys) says what is what.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use crate::{
    components::dom,
    keys::{Command, Held, Place, command},
    model::Decision,
    review::{
        course::{Layout, Step},
        desk::{Desk, ONE_BY_ONE},
    },
};

/// What the large view lets keys do.
#[derive(Clone, Copy)]
pub(crate) struct Lens {
    pub(crate) zoomed: RwSignal<bool>,
    pub(crate) info: RwSignal<bool>,
}

impl Lens {
    /// To the original's own size and back. A video has its own controls.
    pub(crate) fn toggle_zoom(self, desk: Desk) {
        let video = untrack(|| desk.current()).is_some_and(|item| item.asset.is_video());
        self.zoomed.update(|zoomed| *zoomed = !*zoomed && !video);
    }
}

/// Listens until the island ends.
pub(crate) fn listen(desk: Desk, lens: Lens, row: NodeRef<html::Div>) {
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, move |event| pressed(desk, lens, row, &event));
        on_cleanup(move || handle.remove());
    });
}

fn pressed(desk: Desk, lens: Lens, row: NodeRef<html::Div>, event: &KeyboardEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if event.default_prevented() || dom::are_keys_shown() || target.as_ref().is_some_and(dom::is_typing) {
        return;
    }
    let viewing = desk.viewing.get_untracked();
    let place = if viewing { Place::Viewer } else { Place::Grid };
    let held = Held { ctrl: event.ctrl_key() || event.meta_key(), alt: event.alt_key() };
    let Some(command) = command(&event.key(), held, place) else { return };
    // A focused button or link keeps the keys that work it.
    let own = matches!(command, Command::Open | Command::Play) && target.as_ref().is_some_and(dom::is_control);
    if own {
        return;
    }
    event.prevent_default();
    let layout = || match row.get_untracked() {
        Some(row) if !viewing => dom::layout(&row),
        _ => ONE_BY_ONE,
    };
    run(desk, lens, command, event.shift_key() && !viewing, layout);
}

fn run(desk: Desk, lens: Lens, command: Command, extend: bool, layout: impl Fn() -> Layout) {
    let step = |step| desk.step(step, layout(), extend);
    match command {
        Command::Approve => desk.decide(Decision::Approved),
        Command::Reject => desk.decide(Decision::Rejected),
        Command::Undecide => desk.decide(Decision::Undecided),
        Command::Undo => desk.undo(),
        Command::Left => step(Step::Left),
        Command::Right => step(Step::Right),
        Command::Up => step(Step::Up),
        Command::Down => step(Step::Down),
        Command::First => step(Step::First),
        Command::Last => step(Step::Last),
        Command::PageUp => step(Step::PageUp),
        Command::PageDown => step(Step::PageDown),
        Command::Open => {
            if let Some(id) = desk.cursor.get_untracked() {
                desk.open(id);
            }
        }
        Command::Toggle => {
            if let Some(id) = desk.cursor.get_untracked() {
                desk.toggle(id);
            }
        }
        Command::SelectAll => desk.pick_all(),
        Command::Clear => desk.clear(),
        Command::Zoom => lens.toggle_zoom(desk),
        Command::Info => lens.info.update(|info| *info = !*info),
        Command::Play => dom::play_or_pause(),
        Command::Retry => retry(desk),
        Command::Keys => dom::show_keys(),
    }
}

/// Presses the Retry button of the tile at the cursor, where it has one.
fn retry(desk: Desk) {
    let again = desk.cursor.get_untracked().and_then(dom::tile).and_then(|tile| tile.query_selector(".again").ok()?);
    if let Some(button) = again.and_then(|again| again.dyn_into::<HtmlElement>().ok()) {
        button.click();
    }
}
