use futures_util::FutureExt;
use tokio::time::advance;

use super::*;

const LIMITS: Limits = Limits { write_idle: Duration::from_secs(15), idle: Duration::from_secs(30) };

/// What the watch says, and after how long: the clock is paused and runs on when there is nothing else to do.
async fn watch(activity: &Activity) -> (Verdict, u64) {
    let started = Instant::now();
    (activity.verdict().await, started.elapsed().as_secs())
}

fn is_content(activity: &Activity) -> bool {
    activity.verdict().now_or_never().is_none()
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_asks_for_nothing_is_idle() {
    let activity = Activity::new(LIMITS);
    assert_eq!(watch(&activity).await, (Verdict::Idle, 30));
}

#[tokio::test(start_paused = true)]
async fn idle_time_counts_from_the_last_answer() {
    let activity = Activity::new(LIMITS);
    advance(Duration::from_secs(29)).await;
    let exchange = activity.begin();
    advance(Duration::from_secs(300)).await;
    assert!(is_content(&activity), "the server is at work");
    drop(exchange);
    assert_eq!(watch(&activity).await, (Verdict::Idle, 30));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_nobody_asks_for_is_stalled() {
    let activity = Activity::new(LIMITS);
    let exchange = activity.begin();
    exchange.offer();
    assert_eq!(watch(&activity).await, (Verdict::Stalled, 15));
}

#[tokio::test(start_paused = true)]
async fn a_producer_that_is_silent_for_an_hour_is_not_stalled() {
    let activity = Activity::new(LIMITS);
    let exchange = activity.begin();
    exchange.offer();
    drop(exchange.hand_over());
    exchange.work();
    advance(Duration::from_secs(3600)).await;
    assert!(is_content(&activity));
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_is_not_written_stalls_even_after_its_body_has_ended() {
    let activity = Activity::new(LIMITS);
    let exchange = activity.begin();
    let frame = exchange.hand_over();
    drop(exchange);
    assert_eq!(watch(&activity).await, (Verdict::Stalled, 15));
    drop(frame);
    assert!(activity.lock().exchanges.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_moves_a_little_is_not_stalled() {
    let activity = Activity::new(LIMITS);
    let exchange = activity.begin();
    let frame = exchange.hand_over();
    for _ in 0..10 {
        advance(Duration::from_secs(14)).await;
        frame.moved();
        assert!(is_content(&activity));
    }
    assert_eq!(watch(&activity).await, (Verdict::Stalled, 15));
}

#[tokio::test(start_paused = true)]
async fn one_body_that_stands_still_stalls_a_connection_on_which_others_move() {
    let activity = Activity::new(LIMITS);
    let (still, lively) = (activity.begin(), activity.begin());
    let _frame = still.hand_over();
    let moving = lively.hand_over();
    activity.write_progressed();
    advance(Duration::from_secs(10)).await;
    moving.moved();
    assert_eq!(watch(&activity).await, (Verdict::Stalled, 5));
}

#[tokio::test(start_paused = true)]
async fn a_socket_that_takes_nothing_is_stalled_from_its_first_refusal() {
    let activity = Activity::new(LIMITS);
    let _exchange = activity.begin();
    activity.write_blocked();
    advance(Duration::from_secs(10)).await;
    activity.write_blocked();
    assert_eq!(watch(&activity).await, (Verdict::Stalled, 5));
    activity.write_progressed();
    assert!(is_content(&activity));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_sleeps_is_woken_by_what_ends_sooner() {
    let activity = Activity::new(LIMITS);
    let exchange = activity.begin();
    let watching = tokio::spawn({
        let activity = activity.clone();
        async move { watch(&activity).await }
    });
    tokio::task::yield_now().await;
    exchange.offer();
    assert_eq!(watching.await.unwrap(), (Verdict::Stalled, 15));
}
