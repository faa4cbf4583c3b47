//! The policy, rule by rule; then random histories against what must hold in each.

use std::time::Duration;

use super::*;

mod histories;
mod overload;

fn at(seconds: u64) -> Moment {
    Duration::from_secs(seconds)
}

fn light(party: u64) -> Ticket {
    Ticket { class: Class::Light, party }
}

fn heavy(party: u64) -> Ticket {
    Ticket { class: Class::Heavy, party }
}

fn place(arrival: Arrival) -> Place {
    match arrival {
        Arrival::Waits { place, displaced: None } => place,
        other => panic!("{other:?}"),
    }
}

/// Who goes, one after the other, when `ticket`'s slot is given back again and again.
fn order(queue: &mut Queue, ticket: Ticket, now: Moment) -> Vec<Place> {
    let mut next = Some(ticket);
    std::iter::from_fn(|| {
        let (place, ticket, _) = queue.release(next?, now)?;
        next = Some(ticket);
        Some(place)
    })
    .collect()
}

#[test]
fn equals_go_in_the_order_of_their_arrival() {
    let mut queue = Queue::new(1, 10);
    assert_eq!(queue.arrive(light(1), at(0)), Arrival::Granted);
    let waiting: Vec<_> = (0..5).map(|_| place(queue.arrive(light(1), at(0)))).collect();
    assert_eq!(order(&mut queue, light(1), at(30)), waiting);
}

#[test]
fn strangers_go_in_the_order_of_their_arrival() {
    let mut queue = Queue::new(1, 10);
    assert_eq!(queue.arrive(light(0), at(0)), Arrival::Granted);
    let waiting: Vec<_> = (1..6).map(|party| place(queue.arrive(light(party), at(0)))).collect();
    assert_eq!(order(&mut queue, light(0), at(30)), waiting);
}

#[test]
fn heavy_bodies_never_take_every_slot() {
    for (slots, limit) in [(1, 1), (2, 1), (3, 2), (4, 3), (8, 6), (16, 12)] {
        let mut queue = Queue::new(slots, 100);
        let granted = (0..20).filter(|party| queue.arrive(heavy(*party), at(0)) == Arrival::Granted).count();
        assert_eq!(granted, limit, "of {slots} slots");
        let small = queue.arrive(light(99), at(0));
        assert_eq!(small == Arrival::Granted, slots > 1, "a thumbnail beside stalled originals, of {slots} slots");
    }
}

#[test]
fn a_slot_that_heavy_work_may_not_have_waits_for_light_work() {
    let mut queue = Queue::new(2, 10);
    assert_eq!(queue.arrive(heavy(1), at(0)), Arrival::Granted);
    let original = place(queue.arrive(heavy(2), at(0)));
    assert_eq!(queue.arrive(light(3), at(1)), Arrival::Granted);
    assert_eq!(queue.release(light(3), at(2)), None, "the second slot is kept");
    assert_eq!(queue.release(heavy(1), at(3)), Some((original, heavy(2), at(0))));
}

#[test]
fn a_flood_fills_its_own_line_only() {
    let mut queue = Queue::new(2, 1000);
    let flood: Vec<_> = (0..300).map(|_| queue.arrive(light(1), at(0))).collect();
    let newcomer = place(queue.arrive(light(2), at(1)));
    assert_eq!(flood.iter().filter(|arrival| **arrival == Arrival::Granted).count(), 2);
    assert_eq!(queue.release(light(1), at(1)).map(|(place, ..)| place), Some(newcomer));
}

#[test]
fn slots_in_hand_count_so_a_party_with_a_stalled_body_comes_after_one_with_none() {
    let mut queue = Queue::new(3, 10);
    for ticket in [light(1), light(1), light(2)] {
        assert_eq!(queue.arrive(ticket, at(0)), Arrival::Granted);
    }
    let one = place(queue.arrive(light(1), at(0)));
    let two = place(queue.arrive(light(2), at(1)));
    let three = place(queue.arrive(light(3), at(2)));
    assert_eq!(queue.release(light(1), at(3)).map(|(place, ..)| place), Some(three), "party 3 holds none");
    assert_eq!(queue.release(light(2), at(3)).map(|(place, ..)| place), Some(two), "now party 2 holds none");
    assert_eq!(queue.release(light(3), at(3)).map(|(place, ..)| place), Some(one));
}

#[test]
fn two_floods_take_turns() {
    let mut queue = Queue::new(1, 100);
    assert_eq!(queue.arrive(light(0), at(0)), Arrival::Granted);
    let first: Vec<_> = (0..3).map(|_| place(queue.arrive(light(1), at(0)))).collect();
    let second: Vec<_> = (0..3).map(|_| place(queue.arrive(light(2), at(0)))).collect();
    let turns: Vec<_> = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]).collect();
    assert_eq!(order(&mut queue, light(0), at(1)), turns);
}

