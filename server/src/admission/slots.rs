//! Slots that are waited for: the scheduler of [`queue`](super::queue) with a clock, a lock and wakers around it.
//!
//! A slot is a [`SlotPermit`]: whoever owns the value owns the slot, and dropping it is the only way to give it back. A
//! permit on its way to a waiter travels in a channel, so that one whose waiter has just gone is dropped there and falls
//! to the next: there is no moment at which a slot belongs to nobody.

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use pin_project_lite::pin_project;
use tokio::{
    sync::oneshot,
    time::{Instant, Sleep},
};

use super::{
    pace::Pace,
    queue::{Arrival, Moment, Place, Queue, Ticket},
};

/// How many slots there are, and how long a line is let grow in front of them.
#[derive(Clone, Copy, Debug)]
pub struct SlotsConfig {
    /// Requests that run at once; 0 counts as 1.
    pub slots: usize,
    /// Requests that may wait; one more is refused.
    pub queue: usize,
    /// The longest wait.
    pub wait: Duration,
}

/// Why a request got no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// As many wait as may, or the place was needed for a party that had fewer.
    #[error("too many requests are waiting for media")]
    Full { retry_after: Duration },
    #[error("no media slot came free in time")]
    TimedOut { retry_after: Duration },
}

impl Refusal {
    /// When to come again, by the queue's measured speed: whole seconds, at least one.
    pub fn retry_after(self) -> Duration {
        match self {
            Self::Full { retry_after } | Self::TimedOut { retry_after } => retry_after,
        }
    }
}

/// What has happened since the start, and what happens now.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlotsSnapshot {
    pub slots: usize,
    pub in_use: usize,
    pub heavy_in_use: usize,
    pub waiting: usize,
    pub granted_total: u64,
    /// Those among the granted that had to wait.
    pub waited_total: u64,
    pub waited_seconds: f64,
    /// Slots given back, and for how long they were held together.
    pub held_total: u64,
    pub held_seconds: f64,
    pub refused_full_total: u64,
    pub refused_late_total: u64,
    /// Waiters that went away by themselves.
    pub abandoned_total: u64,
    /// How long ago a slot was given back.
    pub last_freed: Option<Duration>,
    /// For how long all slots have been held and somebody has waited, without one being given back.
    pub stuck_for: Option<Duration>,
}

/// A handle to the slots; clones share them.
#[derive(Clone, Debug)]
pub struct Slots {
    shared: Arc<Shared>,
}

type Answer = Result<SlotPermit, Refusal>;

#[derive(Debug)]
struct Shared {
    opened: Instant,
    wait: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    queue: Queue,
    calls: HashMap<Place, oneshot::Sender<Answer>>,
    pace: Pace,
    tally: SlotsSnapshot,
    last_freed: Option<Moment>,
    stuck_since: Option<Moment>,
}

impl Slots {
    pub fn new(config: SlotsConfig) -> Self {
        let slots = config.slots.max(1);
        let state = State {
            queue: Queue::new(slots, config.queue),
            calls: HashMap::new(),
            pace: Pace::default(),
            tally: SlotsSnapshot { slots, ..SlotsSnapshot::default() },
            last_freed: None,
            stuck_since: None,
        };
        Self { shared: Arc::new(Shared { opened: Instant::now(), wait: config.wait, state: Mutex::new(state) }) }
    }

    /// Asks for a slot. The place in the queue is taken by this call, not by the first poll; dropping the future gives
    /// the place back, or the slot if it had come.
    pub fn acquire(&self, ticket: Ticket) -> Acquire {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        let arrival = state.queue.arrive(ticket, now);
        let (acquire, displaced) = match arrival {
            Arrival::Granted => {
                state.tally.granted_total += 1;
                (Acquire::settled(Ok(self.shared.permit(ticket, now))), None)
            }
            Arrival::Full => (Acquire::settled(Err(state.full(now, self.shared.wait))), None),
            Arrival::Waits { place, displaced } => {
                let (call, answer) = oneshot::channel();
                state.calls.insert(place, call);
                if state.queue.waiting() == 1 {
                    state.pace.begin(now);
                }
                let refusal = displaced
                    .and_then(|place| state.calls.remove(&place))
                    .map(|call| (call, state.full(now, self.shared.wait)));
                let deadline = tokio::time::sleep_until(self.shared.opened + now + self.shared.wait);
                let waiting = Waiting { shared: self.shared.clone(), place };
                (Acquire { state: AcquireState::Waiting { waiting, answer, deadline } }, refusal)
            }
        };
        state.watch(now);
        drop(state);
        if let Some((call, refusal)) = displaced {
            // A waiter that has gone meanwhile needs no answer.
            let _ = call.send(Err(refusal));
        }
        acquire
    }

