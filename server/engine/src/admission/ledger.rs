//! The order in which bytes are lent: a pure state machine, like [`queue`](super::queue).
//!
//! Waiters stand in order of arrival. The first one goes as soon as it fits. While it does not fit, smaller ones behind it
//! may pass, but together they may pass it with no more bytes than the whole budget holds: then nobody passes any more,
//! the budget drains, and the first goes. So small work flows beside and in front of a large waiter, once the whole budget
//! over, and neither starves the other. The allowance is counted afresh for each first waiter.

use std::collections::BTreeMap;

/// A place in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Turn(u64);

/// A waiter that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grant {
    pub(super) turn: Turn,
    pub(super) bytes: u64,
}

#[derive(Debug)]
pub(super) struct Ledger {
    total: u64,
    used: u64,
    peak: u64,
    counter: u64,
    waiting: BTreeMap<Turn, u64>,
    waiting_bytes: u64,
    /// Bytes that have passed the one who is first now.
    passed: u64,
}

impl Ledger {
    pub(super) fn new(total: u64) -> Self {
        Self { total, used: 0, peak: 0, counter: 0, waiting: BTreeMap::new(), waiting_bytes: 0, passed: 0 }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn used(&self) -> u64 {
        self.used
    }

    pub(super) fn peak(&self) -> u64 {
        self.peak
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn waiting_bytes(&self) -> u64 {
        self.waiting_bytes
    }

    /// Lends without waiting. A newcomer is behind everybody, so it passes whoever is first.
    pub(super) fn lend(&mut self, bytes: u64) -> bool {
        let passes = !self.waiting.is_empty();
        if !self.fits(bytes) || (passes && !self.may_pass(bytes)) {
            return false;
        }
        if passes {
            self.passed += bytes;
        }
        self.take(bytes);
        true
    }

    /// Stands in line.
    pub(super) fn stand(&mut self, bytes: u64) -> Turn {
        self.counter += 1;
        let turn = Turn(self.counter);
        self.waiting.insert(turn, bytes);
        self.waiting_bytes += bytes;
        turn
    }

    /// Leaves the line: `None` if it is not in line any more, otherwise those who can go now that it is out of their way.
    pub(super) fn leave(&mut self, turn: Turn) -> Option<Vec<Grant>> {
        let first = self.first();
        let bytes = self.waiting.remove(&turn)?;
        self.waiting_bytes -= bytes;
        if first == Some(turn) {
            self.passed = 0;
        }
        Some(self.settle())
    }

    /// Takes bytes back, and names those who go now.
    pub(super) fn give_back(&mut self, bytes: u64) -> Vec<Grant> {
        self.used -= bytes;
        self.settle()
    }

    fn settle(&mut self) -> Vec<Grant> {
        let mut granted = Vec::new();
        let mut after = Turn(0);
        while self.used < self.total {
            let first = self.first();
            let next = self
                .waiting
                .range(after..)
                .find(|(turn, bytes)| self.fits(**bytes) && (Some(**turn) == first || self.may_pass(**bytes)));
            let Some((&turn, &bytes)) = next else { break };
            self.waiting.remove(&turn);
            self.waiting_bytes -= bytes;
            if Some(turn) == first {
                self.passed = 0;
                after = Turn(0);
            } else {
                self.passed += bytes;
                after = turn;
            }
            self.take(bytes);
            granted.push(Grant { turn, bytes });
        }
        granted
    }

    fn first(&self) -> Option<Turn> {
        self.waiting.first_key_value().map(|(turn, _)| *turn)
    }

    fn fits(&self, bytes: u64) -> bool {
        bytes <= self.total - self.used
    }

    fn may_pass(&self, bytes: u64) -> bool {
        bytes <= self.total - self.passed.min(self.total)
    }

    fn take(&mut self, bytes: u64) {
        self.used += bytes;
        self.peak = self.peak.max(self.used);
    }
}

#[cfg(test)]
mod tests;
