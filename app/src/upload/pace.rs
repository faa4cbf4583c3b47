//! How fast it goes and how long it will take, from the last few seconds.

use std::collections::VecDeque;

use super::words;

/// What has gone over the line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sent {
    pub(crate) bytes: u64,
    /// Bytes, and a share for each file: a thousand small files take their time, too.
    pub(crate) weight: u64,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Milliseconds.
    at: f64,
    sent: Sent,
}

/// The last few seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    samples: VecDeque<Sample>,
}

/// How far back it looks, in milliseconds.
const WINDOW: f64 = 10_000.0;
/// The shortest time that tells anything, in milliseconds.
const SHORTEST: f64 = 1500.0;

impl Pace {
    /// Notes what had been sent at a moment (milliseconds).
    pub(crate) fn note(&mut self, at: f64, sent: Sent) {
        self.samples.push_back(Sample { at, sent });
        // The oldest within the window stays, as what the newest is compared with.
        while self.samples.get(1).is_some_and(|second| at - second.at >= WINDOW) {
            self.samples.pop_front();
        }
    }

    /// What lies before a rest says nothing of what comes after it.
    pub(crate) fn forget(&mut self) {
        self.samples.clear();
    }

    /// How fast it goes, and for how long where so much more weight is to be sent.
    pub(crate) fn words(&self, left: u64) -> String {
        let speed = self.speed().map(|speed| [&words::size(speed as u64), "/s"].concat());
        let left = self.left(left).map(words::left);
        [speed, left].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Bytes a second.
    fn speed(&self) -> Option<f64> {
        self.rate(|sent| sent.bytes)
    }

    /// Seconds until so much more weight has been sent.
    fn left(&self, weight: u64) -> Option<f64> {
        self.rate(|sent| sent.weight).map(|rate| weight as f64 / rate)
    }

    fn rate(&self, of: impl Fn(Sent) -> u64) -> Option<f64> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        let (span, sent) = (last.at - first.at, of(last.sent).saturating_sub(of(first.sent)));
        (span >= SHORTEST && sent > 0).then(|| sent as f64 * 1000.0 / span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steady(pace: &mut Pace, from: f64, to: f64, bytes_a_second: f64) {
        let mut at = from;
        while at <= to {
            let bytes = (at / 1000.0 * bytes_a_second) as u64;
            pace.note(at, Sent { bytes, weight: bytes * 2 });
            at += 250.0;
        }
    }

    #[test]
    fn a_moment_says_nothing_yet() {
        let mut pace = Pace::default();
        assert_eq!(pace.speed(), None);
        steady(&mut pace, 0.0, 1000.0, 1e6);
        assert_eq!(pace.speed(), None);
        assert_eq!(pace.left(5), None);
    }

    #[test]
    fn a_steady_line_is_measured_as_it_is() {
        let mut pace = Pace::default();
        steady(&mut pace, 0.0, 5000.0, 2e6);
        assert_eq!(pace.speed(), Some(2e6));
        assert_eq!(pace.left(40_000_000), Some(10.0));
        assert_eq!(pace.words(40_000_000), "2.0 MB/s, about 10 s left");
    }

    #[test]
    fn what_was_long_ago_counts_no_more_and_is_not_kept() {
        let mut pace = Pace::default();
        steady(&mut pace, 0.0, 60_000.0, 1e6);
        assert!(pace.samples.len() <= 42, "{}", pace.samples.len());
        let bytes = pace.samples.back().unwrap().sent.bytes;
        for tick in 1..=40 {
            pace.note(60_000.0 + f64::from(tick) * 250.0, Sent { bytes: bytes + tick as u64 * 1000, weight: 0 });
        }
        assert_eq!(pace.speed(), Some(4000.0));
    }

    #[test]
    fn a_line_that_stands_still_promises_nothing() {
        let mut pace = Pace::default();
        for tick in 0..50 {
            pace.note(f64::from(tick) * 250.0, Sent { bytes: 7, weight: 7 });
        }
        assert_eq!((pace.speed(), pace.left(1)), (None, None));
        pace.forget();
        assert!(pace.samples.is_empty());
    }
}
