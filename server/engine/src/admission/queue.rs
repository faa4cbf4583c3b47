//! The scheduler: who takes the next free slot.
//!
//! A pure state machine. It owns the order and the counts, knows no clock, no waker and no lock, and is told the time by
//! its caller, so that a hundred thousand histories cost a test a few seconds. It must never hand out more slots than
//! there are, nor leave a slot empty while somebody who may have it waits.
//!
//! The policy, in the order in which it decides:
//!
//! 1. **Reserve.** Heavy work (bodies that are paced by a client's line) may hold at most [`heavy_limit`] slots. What is
//!    kept free is for light work, so that small answers flow while every heavy body stalls.
//! 2. **Shares.** One party's waiters of one class form a *line*. The line that holds the fewest slots goes first; among
//!    those that hold equally many, the one whose turn came longest ago. A party that floods the queue fills its own line
//!    and nothing else.
//! 3. **Order.** Within a line, first in, first out.
//! 4. **Patience.** When waiters leave unserved, the queue has become longer than people wait. From then on whoever has
//!    waited more than half as long as the leavers did is *spent*: served only when nobody fresher may go, the newest
//!    first. Without this a queue under steady overload serves only those who are about to give up, and its work is thrown
//!    away. The lesson is forgotten when nobody has left for twice that age.
//! 5. **Room.** In a full queue the oldest spent waiter makes room for a newcomer; if there is none, the last of the
//!    longest line does, when that line is longer than the newcomer's would become; otherwise the newcomer is refused.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Duration,
};

/// Time since the queue was opened.
pub(super) type Moment = Duration;

/// A wait shorter than this teaches nothing when it is broken off: somebody turned the page.
const SHORTEST_LESSON: Duration = Duration::from_secs(1);

/// How a request holds its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Small answers, mostly ready: thumbnails and previews.
    Light,
    /// Large bodies that last as long as the client's line takes: originals, posters, exports.
    Heavy,
}

/// What admission needs to know of a request: its class, and whose share of the slots it draws on.
///
/// `party` is opaque: a hash of a session, a token or an address. It is also the name of a line: equal tickets are equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket {
    pub class: Class,
    pub party: u64,
}

/// The slots that heavy work may hold at once: all but a quarter, and all but one at the least.
///
/// With a single slot nothing can be kept back: heavy work would otherwise never run at all.
pub(super) fn heavy_limit(slots: usize) -> usize {
    if slots <= 1 { slots } else { slots - (slots / 4).max(1) }
}

/// A place in the queue. Numbers are never used twice, and grow with the time of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place(u64);

/// What became of an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It holds a slot.
    Granted,
    /// It waits; `displaced` lost its place to it.
    Waits { place: Place, displaced: Option<Place> },
    /// There is no room for it.
    Full,
}

/// One party's waiters of one class.
#[derive(Debug, Default)]
struct Line {
    in_use: usize,
    /// When this line was last served or, if later, when it began to wait. The smallest turn is next.
    turn: u64,
    waiting: BTreeSet<Place>,
}

#[derive(Debug)]
struct Waiter {
    ticket: Ticket,
    since: Moment,
}

/// What those who left have taught.
#[derive(Debug)]
struct Patience {
    age: Duration,
    until: Moment,
}

#[derive(Debug)]
pub(super) struct Queue {
    slots: usize,
    capacity: usize,
    in_use: usize,
    heavy_in_use: usize,
    counter: u64,
    waiters: BTreeMap<Place, Waiter>,
    lines: HashMap<Ticket, Line>,
    /// Of each class, the lines in which somebody waits: fewest slots first, then the oldest turn.
    turns: [BTreeSet<(usize, u64, Ticket)>; 2],
    /// The lines in which somebody waits, by length.
    lengths: BTreeSet<(usize, Ticket)>,
    /// Of each class, those who were passed over because their patience is nearly gone. They are in no line.
    spent: [BTreeSet<Place>; 2],
    patience: Option<Patience>,
}

impl Queue {
    /// A queue of `capacity` places in front of `slots` slots; no slots count as one.
    pub(super) fn new(slots: usize, capacity: usize) -> Self {
        Self {
            slots: slots.max(1),
            capacity,
            in_use: 0,
            heavy_in_use: 0,
            counter: 0,
            waiters: BTreeMap::new(),
            lines: HashMap::new(),
            turns: Default::default(),
            lengths: BTreeSet::new(),
            spent: Default::default(),
            patience: None,
        }
    }

    pub(super) fn in_use(&self) -> usize {
        self.in_use
    }

    pub(super) fn heavy_in_use(&self) -> usize {
        self.heavy_in_use
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiters.len()
    }

    /// True while every slot is held.
    pub(super) fn is_exhausted(&self) -> bool {
        self.in_use >= self.slots
    }

