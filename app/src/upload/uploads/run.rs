//! Drives the queue: starts what it names, brings the answers back, and lets the page know a few times a second.

use gloo_timers::callback::{Interval, Timeout};
use js_sys::Date;
use leptos::{prelude::WithValue as _, task::spawn_local};

use super::Uploads;
use crate::upload::{
    browser, page,
    queue::{Phase, Step, Totals},
    words,
};

/// How often the page is brought up to date, in milliseconds.
const TICK: u32 = 250;
/// How often pictures that have come in are shown, in milliseconds.
const SHOW: f64 = 2000.0;
/// How long until it is tried again where the gallery itself is still being fetched, in milliseconds.
const LATER: u32 = 500;

impl Uploads {
    /// Starts what can be started and shows how things stand.
    pub(super) fn go(&self) {
        self.begin_all();
        self.refresh();
        let moving = {
            let phase = &self.state.borrow().totals.phase;
            !matches!(phase, Phase::Idle | Phase::Done | Phase::Paused | Phase::Stopped(_))
        };
        let ticking = self.state.borrow().timer.is_some();
        if moving != ticking {
            let this = self.clone();
            let timer = moving.then(|| Interval::new(TICK, move || this.go()));
            self.state.borrow_mut().timer = timer;
        }
    }

    fn begin_all(&self) {
        loop {
            let step = self.state.borrow_mut().queue.next(Date::now());
            let Some(step) = step else { return };
            let this = self.clone();
            spawn_local(async move { this.begin(step).await });
        }
    }

    async fn begin(self, step: Step) {
        let batch = self.desk.batch.with_value(|batch| batch.id);
        match step {
            Step::Hash { key, file } => {
                let hash = browser::hash(file).await;
                self.state.borrow_mut().queue.was_hashed(key, hash);
            }
            Step::Ask { keys, target, hashes } => {
                let answer = browser::missing(batch, &target, hashes).await;
                self.state.borrow_mut().queue.was_asked(&keys, &answer, Date::now());
            }
            Step::Send { key, what, target } => {
                let answer = browser::send(batch, key as i32, &what, &target).await;
                let state = &mut *self.state.borrow_mut();
                state.arrived |= state.queue.was_sent(key, &answer, Date::now());
            }
            Step::Look => {
                let there = browser::look().await;
                self.state.borrow_mut().queue.was_looked(there, Date::now());
            }
        }
        // The next ones start now; the page hears of it with the next tick, or at once where none comes.
        if self.state.borrow().timer.is_some() {
            self.begin_all();
        } else {
            self.go();
        }
    }

    fn refresh(&self) {
        let now = Date::now();
        let done = {
            let state = &mut *self.state.borrow_mut();
            for key in state.queue.on_the_line() {
                state.queue.has_sent(key, browser::sent(key as i32) as u64);
            }
            state.totals = state.queue.totals(now);
            if state.totals.phase == Phase::Sending {
                state.pace.note(now, state.totals.sent);
            }
            let pace = state.pace.words(state.totals.left);
            page::show_totals(&state.totals, &pace, self.desk.batch.with_value(|batch| batch.id));
            if page::shows(page::LIST) {
                state.rows.show(&state.queue, state.totals.files);
            }
            state.totals.phase == Phase::Done
        };
        self.tell();
        self.show_arrived(now, done);
    }

    /// Puts what has come in at the end of the gallery.
    fn show_arrived(&self, now: f64, done: bool) {
        {
            let state = &mut *self.state.borrow_mut();
            let due = done || now - state.asked >= SHOW;
            if !due || state.asking || !state.arrived {
                return;
            }
            (state.asking, state.asked, state.arrived) = (true, now, false);
        }
        let this = self.clone();
        spawn_local(async move {
            let shown = this.desk.load_new().await;
            let more = {
                let state = &mut *this.state.borrow_mut();
                state.asking = false;
                state.arrived |= !shown;
                state.arrived && state.timer.is_none()
            };
            // Where no tick comes, nobody else would show the rest.
            if more {
                Timeout::new(LATER, move || this.show_arrived(Date::now(), true)).forget();
            }
        });
    }

    /// Says what a person who looks elsewhere wants to know: the beginning, each quarter, what stopped it, the end.
    fn tell(&self) {
        let text = {
            let state = &mut *self.state.borrow_mut();
            let totals = &state.totals;
            // The seconds run down; that is not news.
            let phase = if let Phase::Busy(_) = totals.phase { Phase::Busy(0) } else { totals.phase.clone() };
            let quarter = totals.share / 250;
            let (before, told) = &state.said;
            let further = phase == Phase::Sending && quarter > *told;
            if phase == *before && !further {
                return;
            }
            if phase == Phase::Done && totals.problems() > 0 {
                page::unfold(true);
                state.rows.show(&state.queue, totals.files);
            }
            let text = news(totals, *before == Phase::Sending);
            state.said = (phase, quarter);
            text
        };
        if !text.is_empty() {
            self.desk.say(text);
        }
    }
}

fn news(totals: &Totals, sending: bool) -> String {
    match &totals.phase {
        Phase::Idle => String::new(),
        Phase::Checking => ["Checking ", &words::count(totals.files, "file", "files")].concat(),
        Phase::Sending if sending => totals.title(),
        Phase::Sending => ["Sending ", &words::count(totals.files - totals.settled, "file", "files")].concat(),
        Phase::Paused => "Sending is paused".to_owned(),
        Phase::Busy(_) => "The server is busy: sending goes on in a moment".to_owned(),
        Phase::Offline => "Offline: sending goes on by itself".to_owned(),
        Phase::Stopped(_) => "Sending has stopped: it needs you".to_owned(),
        Phase::Done => totals.summary(),
    }
}
