//! What a person does with their uploads, and what is shown of them. [`run`] does the rest. Browser only.
//!
//! Files make many small events. None of them touches the page: what is shown is worked out anew a few times a second.

mod run;

use std::{cell::RefCell, rc::Rc};

use gloo_timers::callback::Interval;
use js_sys::Date;
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, Storage};

use super::{
    browser,
    pace::Pace,
    page::{self, Rows},
    queue::{Found, Phase, Queue, Target, Totals},
    words,
};
use crate::review::desk::Desk;

/// One person's uploads into one batch.
#[derive(Clone)]
pub(crate) struct Uploads {
    desk: Desk,
    /// The largest file that is taken in, in bytes.
    limit: u64,
    /// Never borrowed while anything else is asked: neither the browser, nor the desk.
    state: Rc<RefCell<State>>,
}

struct State {
    queue: Queue,
    pace: Pace,
    rows: Rows,
    totals: Totals,
    /// Files that wait for a word on where they go.
    staged: Vec<Found>,
    /// Whether pictures have come in that are not in the gallery yet.
    arrived: bool,
    /// Whether some of them are being asked for, and since when (milliseconds).
    asking: bool,
    asked: f64,
    /// The phase that was last told, and the quarter.
    said: (Phase, u32),
    /// Ends when nothing moves.
    timer: Option<Interval>,
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

impl Uploads {
    /// Once the page is awake: hears of files, of the form, of the line, and warns before the page is left in the middle.
    pub(crate) fn wake(desk: Desk, limit: u64) {
        let state = State {
            queue: Queue::new(limit, browser::hashes()),
            pace: Pace::default(),
            rows: Rows::default(),
            totals: Totals::default(),
            staged: Vec::new(),
            arrived: false,
            asking: false,
            asked: 0.0,
            said: (Phase::Idle, 0),
            timer: None,
        };
        let uploads = Self { desk, limit, state: Rc::new(RefCell::new(state)) };
        if let Some(subject) = storage().and_then(|kept| kept.get_item(&uploads.memory()).ok().flatten()) {
            page::choose(&subject);
        }
        // They listen as long as the page lives.
        let this = uploads.clone();
        window_event_listener_untyped("click", move |event| this.heard(&event, "[data-do]"));
        let this = uploads.clone();
        window_event_listener_untyped("submit", move |event| this.heard(&event, "form"));
        let this = uploads.clone();
        window_event_listener_untyped("online", move |_| this.line_changed(true));
        let this = uploads.clone();
        window_event_listener_untyped("offline", move |_| this.line_changed(false));
        let this = uploads.clone();
        window_event_listener(ev::beforeunload, move |event| {
            let state = this.state.borrow();
            if state.queue.is_active() || !state.staged.is_empty() {
                event.prevent_default();
            }
        });
        browser::listen(move |found, cut| uploads.take(found, cut));
    }

    /// A click or a submission: what it is for stands in the page.
    fn heard(&self, event: &web_sys::Event, selector: &str) {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(target) = target.and_then(|target| target.closest(selector).ok().flatten()) else { return };
        let act = target.get_attribute("data-do").unwrap_or_else(|| target.id());
        if [page::FILES, page::ADDRESSES].contains(&act.as_str()) {
            event.prevent_default();
        }
        self.act(&act, &target);
    }

    fn act(&self, act: &str, target: &Element) {
        match act {
            "open" => return page::show_form(!page::shows(page::FORM)),
            "hide" => return page::show_form(false),
            "fold" => page::unfold(!page::shows(page::LIST)),
            "discard" => return self.discard(),
            page::FILES => return self.start(),
            page::ADDRESSES => return self.start_addresses(),
            "retry" => self.state.borrow_mut().queue.retry_failed(),
            "pause" => self.pause(),
            "end" => self.end(),
            "one" => {
                let Some(key) = page::key_of(target) else { return };
                let cut = self.state.borrow_mut().queue.turn(key);
                if cut {
                    browser::stop(key as i32);
                }
            }
            _ => return,
        }
        self.go();
    }

    /// Takes files in hand. Where the form says where they go and the person sees it, they are on their way; otherwise
    /// it asks first, since what is in the wrong place cannot be taken back.
    fn take(&self, found: Vec<Found>, cut: bool) {
        let seen = page::shows(page::FORM) && page::target().is_some();
        let (files, bytes) = {
            let staged = &mut self.state.borrow_mut().staged;
            staged.extend(found);
            (staged.len(), staged.iter().filter_map(|found| found.bytes).sum())
        };
        if seen && !cut {
            return self.start();
        }
        page::stage(files, bytes, cut);
        page::show_form(true);
        self.desk.say([&words::count(files as u32, "file waits", "files wait"), ": check whose they are"].concat());
    }

    /// Sends what waits in the form.
    fn start(&self) {
        let Some(target) = page::target() else { return page::ask_for_subject() };
        let found = std::mem::take(&mut self.state.borrow_mut().staged);
        if found.is_empty() {
            return;
        }
        page::stage(0, 0, false);
        self.enter(&target, |queue| queue.add(&target, found));
    }

    fn start_addresses(&self) {
        let Some(target) = page::target() else { return page::ask_for_subject() };
        let lines = page::lines();
        page::set_value(page::LINES, "");
        self.enter(&target, |queue| queue.add_addresses(&target, &lines));
    }

    fn enter(&self, target: &Target, add: impl FnOnce(&mut Queue)) {
        if let Some(storage) = storage() {
            let _full = storage.set_item(&self.memory(), target.subject.as_str());
        }
        add(&mut self.state.borrow_mut().queue);
        page::show_form(false);
        self.go();
    }

    /// Where the browser keeps of whom the last pictures were.
    fn memory(&self) -> String {
        ["avatars-subject-", &self.desk.batch.with_value(|batch| batch.family.to_string())].concat()
    }

    /// Lets what waits in the form go.
    fn discard(&self) {
        for found in std::mem::take(&mut self.state.borrow_mut().staged) {
            browser::forget(found.file);
        }
        page::stage(0, 0, false);
    }

    fn pause(&self) {
        let state = &mut *self.state.borrow_mut();
        if matches!(state.totals.phase, Phase::Paused | Phase::Stopped(_)) {
            state.pace.forget();
            state.queue.resume();
        } else {
            state.queue.pause();
        }
    }

    /// Gives up what is not settled; where all is, lets the list go.
    fn end(&self) {
        let state = &mut *self.state.borrow_mut();
        if state.totals.phase == Phase::Done {
            for file in state.queue.files() {
                browser::forget(file);
            }
            state.queue = Queue::new(self.limit, browser::hashes());
            state.rows.clear();
            page::unfold(false);
        } else {
            for key in state.queue.cancel_all() {
                browser::stop(key as i32);
            }
        }
    }

    fn line_changed(&self, online: bool) {
        self.state.borrow_mut().queue.line_changed(online, Date::now());
        self.go();
    }
}
