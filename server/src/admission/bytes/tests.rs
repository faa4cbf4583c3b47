use futures_util::FutureExt;

use super::*;

const WAIT: Duration = Duration::from_secs(5);

#[tokio::test(start_paused = true)]
async fn what_can_never_fit_is_refused_at_once() {
    let budget = ByteBudget::new(100, WAIT);
    let _held = budget.reserve(100).await.unwrap();
    assert_eq!(budget.reserve(101).await.unwrap_err(), BudgetError::TooLarge { asked: 101, total: 100 });
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_the_time_when_to_come_again() {
    let budget = ByteBudget::new(100, WAIT);
    let _held = budget.reserve(60).await.unwrap();
    let started = Instant::now();
    let error = budget.reserve(60).await.unwrap_err();
    assert_eq!(started.elapsed(), WAIT);
    assert_eq!(error, BudgetError::TimedOut { retry_after: WAIT });
    assert_eq!((budget.snapshot().waiting, budget.snapshot().used), (0, 60));
}

#[tokio::test(start_paused = true)]
async fn a_guard_that_shrinks_lets_others_in() {
    let budget = ByteBudget::new(100, WAIT);
    let mut large = budget.reserve(100).await.unwrap();
    let waiting = tokio::spawn({
        let budget = budget.clone();
        async move { budget.reserve(70).await.map(|guard| guard.bytes()) }
    });
    tokio::task::yield_now().await;
    large.shrink_to(200);
    assert_eq!(large.bytes(), 100);
    large.shrink_to(30);
    assert_eq!(waiting.await.unwrap(), Ok(70));
    assert_eq!(budget.snapshot(), BudgetSnapshot { total: 100, used: 30, peak: 100, waiting: 0 });
}

#[tokio::test(start_paused = true)]
async fn a_part_that_was_split_off_lives_and_dies_by_itself() {
    let budget = ByteBudget::new(100, WAIT);
    let mut whole = budget.reserve(80).await.unwrap();
    let part = whole.split(50);
    assert_eq!((whole.bytes(), part.bytes(), budget.snapshot().used), (30, 50, 80));
    drop(whole);
    assert_eq!(budget.snapshot().used, 50);
    drop(part);
    assert_eq!(budget.snapshot().used, 0);
}

#[tokio::test(start_paused = true)]
async fn a_waiter_that_goes_away_makes_way() {
    let budget = ByteBudget::new(100, WAIT);
    let held = budget.reserve(50).await.unwrap();
    let mut large = Box::pin(budget.reserve(100));
    assert!((&mut large).now_or_never().is_none());
    drop(held);
    drop(large);
    assert_eq!(budget.snapshot(), BudgetSnapshot { total: 100, used: 0, peak: 100, waiting: 0 });
    assert!(budget.try_reserve(100).is_some());
}

#[tokio::test(start_paused = true)]
async fn bytes_pass_between_threads() {
    let budget = ByteBudget::new(1000, WAIT);
    let work = (0..200_u64).map(|n| {
        let budget = budget.clone();
        tokio::spawn(async move {
            let guard = budget.reserve(n % 300).await.unwrap();
            tokio::task::spawn_blocking(move || drop(guard)).await.unwrap();
        })
    });
    futures_util::future::join_all(work.collect::<Vec<_>>()).await.into_iter().for_each(|done| done.unwrap());
    let figures = budget.snapshot();
    assert_eq!((figures.used, figures.waiting), (0, 0));
    assert!(figures.peak <= 1000);
}
