//! What is to be done now.

use super::{Key, Line, Queue, Source, State, Target};
use crate::upload::answer::Outcome;

/// The most files that one question names.
const QUESTION: usize = 500;

/// Something to be done; its answer comes by one of the queue's `was_…`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Hash {
        key: Key,
        file: u32,
    },
    Ask {
        keys: Vec<Key>,
        target: Target,
        hashes: Vec<String>,
    },
    Send {
        key: Key,
        what: What,
        target: Target,
    },
    /// See whether the server is there.
    Look,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The file that the browser knows by this number.
    File(u32),
    /// What the server finds at this address.
    Address(String),
}

impl Queue {
    /// What to start now (milliseconds), until there is nothing more to start. Time alone can bring more: this is
    /// asked again with each answer and a few times a second.
    pub(crate) fn next(&mut self, now: f64) -> Option<Step> {
        if self.paused || self.stop.is_some() {
            return None;
        }
        if let Some(step) = self.hash() {
            return Some(step);
        }
        match self.line {
            Line::Up if now < self.rests_until => None,
            Line::Up => self.ask().or_else(|| self.send(now)),
            Line::Down { until, .. } if now < until => None,
            Line::Doubted | Line::Down { .. } if self.looking || !self.is_active() => None,
            Line::Doubted | Line::Down { .. } => {
                self.looking = true;
                Some(Step::Look)
            }
        }
    }

    /// One file at a time: its bytes are in memory while it is hashed.
    fn hash(&mut self) -> Option<Step> {
        if self.hashing {
            return None;
        }
        while let Some(key) = self.waiting.pop_front() {
            let Some(entry) = self.entries.get_mut(key) else { continue };
            if let (State::Waiting, Source::File(file)) = (&entry.state, entry.source) {
                entry.state = State::Hashing;
                self.hashing = true;
                return Some(Step::Hash { key, file });
            }
        }
        None
    }

    /// A few questions for many files, the first ones early: 8 files, then 32, 128, 500; at the end the rest.
    fn ask(&mut self) -> Option<Step> {
        let entries = &self.entries;
        self.hashed.retain(|key| entries.get(*key).is_some_and(|entry| entry.state == State::Hashed));
        let enough = 8_usize.checked_shl(2 * self.asked).unwrap_or(QUESTION).min(QUESTION);
        let all = !self.hashing && self.waiting.is_empty();
        let target = self.hashed.first().and_then(|key| self.entries.get(*key)).map(|entry| entry.target)?;
        if self.asking || (self.hashed.len() < enough && !all) {
            return None;
        }
        let (mut keys, mut hashes, mut later) = (Vec::new(), Vec::new(), Vec::new());
        for key in self.hashed.drain(..) {
            match self.entries.get_mut(key) {
                Some(entry) if entry.target == target && keys.len() < QUESTION => {
                    entry.state = State::Asking;
                    hashes.extend(entry.hash.clone());
                    keys.push(key);
                }
                _ => later.push(key),
            }
        }
        self.hashed = later;
        self.asking = true;
        self.asked += 1;
        Some(Step::Ask { keys, target: self.targets.get(target)?.clone(), hashes })
    }

    fn send(&mut self, now: f64) -> Option<Step> {
        let mut place = 0;
        while self.sending < self.at_once {
            let key = *self.ready.get(place)?;
            let Some(entry) = self.entries.get(key).filter(|entry| entry.state == State::Ready) else {
                self.ready.remove(place);
                continue;
            };
            if now < entry.rests_until {
                place += 1;
                continue;
            }
            match self.twin(key) {
                Some(true) => {
                    self.ready.remove(place);
                    self.settle(key, super::End::Told(Outcome::here()));
                    continue;
                }
                Some(false) => {
                    place += 1;
                    continue;
                }
                None => {}
            }
            self.ready.remove(place);
            let entry = self.entries.get_mut(key)?;
            entry.state = State::Sending;
            self.sending += 1;
            let target = self.targets.get(entry.target)?.clone();
            let what = match entry.source {
                Source::File(file) => What::File(file),
                Source::Address => What::Address(entry.name.clone()),
            };
            return Some(Step::Send { key, what, target });
        }
        None
    }

    /// Whether a file of the same bytes has arrived in the same place (true) or is on its way there (false).
    fn twin(&self, key: Key) -> Option<bool> {
        let entry = self.entries.get(key)?;
        let hash = entry.hash.as_ref()?;
        let mut found = None;
        for other in
            self.entries.iter().filter(|other| other.target == entry.target && other.hash.as_ref() == Some(hash))
        {
            match &other.state {
                State::Settled(super::End::Told(outcome)) if outcome.refused == 0 => return Some(true),
                State::Sending => found = Some(false),
                _ => {}
            }
        }
        found
    }
}