    /// Takes a slot for the newcomer, or a place, or refuses it.
    pub(super) fn arrive(&mut self, ticket: Ticket, now: Moment) -> Arrival {
        // Whenever a slot falls free it is given away at once, so a free one here means that nobody waits who may have it.
        if self.may_go(ticket.class) {
            self.take(ticket);
            return Arrival::Granted;
        }
        let displaced = if self.waiters.len() < self.capacity {
            None
        } else {
            match self.make_room(ticket, now) {
                Some(place) => Some(place),
                None => return Arrival::Full,
            }
        };
        let turn = self.next();
        let place = Place(turn);
        self.waiters.insert(place, Waiter { ticket, since: now });
        self.with_line(ticket, |line| {
            if line.waiting.is_empty() {
                line.turn = turn;
            }
            line.waiting.insert(place);
        });
        Arrival::Waits { place, displaced }
    }

    /// Gives a slot back, and says who has it now.
    pub(super) fn release(&mut self, ticket: Ticket, now: Moment) -> Option<(Place, Ticket, Moment)> {
        self.in_use -= 1;
        if ticket.class == Class::Heavy {
            self.heavy_in_use -= 1;
        }
        self.with_line(ticket, |line| line.in_use -= 1);

        let place = self.pick(now)?;
        let waiter = self.remove(place)?;
        self.take(waiter.ticket);
        Some((place, waiter.ticket, waiter.since))
    }

    /// Gives up a place. False if it had been given a slot, or had lost its place, before.
    pub(super) fn leave(&mut self, place: Place, now: Moment) -> bool {
        let Some(waiter) = self.remove(place) else { return false };
        let age = now.saturating_sub(waiter.since);
        if age >= SHORTEST_LESSON {
            let known = self.patience(now).map_or(age, |known| known.min(age));
            let until = self.patience.as_ref().map_or(now, |patience| patience.until).max(now + 2 * age);
            self.patience = Some(Patience { age: known, until });
        }
        true
    }

    fn may_go(&self, class: Class) -> bool {
        !self.is_exhausted() && (class == Class::Light || self.heavy_in_use < heavy_limit(self.slots))
    }

    fn classes(&self) -> impl Iterator<Item = Class> {
        [Class::Light, Class::Heavy].into_iter().filter(|class| self.may_go(*class))
    }

    /// Chooses who goes next, and sets those aside who have waited too long to be worth it.
    fn pick(&mut self, now: Moment) -> Option<Place> {
        while let Some((.., ticket)) = self.classes().filter_map(|class| self.turns[class as usize].first()).min() {
            let ticket = *ticket;
            let place = *self.lines.get(&ticket)?.waiting.first()?;
            if !self.is_spent(place, now) {
                return Some(place);
            }
            self.with_line(ticket, |line| {
                line.waiting.remove(&place);
            });
            self.spent[ticket.class as usize].insert(place);
        }
        self.classes().filter_map(|class| self.spent[class as usize].last()).max().copied()
    }

    fn make_room(&mut self, newcomer: Ticket, now: Moment) -> Option<Place> {
        let oldest = self.waiters.first_key_value().map(|(place, _)| *place)?;
        let place = if self.is_spent(oldest, now) {
            oldest
        } else {
            let own = self.lines.get(&newcomer).map_or(0, |line| line.waiting.len());
            let (length, longest) = self.lengths.last()?;
            if *length <= own + 1 {
                return None;
            }
            *self.lines.get(longest)?.waiting.last()?
        };
        self.remove(place);
        Some(place)
    }

    fn patience(&self, now: Moment) -> Option<Duration> {
        self.patience.as_ref().filter(|patience| now < patience.until).map(|patience| patience.age)
    }

    fn is_spent(&self, place: Place, now: Moment) -> bool {
        let (Some(patience), Some(waiter)) = (self.patience(now), self.waiters.get(&place)) else { return false };
        now.saturating_sub(waiter.since) > patience / 2
    }

    fn take(&mut self, ticket: Ticket) {
        self.in_use += 1;
        if ticket.class == Class::Heavy {
            self.heavy_in_use += 1;
        }
        let turn = self.next();
        self.with_line(ticket, |line| {
            line.in_use += 1;
            line.turn = turn;
        });
    }

    fn remove(&mut self, place: Place) -> Option<Waiter> {
        let waiter = self.waiters.remove(&place)?;
        if !self.spent[waiter.ticket.class as usize].remove(&place) {
            self.with_line(waiter.ticket, |line| {
                line.waiting.remove(&place);
            });
        }
        Some(waiter)
    }

    fn next(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Changes a line and keeps the indexes true to it; a line without slots and waiters is forgotten.
    fn with_line(&mut self, ticket: Ticket, change: impl FnOnce(&mut Line)) {
        let turns = &mut self.turns[ticket.class as usize];
        let line = self.lines.entry(ticket).or_default();
        if !line.waiting.is_empty() {
            turns.remove(&(line.in_use, line.turn, ticket));
            self.lengths.remove(&(line.waiting.len(), ticket));
        }
        change(line);
        if !line.waiting.is_empty() {
            turns.insert((line.in_use, line.turn, ticket));
            self.lengths.insert((line.waiting.len(), ticket));
        } else if line.in_use == 0 {
            self.lines.remove(&ticket);
        }
    }
}

#[cfg(test)]
mod tests;
