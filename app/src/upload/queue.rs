//! The files on their way in, and where each stands. [`next`] says what is to be done now, [`totals`] what is shown.
//!
//! A file is hashed, asked about, sent if it is missing, and settled. Whatever goes wrong on the line puts it back, never
//! away: only an answer of the server, a broken file or a person settles one.

mod next;
mod totals;

use std::{collections::VecDeque, mem};

use super::answer::{Answer, Outcome, Stop, Trouble};
use crate::{
    model::{Kind, Slug},
    upload::words,
};

pub(crate) use next::{Step, What};
pub(crate) use totals::{Mark, Phase, Row, Totals};

/// The place of a file in the list.
pub(crate) type Key = usize;

/// How many are sent at once: the browser has six connections, of which the pictures on screen have three.
const AT_ONCE: usize = 2;
/// How often the line may break under one file, while it holds for others.
const BREAKS: u8 = 3;
/// How long such a file waits before it goes again, in milliseconds, times the breaks.
const BREAK_PAUSE: f64 = 2000.0;
/// Waits between looks at whether the server is there again, in milliseconds.
const DOWN_PAUSES: [f64; 6] = [1000.0, 2000.0, 4000.0, 8000.0, 15_000.0, 30_000.0];

/// Where pictures go, within the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) subject: Slug,
    pub(crate) kind: Kind,
}

/// What comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A file that the browser knows by this number.
    File(u32),
    /// What lies at an address, which is its name.
    Address,
}

/// A file before it is in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) file: u32,
    /// With the folders that it was found in.
    pub(crate) path: String,
    /// Absent where it cannot be read.
    pub(crate) bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// For its hash.
    Waiting,
    Hashing,
    /// For the question whether it is missing.
    Hashed,
    Asking,
    /// To be sent.
    Ready,
    Sending,
    Settled(End),
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Told(Outcome),
    /// Another try may do.
    Failed(String),
    /// Never meant to be sent.
    Skipped(&'static str),
    Cancelled,
}

#[derive(Clone, Debug)]
struct Entry {
    source: Source,
    name: String,
    bytes: u64,
    target: usize,
    hash: Option<String>,
    state: State,
    /// Of its bytes, those that are on the line.
    sent: u64,
    breaks: u8,
    /// Not before that moment (milliseconds).
    rests_until: f64,
}

/// Whether anything can be sent at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Line {
    #[default]
    Up,
    /// It broke once: is the server there?
    Doubted,
    /// It is not; the next look is due at that moment (milliseconds).
    Down { until: f64, looks: usize },
}

/// All of them.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    entries: Vec<Entry>,
    targets: Vec<Target>,
    /// The largest file that is taken in.
    limit: u64,
    /// Whether this browser can hash here.
    hashes: bool,
    waiting: VecDeque<Key>,
    hashed: Vec<Key>,
    ready: VecDeque<Key>,
    hashing: bool,
    asking: bool,
    /// How many questions were asked: the first ones come early and are small.
    asked: u32,
    sending: usize,
    /// How many may be.
    at_once: usize,
    line: Line,
    looking: bool,
    /// Those under which the line broke since it was last known to hold.
    broken: Vec<Key>,
    /// The server asked for patience until that moment (milliseconds).
    rests_until: f64,
    paused: bool,
    stop: Option<Stop>,
    /// What went over the line with files that are settled.
    line_bytes: u64,
}

impl Queue {
    /// `hashes`: whether this browser can hash here; `limit`: the largest file that is taken in.
    pub(crate) fn new(limit: u64, hashes: bool) -> Self {
        Self {
            entries: Vec::new(),
            targets: Vec::new(),
            limit,
            hashes,
            waiting: VecDeque::new(),
            hashed: Vec::new(),
            ready: VecDeque::new(),
            hashing: false,
            asking: false,
            asked: 0,
            sending: 0,
            at_once: AT_ONCE,
            line: Line::Up,
            looking: false,
            broken: Vec::new(),
            rests_until: 0.0,
            paused: false,
            stop: None,
            line_bytes: 0,
        }
    }

    /// Takes files into the list. Those that need not be sent are settled at once, visibly.
    pub(crate) fn add(&mut self, target: &Target, found: Vec<Found>) {
        for Found { file, path, bytes } in found {
            let hidden = path.split('/').any(|part| part.starts_with('.'));
            let end = match bytes {
                _ if hidden => Some(End::Skipped("Hidden files are left out.")),
                None => Some(End::Skipped("It cannot be read.")),
                Some(0) => Some(End::Skipped("It is empty.")),
                Some(bytes) if bytes > self.limit => {
                    let limit = words::limit(self.limit);
                    let why = ["It is larger than the ", &limit, " that are taken in at most."].concat();
                    Some(End::Told(Outcome::refused(why)))
                }
                Some(_) => None,
            };
            self.enter(target, Source::File(file), path, bytes.unwrap_or_default(), end);
        }
    }

