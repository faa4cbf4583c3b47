//! How fast a queue really moves, so that `Retry-After` tells the truth.

use std::time::Duration;

use super::queue::Moment;

/// Each release weighs this much more than the one before it: about the last thirty count.
const FORGET: f64 = 1.0 / 32.0;
/// The longest time that a client is sent away for, in seconds.
const LONGEST: f64 = 600.0;

/// A moving average of the time that a unit (a slot, a byte) takes to come free while somebody waits for it.
#[derive(Debug, Default)]
pub(super) struct Pace {
    seconds: f64,
    units: f64,
    last: Option<Moment>,
}

impl Pace {
    /// Somebody began to wait where nobody did: idle time before this says nothing of the speed.
    pub(super) fn begin(&mut self, now: Moment) {
        self.last = Some(now);
    }

    /// `units` came free while somebody waited.
    pub(super) fn freed(&mut self, units: u64, now: Moment) {
        let since = self.last.replace(now).unwrap_or(now);
        self.seconds += now.saturating_sub(since).as_secs_f64() - self.seconds * FORGET;
        self.units += units as f64 - self.units * FORGET;
    }

    /// When `units` more will have come free: whole seconds, at least one; `unknown` before anything was measured.
    ///
    /// A queue that has not moved for longer than it used to is as slow as that.
    pub(super) fn expect(&self, units: u64, now: Moment, unknown: Duration) -> Duration {
        let silence = self.last.map_or(Duration::ZERO, |last| now.saturating_sub(last)).as_secs_f64();
        let seconds = if self.units > 0.0 {
            (units as f64 * self.seconds / self.units).max(silence)
        } else {
            unknown.as_secs_f64().max(silence)
        };
        Duration::from_secs(seconds.ceil().clamp(1.0, LONGEST) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Duration::from_secs(seconds)
    }

    #[test]
    fn ten_places_at_two_seconds_each_are_twenty_seconds() {
        let mut pace = Pace::default();
        pace.begin(at(100));
        for release in 1..=8 {
            pace.freed(1, at(100 + 2 * release));
        }
        assert_eq!(pace.expect(10, at(116), at(60)), at(20));
    }

    #[test]
    fn idle_time_does_not_slow_the_measure() {
        let mut pace = Pace::default();
        pace.begin(at(0));
        pace.freed(4, at(1));
        pace.begin(at(3600));
        pace.freed(4, at(3601));
        assert_eq!(pace.expect(8, at(3601), at(60)), at(2));
    }

    #[test]
    fn a_queue_that_stands_still_is_as_slow_as_it_stands() {
        let mut pace = Pace::default();
        pace.begin(at(0));
        pace.freed(100, at(1));
        assert_eq!(pace.expect(1, at(31), at(60)), at(30));
    }

    #[test]
    fn what_was_never_measured_is_the_longest_wait() {
        assert_eq!(Pace::default().expect(5, at(1), at(60)), at(60));
    }
}