#[test]
fn an_original_is_not_behind_the_gallery_of_its_own_reader() {
    let mut queue = Queue::new(4, 100);
    for _ in 0..50 {
        queue.arrive(light(1), at(0));
    }
    let original = place(queue.arrive(heavy(1), at(1)));
    assert_eq!(queue.release(light(1), at(1)).map(|(place, ..)| place), Some(original));
}

#[test]
fn a_full_queue_refuses_an_equal_and_makes_room_for_a_party_that_has_less() {
    let mut queue = Queue::new(1, 3);
    assert_eq!(queue.arrive(light(1), at(0)), Arrival::Granted);
    let flood: Vec<_> = (0..3).map(|_| place(queue.arrive(light(1), at(0)))).collect();
    assert_eq!(queue.arrive(light(1), at(0)), Arrival::Full);

    let Arrival::Waits { displaced, .. } = queue.arrive(light(2), at(0)) else { panic!("party 2 has nothing yet") };
    assert_eq!(displaced, Some(flood[2]), "the last of the longest line");
    assert_eq!(queue.arrive(light(2), at(0)), Arrival::Full, "two each would be one more than fits");
}

#[test]
fn a_queue_without_places_still_has_its_slots() {
    let mut queue = Queue::new(1, 0);
    assert_eq!(queue.arrive(light(1), at(0)), Arrival::Granted);
    assert_eq!(queue.arrive(light(2), at(0)), Arrival::Full);
    assert_eq!(queue.release(light(1), at(0)), None);
    assert_eq!(queue.arrive(light(2), at(0)), Arrival::Granted);
}

#[test]
fn a_place_is_given_up_once() {
    let mut queue = Queue::new(1, 10);
    assert_eq!(queue.arrive(light(1), at(0)), Arrival::Granted);
    let gone = place(queue.arrive(light(2), at(0)));
    let stays = place(queue.arrive(light(3), at(0)));
    assert!(queue.leave(gone, at(0)));
    assert!(!queue.leave(gone, at(0)));
    assert_eq!(order(&mut queue, light(1), at(0)), [stays]);
    assert!(!queue.leave(stays, at(0)), "it has had its slot");
}

#[test]
fn once_somebody_has_left_unserved_the_fresh_go_before_the_spent() {
    let mut queue = Queue::new(1, 10);
    assert_eq!(queue.arrive(light(0), at(0)), Arrival::Granted);
    let gone = place(queue.arrive(light(1), at(0)));
    let old = place(queue.arrive(light(2), at(1)));
    let older_in_line = place(queue.arrive(light(3), at(2)));
    let fresh = place(queue.arrive(light(3), at(8)));
    assert!(queue.leave(gone, at(10)), "patience is ten seconds, then");
    assert_eq!(
        order(&mut queue, light(0), at(10)),
        [fresh, older_in_line, old],
        "the spent last, the newest of them first"
    );
}

#[test]
fn the_lesson_is_forgotten_when_nobody_leaves_any_more() {
    let mut queue = Queue::new(1, 10);
    assert_eq!(queue.arrive(light(0), at(0)), Arrival::Granted);
    let gone = place(queue.arrive(light(1), at(0)));
    assert!(queue.leave(gone, at(10)));
    let old = place(queue.arrive(light(2), at(20)));
    let young = place(queue.arrive(light(3), at(29)));
    assert_eq!(order(&mut queue, light(0), at(31)), [old, young]);
}

#[test]
fn turning_the_page_teaches_nothing() {
    let mut queue = Queue::new(1, 10);
    assert_eq!(queue.arrive(light(0), at(0)), Arrival::Granted);
    let old = place(queue.arrive(light(2), at(0)));
    let gone = place(queue.arrive(light(1), at(9)));
    let young = place(queue.arrive(light(3), at(9)));
    assert!(queue.leave(gone, at(9) + Duration::from_millis(999)));
    assert_eq!(order(&mut queue, light(0), at(10)), [old, young]);
}

#[test]
fn in_a_full_queue_the_spent_make_room() {
    let mut queue = Queue::new(1, 2);
    assert_eq!(queue.arrive(light(0), at(0)), Arrival::Granted);
    let gone = place(queue.arrive(light(1), at(0)));
    let spent = place(queue.arrive(light(2), at(1)));
    assert!(queue.leave(gone, at(10)));
    place(queue.arrive(light(3), at(10)));
    let Arrival::Waits { displaced, .. } = queue.arrive(light(4), at(10)) else { panic!("there is room") };
    assert_eq!(displaced, Some(spent));
}
