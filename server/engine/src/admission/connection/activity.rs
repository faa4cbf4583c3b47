//! What a connection's peer owes: the account behind the write-idle limit.
//!
//! Each exchange (a request and its response) is in one of two states. Either the server is at work, or the transport has
//! been offered something that the peer has not taken yet: a response whose body nobody has asked for a frame of, or
//! frames that are not written. Only the second can make a connection *stalled*, so a slow database, a long render or a
//! silent event stream never do.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    select,
    sync::Notify,
    time::{Instant, sleep_until},
};

/// Why a connection should end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The peer has taken nothing of what it was offered for too long.
    Stalled,
    /// No request is in flight, and none has come for too long.
    Idle,
}

/// How long each may last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) write_idle: Duration,
    pub(super) idle: Duration,
}

#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<State>,
    /// Something began that may come to an end sooner than the watch expects.
    changed: Notify,
}

#[derive(Debug)]
struct State {
    counter: u64,
    exchanges: HashMap<u64, Account>,
    in_flight: usize,
    idle_since: Instant,
    /// Since when the socket has taken nothing of a write.
    blocked_since: Option<Instant>,
    limits: Limits,
    /// When the watch will look again by itself.
    armed: Option<Instant>,
}

#[derive(Debug)]
struct Account {
    /// When something was last offered or taken.
    since: Instant,
    /// The transport may ask for a frame and has not.
    offered: bool,
    /// Frames that the transport has and has not written.
    frames: usize,
    /// The request, or its response's body, still exists.
    open: bool,
}

impl Activity {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        let state = State {
            counter: 0,
            exchanges: HashMap::new(),
            in_flight: 0,
            idle_since: Instant::now(),
            blocked_since: None,
            limits,
            armed: None,
        };
        Arc::new(Self { state: Mutex::new(state), changed: Notify::new() })
    }

    /// A request has come.
    pub(super) fn begin(self: &Arc<Self>) -> Exchange {
        let mut state = self.lock();
        state.counter += 1;
        state.in_flight += 1;
        let id = state.counter;
        let account = Account { since: Instant::now(), offered: false, frames: 0, open: true };
        state.exchanges.insert(id, account);
        Exchange { activity: self.clone(), id }
    }

    /// The socket takes nothing of a write.
    pub(super) fn write_blocked(&self) {
        let mut state = self.lock();
        if state.blocked_since.is_none() {
            state.blocked_since = Some(Instant::now());
            self.look_within(state.limits.write_idle, &state);
        }
    }

    /// The socket took something.
    pub(super) fn write_progressed(&self) {
        self.lock().blocked_since = None;
    }

    /// True while the socket takes nothing.
    pub(super) fn is_blocked(&self) -> bool {
        self.lock().blocked_since.is_some()
    }

    /// Counts idle time from now, and lets it last no longer than `idle`.
    pub(super) fn restart_idle(&self, idle: Duration) {
        let mut state = self.lock();
        state.idle_since = Instant::now();
        state.limits.idle = idle;
        self.look_within(idle, &state);
    }

    /// Waits until there is a reason to end the connection.
    pub(super) async fn verdict(&self) -> Verdict {
        loop {
            let next = self.lock().next();
            match next {
                None => self.changed.notified().await,
                Some((deadline, verdict)) if deadline <= Instant::now() => return verdict,
                Some((deadline, _)) => select! {
                    () = sleep_until(deadline) => {}
                    () = self.changed.notified() => {}
                },
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something ends in `time` from now, if nothing else happens. Wakes the watch unless it looks by itself before then,
    /// which is nearly always: a busy connection's watch wakes once in a while, not with each frame.
    fn look_within(&self, time: Duration, state: &State) {
        if state.armed.is_none_or(|armed| Instant::now() + time < armed) {
            self.changed.notify_one();
        }
    }

    fn with(&self, id: u64, change: impl FnOnce(&mut Account)) {
        let mut state = self.lock();
        let Some(account) = state.exchanges.get_mut(&id) else { return };
        let owed = account.is_owed();
        change(account);
        account.since = Instant::now();
        if account.is_owed() && !owed {
            self.look_within(state.limits.write_idle, &state);
        } else if !account.open && !account.is_owed() {
            state.exchanges.remove(&id);
        }
    }
}

impl Account {
    fn is_owed(&self) -> bool {
        self.offered || self.frames > 0
    }
}

impl State {
    /// What will happen next if nothing else does.
    fn next(&mut self) -> Option<(Instant, Verdict)> {
        let owed = self.exchanges.values().filter(|account| account.is_owed()).map(|account| account.since);
        let stalled =
            owed.chain(self.blocked_since).min().map(|since| (since + self.limits.write_idle, Verdict::Stalled));
        let idle = (self.in_flight == 0).then(|| (self.idle_since + self.limits.idle, Verdict::Idle));
        let next = stalled.into_iter().chain(idle).min_by_key(|(deadline, _)| *deadline);
        self.armed = next.map(|(deadline, _)| deadline);
        next
    }
}

/// A request in flight, then its response's body. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Exchange {
    activity: Arc<Activity>,
    id: u64,
}

impl Exchange {
    /// It is the peer's turn: there is something to take.
    pub(super) fn offer(&self) {
        self.activity.with(self.id, |account| account.offered = true);
    }

    /// It is the server's turn: the transport asked, and there is nothing yet.
    pub(super) fn work(&self) {
        self.activity.with(self.id, |account| account.offered = false);
    }

    /// A frame goes to the transport, which may ask for another one.
    pub(super) fn hand_over(&self) -> InTransit {
        self.activity.with(self.id, |account| {
            account.offered = true;
            account.frames += 1;
        });
        InTransit { activity: self.activity.clone(), id: self.id }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.activity.with(self.id, |account| {
            account.offered = false;
            account.open = false;
        });
        let mut state = self.activity.lock();
        state.in_flight -= 1;
        if state.in_flight == 0 {
            state.idle_since = Instant::now();
            self.activity.look_within(state.limits.idle, &state);
        }
    }
}

/// A frame that the transport has and has not written to the end.
#[derive(Debug)]
pub(super) struct InTransit {
    activity: Arc<Activity>,
    id: u64,
}

impl InTransit {
    /// A part of it was written.
    pub(super) fn moved(&self) {
        self.activity.with(self.id, |_| {});
    }
}

impl Drop for InTransit {
    fn drop(&mut self) {
        self.activity.with(self.id, |account| account.frames -= 1);
    }
}

#[cfg(test)]
mod tests;
