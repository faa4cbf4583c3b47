//! What a person is shown: each file in a line, and all of them in one.

use super::{End, Entry, Key, Line, Queue, Source, State};
use crate::upload::{answer::Stop, pace::Sent, words};

/// What a file weighs besides its bytes: what it takes to send even the smallest.
const SHARE: u64 = 64 << 10;
/// The most lines that are shown.
pub(super) const LINES: usize = 200;

/// What goes on, as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Phase {
    /// There are no files.
    #[default]
    Idle,
    /// Looking which are missing.
    Checking,
    Sending,
    Paused,
    /// The server asked for patience, for so many seconds.
    Busy(u32),
    Offline,
    Stopped(Stop),
    Done,
}

/// All files in one line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) phase: Phase,
    pub(crate) files: u32,
    pub(crate) settled: u32,
    pub(crate) hashed: u32,
    pub(crate) added: u32,
    pub(crate) here: u32,
    pub(crate) held: u32,
    /// Refused for good.
    pub(crate) refused: u32,
    /// Another try may do.
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
    pub(crate) cancelled: u32,
    /// Of a thousand.
    pub(crate) share: u32,
    /// What has gone over the line.
    pub(crate) sent: Sent,
    /// What is still to be done, in the measure of `sent`.
    pub(crate) left: u64,
}

impl Totals {
    /// Those that a person has to look at.
    pub(crate) const fn problems(&self) -> u32 {
        self.refused + self.failed
    }

    /// What goes on, in a few words.
    pub(crate) fn title(&self) -> String {
        let (word, number) = match self.phase {
            Phase::Idle => return String::new(),
            Phase::Done => return self.summary(),
            Phase::Checking => ("Checking ", self.hashed),
            Phase::Paused => ("Paused at ", self.settled),
            Phase::Offline => ("Offline at ", self.settled),
            Phase::Stopped(_) => ("Stopped at ", self.settled),
            Phase::Sending | Phase::Busy(_) => ("Sending ", self.settled),
        };
        [word, &number.to_string(), " of ", &self.files.to_string()].concat()
    }

    /// What there is to say about it; `pace`: how fast it goes, in words.
    pub(crate) fn note(&self, pace: &str) -> String {
        match &self.phase {
            Phase::Sending => pace,
            Phase::Paused => "What is on its way still arrives.",
            Phase::Busy(seconds) => return ["The server is busy: on in ", &seconds.to_string(), " s"].concat(),
            Phase::Offline => "It goes on by itself as soon as there is a connection.",
            Phase::Stopped(Stop::SignedOut) => "The session has ended: sign in, then go on.",
            Phase::Stopped(Stop::Refused(why)) => why,
            Phase::Idle | Phase::Checking | Phase::Done => "",
        }
        .to_owned()
    }

    /// What became of them, in a line.
    pub(crate) fn summary(&self) -> String {
        words::list(&[
            (self.added, "added"),
            (self.here, "already here"),
            (self.held, "held back, still checking"),
            (self.refused, "refused"),
            (self.failed, "failed"),
            (self.skipped, "left out"),
            (self.cancelled, "cancelled"),
        ])
    }
}

/// Where a file stands, as the page marks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Failed,
    Refused,
    Skipped,
    Sending,
    Waiting,
    Held,
    Added,
    Here,
    Cancelled,
}

impl Mark {
    /// In the order in which they are listed: what wants a person first.
    const ALL: [Self; 9] = [
        Self::Failed,
        Self::Refused,
        Self::Skipped,
        Self::Sending,
        Self::Waiting,
        Self::Held,
        Self::Added,
        Self::Here,
        Self::Cancelled,
    ];

    pub(crate) const fn may_be_retried(self) -> bool {
        matches!(self, Self::Failed | Self::Cancelled)
    }

    pub(crate) const fn may_be_cancelled(self) -> bool {
        matches!(self, Self::Sending | Self::Waiting)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Skipped => "skipped",
            Self::Sending => "sending",
            Self::Waiting => "waiting",
            Self::Held => "held",
            Self::Added => "added",
            Self::Here => "here",
            Self::Cancelled => "cancelled",
        }
    }
}

/// One file in a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) mark: Mark,
    pub(crate) note: String,
    /// Of a thousand, while it is on the line and that can be told.
    pub(crate) share: Option<u32>,
}

impl Entry {
    fn mark(&self) -> Mark {
        match &self.state {
            State::Sending => Mark::Sending,
            State::Settled(End::Failed(_)) => Mark::Failed,
            State::Settled(End::Skipped(_)) => Mark::Skipped,
            State::Settled(End::Cancelled) => Mark::Cancelled,
            State::Settled(End::Told(outcome)) if outcome.refused > 0 => Mark::Refused,
            State::Settled(End::Told(outcome)) if outcome.held > 0 => Mark::Held,
            State::Settled(End::Told(outcome)) if outcome.added > 0 => Mark::Added,
            State::Settled(End::Told(_)) => Mark::Here,
            _ => Mark::Waiting,
        }
    }