    /// Takes addresses into the list: one a line; an empty line is none.
    pub(crate) fn add_addresses(&mut self, target: &Target, lines: &str) {
        for address in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.enter(target, Source::Address, address.to_owned(), 0, None);
        }
    }

    fn enter(&mut self, target: &Target, source: Source, name: String, bytes: u64, end: Option<End>) {
        let place = self.targets.iter().position(|known| known == target).unwrap_or_else(|| {
            self.targets.push(target.clone());
            self.targets.len() - 1
        });
        let state = end.map_or(State::Waiting, State::Settled);
        let open = state == State::Waiting;
        let entry =
            Entry { source, name, bytes, target: place, hash: None, state, sent: 0, breaks: 0, rests_until: 0.0 };
        self.entries.push(entry);
        if open {
            self.start(self.entries.len() - 1);
        }
    }

    /// Puts a file where it begins: what has a hash or can have none is ready.
    fn start(&mut self, key: Key) {
        let hashes = self.hashes;
        let Some(entry) = self.entries.get_mut(key) else { return };
        entry.sent = 0;
        if hashes && entry.hash.is_none() && entry.source != Source::Address {
            entry.state = State::Waiting;
            self.waiting.push_back(key);
        } else {
            entry.state = State::Ready;
            self.ready.push_back(key);
        }
    }

    /// The browser has read a file: its hash, or why it could not.
    pub(crate) fn was_hashed(&mut self, key: Key, hash: Result<String, String>) {
        self.hashing = false;
        let Some(entry) = self.entries.get_mut(key).filter(|entry| entry.state == State::Hashing) else { return };
        match hash {
            Ok(hash) => {
                entry.hash = Some(hash);
                entry.state = State::Hashed;
                self.hashed.push(key);
            }
            Err(why) => self.settle(key, End::Failed(why)),
        }
    }

    /// The server has been asked which of these are missing.
    pub(crate) fn was_asked(&mut self, keys: &[Key], answer: &Answer, now: f64) {
        self.asking = false;
        let missing = match answer.missing() {
            Ok(missing) => Some(missing),
            // Without an answer all are sent: the server finds out by itself.
            Err(Trouble::Failed(_)) => None,
            Err(trouble) => {
                self.trouble(trouble, now);
                for &key in keys {
                    if let Some(entry) = self.asked_about(key) {
                        entry.state = State::Hashed;
                        self.hashed.push(key);
                    }
                }
                return;
            }
        };
        self.holds();
        for &key in keys {
            let Some(entry) = self.asked_about(key) else { continue };
            let there = match (&missing, &entry.hash) {
                (Some(missing), Some(hash)) => !missing.contains(hash),
                _ => false,
            };
            if there {
                self.settle(key, End::Told(Outcome::here()));
            } else {
                entry.state = State::Ready;
                self.ready.push_back(key);
            }
        }
    }

    fn asked_about(&mut self, key: Key) -> Option<&mut Entry> {
        self.entries.get_mut(key).filter(|entry| entry.state == State::Asking)
    }

    /// The server has answered to a file, or has not. Whether pictures have come of it.
    pub(crate) fn was_sent(&mut self, key: Key, answer: &Answer, now: f64) -> bool {
        self.sending = self.sending.saturating_sub(1);
        // Cancelled meanwhile.
        if self.entries.get(key).is_none_or(|entry| entry.state != State::Sending) {
            return false;
        }
        match answer.told() {
            Ok(told) => {
                self.holds();
                let outcome = Outcome::of(&told);
                let added = outcome.added > 0;
                self.settle(key, End::Told(outcome));
                return added;
            }
            Err(Trouble::Failed(why)) => self.settle(key, End::Failed(why)),
            Err(trouble) => {
                // Where the server cannot be reached, no file is to blame.
                if trouble == Trouble::Line && !matches!(self.line, Line::Down { .. }) {
                    self.broken.push(key);
                }
                self.trouble(trouble, now);
                if let Some(entry) = self.entries.get_mut(key) {
                    entry.state = State::Ready;
                    entry.sent = 0;
                }
                self.ready.push_front(key);
            }
        }
        false
    }

    fn trouble(&mut self, trouble: Trouble, now: f64) {
        match trouble {
            Trouble::Line if self.line == Line::Up => self.line = Line::Doubted,
            Trouble::Line | Trouble::Failed(_) => {}
            Trouble::Busy(seconds) => self.rests_until = now + seconds.max(1) as f64 * 1000.0,
            Trouble::Stop(stop) => self.stop = Some(stop),
        }
    }

    /// The server answered: the line holds.
    fn holds(&mut self) {
        if matches!(self.line, Line::Down { .. }) {
            self.line = Line::Up;
        }
    }

    /// Whether the server was there when it was looked for.
    pub(crate) fn was_looked(&mut self, there: bool, now: f64) {
        self.looking = false;
        let broken = mem::take(&mut self.broken);
        if !there {
            let looks = if let Line::Down { looks, .. } = self.line { looks } else { 0 };
            let pause = DOWN_PAUSES.get(looks).or(DOWN_PAUSES.last()).copied().unwrap_or_default();
            self.line = Line::Down { until: now + pause, looks: looks + 1 };
            return;
        }
        self.line = Line::Up;
        for key in broken {
            let Some(entry) = self.entries.get_mut(key).filter(|entry| entry.state == State::Ready) else { continue };
            entry.breaks += 1;
            entry.rests_until = now + BREAK_PAUSE * f64::from(entry.breaks);
            if entry.breaks >= BREAKS {
                self.settle(key, End::Failed("The line broke each time that it was sent.".to_owned()));
            }
        }
    }

    /// The browser says that it has no line, or has one again.
    pub(crate) fn line_changed(&mut self, online: bool, now: f64) {
        self.line = match (online, self.line) {
            (true, Line::Down { .. }) => Line::Down { until: now, looks: 0 },
            (true, line) => line,
            (false, _) => Line::Down { until: now + 30_000.0, looks: 0 },
        };
    }

    /// What of a file is on the line by now.
    pub(crate) fn has_sent(&mut self, key: Key, bytes: u64) {
        if let Some(entry) = self.entries.get_mut(key).filter(|entry| entry.state == State::Sending) {
            entry.sent = bytes.min(entry.bytes);
        }
    }

    /// Starts nothing more; what is on the line may arrive.
    pub(crate) fn pause(&mut self) {
        self.paused = true;
    }

    /// Goes on, after a pause or after a person has seen to what stopped it.
    pub(crate) fn resume(&mut self) {
        self.paused = false;
        self.stop = None;
    }

    /// Gives a file up. Whether it is on the line and has to be cut off.
    fn cancel(&mut self, key: Key) -> bool {
        let Some(entry) = self.entries.get(key) else { return false };
        let (open, sending) = (!matches!(entry.state, State::Settled(_)), entry.state == State::Sending);
        if open {
            self.settle(key, End::Cancelled);
        }
        sending
    }

    /// Gives up all that is not settled. Returns those that have to be cut off.
    pub(crate) fn cancel_all(&mut self) -> Vec<Key> {
        let cut = (0..self.entries.len()).filter(|key| self.cancel(*key)).collect();
        self.resume();
        cut
    }

    /// Tries a file once more that failed or was given up.
    fn retry(&mut self, key: Key) {
        let Some(entry) = self.entries.get_mut(key) else { return };
        if matches!(entry.state, State::Settled(End::Failed(_) | End::Cancelled)) {
            (entry.breaks, entry.rests_until) = (0, 0.0);
            self.start(key);
        }
    }

    /// Gives a file up, or tries it once more where it failed or was given up. Whether it has to be cut off.
    pub(crate) fn turn(&mut self, key: Key) -> bool {
        let Some(entry) = self.entries.get(key) else { return false };
        if matches!(entry.state, State::Settled(_)) {
            self.retry(key);
            return false;
        }
        self.cancel(key)
    }

    /// Tries all once more that failed.
    pub(crate) fn retry_failed(&mut self) {
        for key in 0..self.entries.len() {
            if self.entries.get(key).is_some_and(|entry| matches!(entry.state, State::Settled(End::Failed(_)))) {
                self.retry(key);
            }
        }
    }

    fn settle(&mut self, key: Key, end: End) {
        let Some(entry) = self.entries.get_mut(key) else { return };
        if entry.state == State::Sending && matches!(end, End::Told(_)) {
            self.line_bytes += entry.bytes;
        }
        entry.state = State::Settled(end);
        entry.sent = 0;
    }
}

#[cfg(test)]
mod tests;