    pub fn snapshot(&self) -> SlotsSnapshot {
        let now = self.shared.now();
        let state = self.shared.lock();
        SlotsSnapshot {
            in_use: state.queue.in_use(),
            heavy_in_use: state.queue.heavy_in_use(),
            waiting: state.queue.waiting(),
            last_freed: state.last_freed.map(|then| now.saturating_sub(then)),
            stuck_for: state.stuck_since.map(|then| now.saturating_sub(then)),
            ..state.tally
        }
    }
}

impl Shared {
    fn now(&self) -> Moment {
        self.opened.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics under this lock; if something ever does, slots that are given back still must be counted.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn permit(self: &Arc<Self>, ticket: Ticket, since: Moment) -> SlotPermit {
        SlotPermit { shared: self.clone(), ticket, since }
    }
}

impl State {
    fn full(&mut self, now: Moment, wait: Duration) -> Refusal {
        self.tally.refused_full_total += 1;
        Refusal::Full { retry_after: self.retry_after(now, wait) }
    }

    fn retry_after(&self, now: Moment, wait: Duration) -> Duration {
        self.pace.expect(self.queue.waiting() as u64 + 1, now, wait)
    }

    /// Notes since when nothing has moved although somebody waits.
    fn watch(&mut self, now: Moment) {
        let stuck = self.queue.is_exhausted() && self.queue.waiting() > 0;
        self.stuck_since = stuck.then(|| self.stuck_since.unwrap_or(now));
    }
}

/// A slot. Dropping it gives it back.
#[derive(Debug)]
pub struct SlotPermit {
    shared: Arc<Shared>,
    ticket: Ticket,
    since: Moment,
}

impl Drop for SlotPermit {
    fn drop(&mut self) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        state.tally.held_total += 1;
        state.tally.held_seconds += now.saturating_sub(self.since).as_secs_f64();
        state.last_freed = Some(now);
        state.stuck_since = None;
        if state.queue.waiting() > 0 {
            state.pace.freed(1, now);
        }
        let granted = state.queue.release(self.ticket, now).and_then(|(place, ticket, since)| {
            let call = state.calls.remove(&place)?;
            state.tally.granted_total += 1;
            state.tally.waited_total += 1;
            state.tally.waited_seconds += now.saturating_sub(since).as_secs_f64();
            Some((call, self.shared.permit(ticket, now)))
        });
        state.watch(now);
        drop(state);
        if let Some((call, permit)) = granted {
            // If the waiter has just gone, the permit comes back here and is dropped: the slot falls to the next.
            drop(call.send(Ok(permit)));
        }
    }
}

/// A place in the queue that is given up when dropped.
#[derive(Debug)]
struct Waiting {
    shared: Arc<Shared>,
    place: Place,
}

impl Waiting {
    /// Gives the place up because the time is over. `None` if an answer is already on its way.
    fn expire(&self) -> Option<Refusal> {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        if !state.queue.leave(self.place, now) {
            return None;
        }
        state.calls.remove(&self.place);
        state.tally.refused_late_total += 1;
        state.watch(now);
        Some(Refusal::TimedOut { retry_after: state.retry_after(now, self.shared.wait) })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        if state.queue.leave(self.place, now) {
            state.calls.remove(&self.place);
            state.tally.abandoned_total += 1;
            state.watch(now);
        }
    }
}

pin_project! {
    /// A request for a slot, from [`Slots::acquire`].
    #[derive(Debug)]
    #[must_use = "dropping it gives the place in the queue back"]
    pub struct Acquire {
        #[pin]
        state: AcquireState,
    }
}

pin_project! {
    #[derive(Debug)]
    #[project = AcquireProj]
    enum AcquireState {
        Settled { answer: Option<Answer> },
        // The place is given up before the channel closes, so that a permit cannot be sent into the void in between.
        Waiting { waiting: Waiting, answer: oneshot::Receiver<Answer>, #[pin] deadline: Sleep },
    }
}

impl Acquire {
    fn settled(answer: Answer) -> Self {
        Self { state: AcquireState::Settled { answer: Some(answer) } }
    }
}

impl Future for Acquire {
    type Output = Answer;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Answer> {
        match self.project().state.project() {
            AcquireProj::Settled { answer } => answer.take().map_or(Poll::Pending, Poll::Ready),
            AcquireProj::Waiting { waiting, answer, deadline } => {
                if let Poll::Ready(Ok(answer)) = Pin::new(answer).poll(cx) {
                    return Poll::Ready(answer);
                }
                ready!(deadline.poll(cx));
                waiting.expire().map_or(Poll::Pending, |refusal| Poll::Ready(Err(refusal)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