    fn note(&self) -> String {
        match &self.state {
            State::Waiting | State::Hashed | State::Asking => "Waiting",
            State::Hashing => "Reading",
            State::Ready if self.breaks > 0 => "Trying again soon",
            State::Ready => "Waiting",
            State::Sending if self.source == Source::Address => "Being fetched",
            State::Sending => "Sending",
            State::Settled(End::Failed(why)) => why,
            State::Settled(End::Skipped(why)) => why,
            State::Settled(End::Cancelled) => "Cancelled",
            State::Settled(End::Told(outcome)) => return outcome.note(),
        }
        .to_owned()
    }

    /// What did not go in weighs no more than the look at it.
    fn weight(&self) -> u64 {
        match &self.state {
            State::Settled(End::Told(outcome)) if outcome.came() => self.bytes + SHARE,
            State::Settled(_) => SHARE,
            _ => self.bytes + SHARE,
        }
    }
}

impl Queue {
    /// The file's name, with its folders, or the address.
    pub(crate) fn name(&self, key: Key) -> String {
        self.entries.get(key).map(|entry| entry.name.clone()).unwrap_or_default()
    }

    pub(crate) fn row(&self, key: Key) -> Option<Row> {
        let entry = self.entries.get(key)?;
        let share = (entry.state == State::Sending && entry.bytes > 0).then(|| thousandth(entry.sent, entry.bytes));
        Some(Row { mark: entry.mark(), note: entry.note(), share })
    }

    /// The first lines of the list: what wants a person first, then what moves, then what is done.
    pub(crate) fn order(&self) -> Vec<Key> {
        let mut order = Vec::new();
        for mark in Mark::ALL {
            let marked = self.entries.iter().enumerate().filter(|(_, entry)| entry.mark() == mark);
            order.extend(marked.map(|(key, _)| key).take(LINES - order.len()));
        }
        order
    }

    /// The files that are on the line.
    pub(crate) fn on_the_line(&self) -> Vec<Key> {
        let sent = |entry: &Entry| entry.state == State::Sending && entry.source != Source::Address;
        self.entries.iter().enumerate().filter(|(_, entry)| sent(entry)).map(|(key, _)| key).collect()
    }

    /// All the numbers by which the browser knows files.
    pub(crate) fn files(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().filter_map(|entry| match entry.source {
            Source::File(file) => Some(file),
            Source::Address => None,
        })
    }

    /// Whether anything is still to be done.
    pub(crate) fn is_active(&self) -> bool {
        self.entries.iter().any(|entry| !matches!(entry.state, State::Settled(_)))
    }

    /// All of it at a moment (milliseconds).
    pub(crate) fn totals(&self, now: f64) -> Totals {
        let mut totals = Totals { sent: Sent { bytes: self.line_bytes, weight: 0 }, ..Totals::default() };
        let (mut weight, mut done) = (0, 0);
        let mut moving = false;
        for entry in &self.entries {
            totals.files += 1;
            weight += entry.weight();
            match &entry.state {
                State::Settled(end) => {
                    totals.settled += 1;
                    done += entry.weight();
                    match end {
                        End::Told(outcome) => {
                            totals.added += outcome.added;
                            totals.here += outcome.here;
                            totals.held += outcome.held;
                            totals.refused += outcome.refused;
                            if outcome.added + outcome.held > 0 {
                                totals.sent.weight += entry.weight();
                            }
                        }
                        End::Failed(_) => totals.failed += 1,
                        End::Skipped(_) => totals.skipped += 1,
                        End::Cancelled => totals.cancelled += 1,
                    }
                }
                State::Sending => {
                    moving = true;
                    done += entry.sent;
                    totals.sent.bytes += entry.sent;
                    totals.sent.weight += entry.sent;
                }
                State::Ready => moving = true,
                _ => {}
            }
            totals.hashed += u32::from(!matches!(entry.state, State::Waiting | State::Hashing));
        }
        totals.left = weight - done;
        totals.share = thousandth(done, weight.max(1));
        totals.phase = self.phase(now, &totals, moving);
        totals
    }

    fn phase(&self, now: f64, totals: &Totals, moving: bool) -> Phase {
        match (&self.stop, self.line) {
            _ if totals.files == 0 => Phase::Idle,
            _ if totals.settled == totals.files => Phase::Done,
            (Some(stop), _) => Phase::Stopped(stop.clone()),
            _ if self.paused => Phase::Paused,
            (None, Line::Down { .. }) => Phase::Offline,
            _ if now < self.rests_until => Phase::Busy(((self.rests_until - now) / 1000.0).ceil() as u32),
            _ if moving => Phase::Sending,
            _ => Phase::Checking,
        }
    }
}

/// A part of a whole, of a thousand.
fn thousandth(part: u64, whole: u64) -> u32 {
    (part as f64 / whole as f64 * 1000.0) as u32
}
