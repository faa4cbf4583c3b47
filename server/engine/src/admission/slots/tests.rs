use super::*;
use crate::admission::Class;

const LIGHT: Ticket = Ticket { class: Class::Light, party: 1 };

fn slots(slots: usize, queue: usize) -> Slots {
    Slots::new(SlotsConfig { slots, queue, wait: Duration::from_secs(60) })
}

#[tokio::test(start_paused = true)]
async fn the_places_in_the_queue_are_taken_in_the_order_of_the_calls() {
    let slots = slots(1, 10);
    let held = slots.acquire(LIGHT).await.unwrap();
    let (first, second) = (slots.acquire(LIGHT), slots.acquire(LIGHT));
    let second = tokio::spawn(second);
    tokio::task::yield_now().await;
    drop(held);
    let first = first.await.unwrap();
    assert!(!second.is_finished());
    drop(first);
    second.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_slot_on_its_way_to_a_waiter_that_has_gone_falls_to_the_next() {
    let slots = slots(1, 10);
    let held = slots.acquire(LIGHT).await.unwrap();
    let (gone, next) = (slots.acquire(LIGHT), slots.acquire(LIGHT));
    drop(held);
    assert_eq!(slots.snapshot().waiting, 1, "the slot is on its way, and nobody has polled");
    drop(gone);
    next.await.unwrap();
    assert_eq!((slots.snapshot().in_use, slots.snapshot().waiting), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_too_long_is_refused_and_told_when_to_come_again() {
    let slots = slots(1, 10);
    let _held = slots.acquire(LIGHT).await.unwrap();
    let started = Instant::now();
    let refusal = slots.acquire(LIGHT).await.unwrap_err();
    assert_eq!(started.elapsed(), Duration::from_secs(60));
    assert_eq!(refusal, Refusal::TimedOut { retry_after: Duration::from_secs(60) });
    assert_eq!(slots.snapshot().waiting, 0);
}

#[tokio::test(start_paused = true)]
async fn retry_after_follows_the_speed_of_the_queue() {
    let slots = slots(1, 20);
    let mut held = slots.acquire(LIGHT).await.unwrap();
    let mut waiting: std::collections::VecDeque<_> = (0..20).map(|_| slots.acquire(LIGHT)).collect();
    for _ in 0..10 {
        tokio::time::advance(Duration::from_millis(500)).await;
        drop(held);
        held = waiting.pop_front().unwrap().await.unwrap();
    }
    waiting.extend((0..10).map(|_| slots.acquire(LIGHT)));
    let refusal = slots.acquire(LIGHT).await.unwrap_err();
    assert_eq!(refusal, Refusal::Full { retry_after: Duration::from_secs(11) }, "twenty-one places at half a second");
}

#[tokio::test(start_paused = true)]
async fn a_displaced_waiter_is_refused_at_once() {
    let slots = slots(1, 2);
    let _held = slots.acquire(LIGHT).await.unwrap();
    let (_kept, loses) = (slots.acquire(LIGHT), slots.acquire(LIGHT));
    let _newcomer = slots.acquire(Ticket { party: 2, ..LIGHT });
    assert!(matches!(loses.await, Err(Refusal::Full { .. })));
    assert_eq!(slots.snapshot().waiting, 2);
}

#[tokio::test(start_paused = true)]
async fn a_queue_is_stuck_from_the_last_free_slot_or_the_first_waiter() {
    let slots = slots(2, 10);
    let stuck = || slots.snapshot().stuck_for;
    let (first, _second) = (slots.acquire(LIGHT).await.unwrap(), slots.acquire(LIGHT).await.unwrap());
    tokio::time::advance(Duration::from_secs(100)).await;
    assert_eq!(stuck(), None, "nobody waits");

    let waiter = slots.acquire(LIGHT);
    let _another = slots.acquire(LIGHT);
    tokio::time::advance(Duration::from_secs(7)).await;
    assert_eq!(stuck(), Some(Duration::from_secs(7)));

    drop(first);
    assert_eq!(stuck(), Some(Duration::ZERO), "it moves");
    tokio::time::advance(Duration::from_secs(3)).await;
    assert_eq!((stuck(), slots.snapshot().last_freed), (Some(Duration::from_secs(3)), Some(Duration::from_secs(3))));
    drop((waiter, _another));
    assert_eq!(stuck(), None);
}

#[tokio::test(start_paused = true)]
async fn the_figures_add_up() {
    let slots = slots(1, 2);
    let held = slots.acquire(LIGHT).await.unwrap();
    let (waits, gone) = (slots.acquire(LIGHT), slots.acquire(LIGHT));
    slots.acquire(LIGHT).await.unwrap_err();
    tokio::time::advance(Duration::from_secs(2)).await;
    drop((gone, held));
    tokio::time::advance(Duration::from_secs(1)).await;
    drop(waits.await.unwrap());
    let figures = slots.snapshot();
    assert_eq!((figures.granted_total, figures.waited_total, figures.held_total), (2, 1, 2));
    assert_eq!((figures.refused_full_total, figures.abandoned_total, figures.in_use), (1, 1, 0));
    assert_eq!((figures.waited_seconds, figures.held_seconds), (2.0, 3.0));
}
