//! A budget of bytes, shared by all who hold buffers that are large or many.
//!
//! What is reserved is a promise about memory: reserve first, allocate after, and let the [`ByteGuard`] live as long as the
//! buffer. One large piece of work or many small ones fit side by side; who goes first is settled by
//! [`ledger`](super::ledger).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::oneshot, time::Instant};

use super::{
    ledger::{Grant, Ledger, Turn},
    pace::Pace,
    queue::Moment,
};

/// Why bytes were not lent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// It can never fit: waiting is of no use.
    #[error("{asked} bytes are more than the whole memory budget of {total}")]
    TooLarge { asked: u64, total: u64 },
    #[error("no memory came free in time")]
    TimedOut { retry_after: Duration },
}

/// Bytes in use and waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSnapshot {
    pub total: u64,
    pub used: u64,
    /// The most that was ever in use.
    pub peak: u64,
    /// Reservations that wait.
    pub waiting: usize,
}

/// A handle to the budget; clones share it.
#[derive(Clone, Debug)]
pub struct ByteBudget {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    opened: Instant,
    wait: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    ledger: Ledger,
    calls: HashMap<Turn, oneshot::Sender<ByteGuard>>,
    pace: Pace,
}

impl ByteBudget {
    /// `total` bytes, and the longest wait for any of them.
    pub fn new(total: u64, wait: Duration) -> Self {
        let state = State { ledger: Ledger::new(total), calls: HashMap::new(), pace: Pace::default() };
        Self { shared: Arc::new(Shared { opened: Instant::now(), wait, state: Mutex::new(state) }) }
    }

    /// Waits for `bytes`. Dropping the future leaves the line.
    ///
    /// # Errors
    /// [`BudgetError::TooLarge`] at once, [`BudgetError::TimedOut`] after the longest wait.
    pub async fn reserve(&self, bytes: u64) -> Result<ByteGuard, BudgetError> {
        self.reserve_within(bytes, self.shared.wait).await
    }

    /// As [`Self::reserve`], with a longest wait of its own: for who has waited for something else already.
    ///
    /// # Errors
    /// [`BudgetError::TooLarge`] at once, [`BudgetError::TimedOut`] after `wait`.
    pub async fn reserve_within(&self, bytes: u64, wait: Duration) -> Result<ByteGuard, BudgetError> {
        let (line, answer) = {
            let now = self.shared.now();
            let mut state = self.shared.lock();
            let total = state.ledger.total();
            if bytes > total {
                return Err(BudgetError::TooLarge { asked: bytes, total });
            }
            if state.ledger.lend(bytes) {
                return Ok(self.shared.guard(bytes));
            }
            if state.ledger.waiting() == 0 {
                state.pace.begin(now);
            }
            let turn = state.ledger.stand(bytes);
            let (call, answer) = oneshot::channel();
            state.calls.insert(turn, call);
            (InLine { shared: self.shared.clone(), turn }, answer)
        };
        match tokio::time::timeout(wait, answer).await {
            Ok(Ok(guard)) => Ok(guard),
            // The line is left when `line` drops; a guard that came just too late drops with the channel.
            Ok(Err(_)) | Err(_) => Err(line.timed_out(bytes)),
        }
    }

    /// Takes `bytes` if that needs no waiting.
    pub fn try_reserve(&self, bytes: u64) -> Option<ByteGuard> {
        self.shared.lock().ledger.lend(bytes).then(|| self.shared.guard(bytes))
    }

    pub fn snapshot(&self) -> BudgetSnapshot {
        let state = self.shared.lock();
        let ledger = &state.ledger;
        BudgetSnapshot { total: ledger.total(), used: ledger.used(), peak: ledger.peak(), waiting: ledger.waiting() }
    }
}

impl Shared {
    fn now(&self) -> Moment {
        self.opened.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics under this lock; if something ever does, bytes that are given back still must be counted.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guard(self: &Arc<Self>, bytes: u64) -> ByteGuard {
        ByteGuard { shared: self.clone(), bytes }
    }

    fn give_back(self: &Arc<Self>, bytes: u64) {
        let mut state = self.lock();
        if state.ledger.waiting() > 0 {
            state.pace.freed(bytes, self.now());
        }
        let granted = state.ledger.give_back(bytes);
        self.deliver(state, granted);
    }

    /// Sends what was granted, after the lock is released: a guard whose waiter has gone drops here and takes it again.
    fn deliver(self: &Arc<Self>, mut state: MutexGuard<'_, State>, granted: Vec<Grant>) {
        let calls: Vec<_> =
            granted.into_iter().filter_map(|grant| Some((state.calls.remove(&grant.turn)?, grant.bytes))).collect();
        drop(state);
        for (call, bytes) in calls {
            drop(call.send(self.guard(bytes)));
        }
    }
}

/// Bytes that are reserved. Dropping it gives them back.
#[derive(Debug)]
pub struct ByteGuard {
    shared: Arc<Shared>,
    bytes: u64,
}

impl ByteGuard {
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives back all but `bytes`; more than is held changes nothing.
    pub fn shrink_to(&mut self, bytes: u64) {
        let excess = self.bytes.saturating_sub(bytes);
        if excess > 0 {
            self.bytes -= excess;
            self.shared.give_back(excess);
        }
    }

    /// Moves up to `bytes` of these into a guard of their own.
    pub fn split(&mut self, bytes: u64) -> Self {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.shared.guard(bytes)
    }
}

impl Drop for ByteGuard {
    fn drop(&mut self) {
        self.shared.give_back(self.bytes);
    }
}

/// A place in line that is given up when dropped.
#[derive(Debug)]
struct InLine {
    shared: Arc<Shared>,
    turn: Turn,
}

impl InLine {
    fn timed_out(&self, bytes: u64) -> BudgetError {
        let state = self.shared.lock();
        let ahead = state.ledger.waiting_bytes().max(bytes);
        BudgetError::TimedOut { retry_after: state.pace.expect(ahead, self.shared.now(), self.shared.wait) }
    }
}

impl Drop for InLine {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        if let Some(granted) = state.ledger.leave(self.turn) {
            state.calls.remove(&self.turn);
            self.shared.deliver(state, granted);
        }
    }
}

#[cfg(test)]
mod tests;
