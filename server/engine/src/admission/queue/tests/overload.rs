//! A minute at three times the load that can be served, with clients that give up.

use std::{collections::VecDeque, time::Duration};

use super::*;

const SLOTS: usize = 8;
const TICK: Duration = Duration::from_millis(5);
/// How long one answer takes, once it has its slot.
const WORK: Duration = Duration::from_millis(100);
/// Arrivals in a second: three times what eight slots can do.
const ARRIVALS: usize = 240;
const SECONDS: u64 = 60;
/// What can be served in that time.
const CAPACITY: usize = SLOTS * 10 * SECONDS as usize;

/// Runs the storm and counts the answers that came while their client was still there.
fn completions(patience: Duration, places: usize, party: impl Fn(usize) -> u64) -> usize {
    let mut queue = Queue::new(SLOTS, places);
    let mut running: VecDeque<(Moment, Ticket, Moment)> = VecDeque::new();
    let mut waiting: VecDeque<(Moment, Place)> = VecDeque::new();
    let (mut answered, mut arrived) = (0, 0);
    let mut now = at(0);
    while now < at(SECONDS) {
        while running.front().is_some_and(|(end, ..)| *end <= now) {
            let Some((_, ticket, since)) = running.pop_front() else { break };
            answered += usize::from(now - since <= patience);
            if let Some((_, ticket, since)) = queue.release(ticket, now) {
                running.push_back((now + WORK, ticket, since));
            }
        }
        while waiting.front().is_some_and(|(since, _)| now - *since >= patience) {
            let Some((_, place)) = waiting.pop_front() else { break };
            queue.leave(place, now);
        }
        while arrived * 1000 < ARRIVALS * now.as_millis() as usize {
            arrived += 1;
            let ticket = light(party(arrived));
            match queue.arrive(ticket, now) {
                Arrival::Granted => running.push_back((now + WORK, ticket, now)),
                Arrival::Waits { place, .. } => waiting.push_back((now, place)),
                Arrival::Full => {}
            }
        }
        now += TICK;
    }
    answered
}

#[test]
fn completions_stay_near_capacity_however_patient_the_clients_are() {
    for seconds in [1, 2, 5, 10, 30, 60] {
        for (who, parties) in [("one party", 1), ("ten parties", 10), ("strangers", usize::MAX)] {
            let answered = completions(at(seconds), 4096, |n| (n % parties) as u64);
            let share = answered * 100 / CAPACITY;
            assert!(share >= 95, "{share} % of capacity with {who} that wait {seconds} s");
        }
    }
}

#[test]
fn a_short_queue_stays_near_capacity_too() {
    for places in [8, 64, 512] {
        let answered = completions(at(5), places, |n| n as u64);
        let share = answered * 100 / CAPACITY;
        assert!(share >= 95, "{share} % of capacity with {places} places");
    }
}
