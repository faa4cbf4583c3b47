//! Random arrivals, departures, stalls and broken work; a panic looks like a release, a stall like no release.

use std::{collections::HashMap, time::Duration};

use proptest::prelude::*;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Step {
    Arrive(Ticket),
    /// The holder with this number, counted round, gives its slot back.
    Release(u8),
    /// The waiter with this number, counted round, goes away.
    Leave(u8),
    Pass(Duration),
}

/// Plain numbers, decoded in one go: a hundred thousand histories spend their time on the queue.
fn steps(longest_pass: u64) -> impl Strategy<Value = Vec<Step>> {
    let step = move |number: u16| {
        let n = (number >> 8) as u8;
        match number % 10 {
            0..=4 => Step::Arrive(Ticket {
                class: if n & 1 == 0 { Class::Light } else { Class::Heavy },
                // Parties 0 to 2 come twice as often as 3 and 4.
                party: u64::from(n >> 1) % 8 % 5,
            }),
            5..=7 => Step::Release(n),
            8 => Step::Leave(n),
            _ => Step::Pass(Duration::from_millis(longest_pass * u64::from(n) / 255)),
        }
    };
    prop::collection::vec(any::<u16>(), 1..60).prop_map(move |numbers| numbers.into_iter().map(step).collect())
}

/// What must be true, kept apart from the queue and in the plainest way.
struct World {
    queue: Queue,
    slots: usize,
    capacity: usize,
    now: Moment,
    holders: Vec<Ticket>,
    waiters: Vec<(Place, Ticket)>,
    /// How often a line that holds nothing and could have gone was passed by another, since it began to wait.
    passed: HashMap<(Ticket, Ticket), u32>,
    /// False once waiters may be passed over for having waited too long.
    strict: bool,
}

impl World {
    fn new(slots: usize, capacity: usize, strict: bool) -> Self {
        Self {
            queue: Queue::new(slots, capacity),
            slots,
            capacity,
            now: at(0),
            holders: vec![],
            waiters: vec![],
            passed: HashMap::new(),
            strict,
        }
    }

    fn holds(&self, ticket: Ticket) -> usize {
        self.holders.iter().filter(|held| **held == ticket).count()
    }

    fn waits(&self, ticket: Ticket) -> usize {
        self.waiters.iter().filter(|(_, waiting)| *waiting == ticket).count()
    }

    fn heavy(&self) -> usize {
        self.holders.iter().filter(|held| held.class == Class::Heavy).count()
    }

    fn may_go(&self, ticket: Ticket) -> bool {
        self.holders.len() < self.slots && (ticket.class == Class::Light || self.heavy() < heavy_limit(self.slots))
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Arrive(ticket) => self.arrive(ticket),
            Step::Release(n) if !self.holders.is_empty() => self.release(usize::from(n) % self.holders.len()),
            Step::Leave(n) if !self.waiters.is_empty() => {
                let (place, ticket) = self.waiters.remove(usize::from(n) % self.waiters.len());
                assert!(self.queue.leave(place, self.now));
                self.forget_passes(ticket);
            }
            Step::Pass(time) => self.now += time,
            Step::Release(_) | Step::Leave(_) => {}
        }
        self.check();
    }

    fn arrive(&mut self, ticket: Ticket) {
        let free = self.may_go(ticket);
        match self.queue.arrive(ticket, self.now) {
            Arrival::Granted => {
                assert!(free);
                self.holders.push(ticket);
            }
            Arrival::Full => {
                assert!(!free);
                assert_eq!(self.waiters.len(), self.capacity);
            }
            Arrival::Waits { place, displaced } => {
                assert!(!free);
                if let Some(displaced) = displaced {
                    let index = self.waiters.iter().position(|(place, _)| *place == displaced).unwrap();
                    let (_, loser) = self.waiters.remove(index);
                    assert!(!self.strict || self.waits(loser) > self.waits(ticket), "room is made by who has more");
                    self.forget_passes(loser);
                }
                self.waiters.push((place, ticket));
            }
        }
    }

    fn release(&mut self, index: usize) {
        let ticket = self.holders.swap_remove(index);
        let Some((place, next, _)) = self.queue.release(ticket, self.now) else { return };
        assert!(self.may_go(next), "a slot that does not exist, or that is kept");
        if self.strict {
            self.check_fair(place, next);
        }
        let index = self.waiters.iter().position(|(waiting, _)| *waiting == place).unwrap();
        self.waiters.remove(index);
        self.holders.push(next);
    }

    fn check_fair(&mut self, place: Place, next: Ticket) {
        let mut lines: Vec<_> = self.waiters.iter().map(|(_, ticket)| *ticket).filter(|t| self.may_go(*t)).collect();
        lines.sort();
        lines.dedup();
        assert!(lines.iter().all(|line| self.holds(*line) >= self.holds(next)), "someone holds less");
        let oldest = self.waiters.iter().find(|(_, ticket)| *ticket == next).unwrap().0;
        assert_eq!(oldest, place, "first in, first out");
        for line in lines.into_iter().filter(|line| *line != next && self.holders.iter().all(|held| held != line)) {
            let times = self.passed.entry((line, next)).or_default();
            *times += 1;
            assert!(*times <= 1, "{line:?} was passed twice by {next:?}");
        }
        self.passed.retain(|(line, _), _| *line != next);
    }

    fn forget_passes(&mut self, ticket: Ticket) {
        if self.waits(ticket) == 0 {
            self.passed.retain(|(line, _), _| *line != ticket);
        }
    }

    fn check(&self) {
        assert_eq!(self.queue.in_use(), self.holders.len());
        assert_eq!(self.queue.heavy_in_use(), self.heavy());
        assert_eq!(self.queue.waiting(), self.waiters.len());
        assert!(self.holders.len() <= self.slots);
        assert!(self.heavy() <= heavy_limit(self.slots));
        assert!(self.waiters.len() <= self.capacity);
        let idle = self.waiters.iter().find(|(_, ticket)| self.may_go(*ticket));
        assert_eq!(idle, None, "it could go and does not");
    }

    /// Every holder ends, and with them everybody who waits.
    fn drain(mut self) {
        while !self.holders.is_empty() {
            self.release(0);
            self.check();
        }
        assert_eq!(self.waiters, []);
        let Queue { lines, turns, lengths, spent, .. } = self.queue;
        assert!(lines.is_empty() && lengths.is_empty(), "nothing is remembered of who has gone");
        assert!(turns.iter().all(BTreeSet::is_empty) && spent.iter().all(BTreeSet::is_empty));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50_000, ..ProptestConfig::default() })]

    #[test]
    fn no_slot_is_lost_or_doubled_and_shares_are_fair(slots in 1_usize..=9, capacity in 0_usize..=12, steps in steps(15)) {
        let mut world = World::new(slots, capacity, true);
        steps.into_iter().for_each(|step| world.step(step));
        world.drain();
    }

    #[test]
    fn no_slot_is_lost_or_doubled_while_patience_runs_out(slots in 1_usize..=9, capacity in 0_usize..=12, steps in steps(20_000)) {
        let mut world = World::new(slots, capacity, false);
        steps.into_iter().for_each(|step| world.step(step));
        world.drain();
    }
}
