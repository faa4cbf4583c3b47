//! A breaker: an authority that is dead is not waited for by everybody.
//!
//! After [`FAILURES`] questions in a row without an answer it is open, and everybody is refused at once. Every
//! [`PAUSE`] one question is let through; its answer closes the breaker.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

const FAILURES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// When the next question may be tried; only while open.
    next_try: Option<Instant>,
}

/// Leave to ask one question. Dropped without an answer (the caller has gone), it says nothing of the authority.
pub(super) struct Pass<'a>(&'a Breaker);

impl Breaker {
    /// Leave to ask, or how long to wait.
    pub(super) fn pass(&self) -> Result<Pass<'_>, Duration> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match state.next_try {
            Some(next_try) if next_try > now => Err(next_try - now),
            // The one that tries; those behind it wait another pause.
            Some(_) => {
                state.next_try = Some(now + PAUSE);
                Ok(Pass(self))
            }
            None => Ok(Pass(self)),
        }
    }
}

impl Pass<'_> {
    pub(super) fn succeeded(self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    pub(super) fn failed(self) {
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.next_try = Some(Instant::now() + PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_dead_authority_is_tried_by_one_at_a_time_until_it_answers() {
        let breaker = Breaker::default();
        for _ in 0..FAILURES {
            breaker.pass().ok().unwrap().failed();
        }
        assert!(breaker.pass().is_err_and(|wait| wait <= PAUSE));
        tokio::time::advance(PAUSE).await;
        let one = breaker.pass().ok().unwrap();
        assert!(breaker.pass().is_err(), "only one tries");
        one.failed();
        assert!(breaker.pass().is_err());
        tokio::time::advance(PAUSE).await;
        breaker.pass().ok().unwrap().succeeded();
        assert!(breaker.pass().is_ok());
        assert!(breaker.pass().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn single_failures_open_nothing() {
        let breaker = Breaker::default();
        for _ in 0..3 * FAILURES {
            breaker.pass().ok().unwrap().failed();
            breaker.pass().ok().unwrap().succeeded();
        }
        assert!(breaker.pass().is_ok());
    }
}
