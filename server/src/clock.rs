//! Time and chance as values: whoever needs them is handed them, so that a test can move the one and know the other.
//!
//! No other module may ask the system for the time of day or for random bytes.

use std::{fmt, sync::Arc};

use time::OffsetDateTime;

/// The time of day.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> OffsetDateTime + Send + Sync>);

impl Clock {
    pub(crate) fn system() -> Self {
        Self(Arc::new(OffsetDateTime::now_utc))
    }

    pub(crate) fn now(&self) -> OffsetDateTime {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// The system gave no random bytes: nothing that must not be guessed can be made.
#[derive(Debug, thiserror::Error)]
#[error("the system gave no random bytes: {0}")]
pub(crate) struct NoChance(#[from] getrandom::Error);

type Fill = dyn Fn(&mut [u8]) -> Result<(), NoChance> + Send + Sync;

/// Where random bytes come from; fit for secrets.
#[derive(Clone)]
pub(crate) struct Chance(Arc<Fill>);

impl Chance {
    pub(crate) fn system() -> Self {
        Self(Arc::new(|bytes| Ok(getrandom::fill(bytes)?)))
    }

    pub(crate) fn bytes<const N: usize>(&self) -> Result<[u8; N], NoChance> {
        let mut bytes = [0; N];
        (self.0)(&mut bytes)?;
        Ok(bytes)
    }
}

impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chance")
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    };

    use time::{Duration, OffsetDateTime};

    use super::Clock;

    /// Moves the clock that it was made with.
    #[derive(Clone)]
    pub(crate) struct Hand(Arc<AtomicI64>);

    impl Hand {
        pub(crate) fn forward(&self, by: Duration) {
            self.0.fetch_add(by.whole_milliseconds() as i64, Ordering::SeqCst);
        }
    }

    impl Clock {
        /// A clock that stands still until its hand is moved.
        pub(crate) fn by_hand() -> (Self, Hand) {
            let milliseconds = Arc::new(AtomicI64::new(1_800_000_000_000));
            let hand = Hand(Arc::clone(&milliseconds));
            let now = move || {
                let since = Duration::milliseconds(milliseconds.load(Ordering::SeqCst));
                OffsetDateTime::UNIX_EPOCH + since
            };
            (Self(Arc::new(now)), hand)
        }
    }
}
