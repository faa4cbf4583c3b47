//! How far clamd is to be trusted, by what it has found so far.

use std::{fmt::Display, time::Duration};

use tokio::time::Instant;

use super::RETEST_AFTER;

/// How clamd stands.
#[derive(Clone, Debug)]
pub enum Standing {
    /// No test has ended yet, or clamd broke off since.
    Untested,
    /// It finds EICAR.
    Passed(Reach),
    /// It does not find EICAR, or cannot be asked.
    Failed { reason: String, since: Instant },
}

/// How large a file clamd looks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The largest file that may be sent.
    largest: u64,
    /// At the end of so many bytes it found something; it does in every smaller file.
    found: u64,
    /// At the end of so many bytes it found nothing; it does in no larger file.
    missed: Option<u64>,
    tested: Instant,
}

/// Whether a test has to come first.
pub(super) enum Retest {
    Unneeded,
    Now,
    /// It failed a moment ago.
    Later {
        reason: String,
    },
}

impl Standing {
    pub(super) fn failed(reason: impl Display) -> Self {
        Self::Failed { reason: reason.to_string(), since: Instant::now() }
    }

    /// EICAR was found by itself.
    pub(super) fn passed(largest: u64) -> Self {
        Self::Passed(Reach { largest, found: 0, missed: None, tested: Instant::now() })
    }

    pub(super) fn passed_within(&self, time: Duration) -> bool {
        matches!(self, Self::Passed(reach) if reach.tested.elapsed() < time)
    }

    /// What is wrong, in words; nothing where every file that may be sent is looked through.
    pub fn trouble(&self) -> Option<String> {
        match self {
            Self::Untested => Some("the scanner has not been tested yet".to_owned()),
            Self::Failed { reason, .. } => Some(format!("the scanner fails its self-test: {reason}")),
            Self::Passed(reach) if reach.is_full() => None,
            Self::Passed(Reach { largest, .. }) => Some(format!(
                "clamd does not look through a file of {largest} bytes, which may be uploaded: raise its StreamMaxLength \
                 and MaxFileSize above that, and its MaxScanSize above twice that"
            )),
        }
    }

    /// Whether nothing can be found clean at present.
    pub fn is_down(&self) -> bool {
        !matches!(self, Self::Passed(_))
    }

    /// Whether clamd looks through so many bytes; nothing where that is still to be found out.
    pub(super) fn covers(&self, bytes: u64) -> Option<bool> {
        let Self::Passed(reach) = self else { return None };
        match reach.missed {
            _ if bytes <= reach.found => Some(true),
            Some(missed) if bytes >= missed => Some(false),
            _ => None,
        }
    }

    /// Takes in what a test with so many bytes found; tells whether that was news.
    pub(super) fn learn(&mut self, bytes: u64, found: bool) -> bool {
        let Self::Passed(reach) = self else { return false };
        let before = *reach;
        if found {
            reach.found = reach.found.max(bytes);
        } else {
            reach.missed = Some(reach.missed.map_or(bytes, |missed| missed.min(bytes)));
        }
        *reach != before
    }

    /// Something went wrong in the middle: what was proved may hold no longer. Tells whether that changed anything.
    pub(super) fn doubt(&mut self) -> bool {
        let passed = matches!(self, Self::Passed(_));
        if passed {
            *self = Self::Untested;
        }
        passed
    }

    pub(super) fn retest(&self) -> Retest {
        match self {
            Self::Passed(_) => Retest::Unneeded,
            Self::Failed { reason, since } if since.elapsed() < RETEST_AFTER => {
                Retest::Later { reason: reason.clone() }
            }
            Self::Failed { .. } | Self::Untested => Retest::Now,
        }
    }
}

impl Reach {
    fn is_full(&self) -> bool {
        self.found >= self.largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_covers_what_is_smaller_and_what_was_missed_nothing_larger() {
        let mut standing = Standing::passed(1000);
        assert_eq!(standing.covers(1), None, "EICAR alone says nothing about size");
        assert!(standing.learn(1000, false));
        assert!(standing.learn(400, true));
        assert_eq!(
            [1, 400, 401, 999, 1000].map(|bytes| standing.covers(bytes)),
            [Some(true), Some(true), None, None, Some(false)]
        );
        assert!(!standing.learn(300, true), "known already");
        assert!(standing.trouble().unwrap().contains("1000 bytes"));
        assert!(standing.learn(1000, true));
        assert_eq!(standing.trouble(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_clamd_that_failed_is_left_alone_for_a_while() {
        let standing = Standing::failed("away");
        assert!(matches!(standing.retest(), Retest::Later { reason } if reason == "away"));
        tokio::time::advance(RETEST_AFTER).await;
        assert!(matches!(standing.retest(), Retest::Now));
    }

    #[test]
    fn a_break_in_the_middle_puts_everything_in_doubt() {
        let mut standing = Standing::passed(10);
        standing.learn(10, true);
        assert!(standing.doubt());
        assert!(standing.is_down());
        assert_eq!(standing.covers(1), None);
        assert!(!standing.doubt());
    }
}
