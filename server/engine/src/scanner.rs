//! The scanner: asks clamd whether a file is clean, and believes it only as far as it has proved itself.
//!
//! Knows neither what a picture is nor where files go. It must never call a file clean unless clamd has said exactly
//! that, about the whole of it, on a connection of its own, and is known to find something at the end of a file of
//! that size: clamd answers `OK` for a file above its `MaxFileSize` without having looked at it.
//!
//! # The self-test
//!
//! Before the first verdict clamd must find EICAR, the test file that every scanner knows: alone, and at the end of
//! as many bytes as may ever be sent. Where it finds it alone only, each larger file is preceded by a test of its own
//! size; where that finds nothing, the file is [`Verdict::TooLarge`].

mod clamd;
mod reply;
mod sample;
mod standing;
mod version;

#[cfg(test)]
mod tests;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::sync::{AcquireError, Semaphore, SemaphorePermit, watch};

pub use self::{
    clamd::{Address, NotAnAddress, Patience},
    standing::Standing,
    version::Version,
};
use self::{
    clamd::{Clamd, ClamdError},
    reply::Answer,
    standing::Retest,
};

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Clean,
    /// It holds what this signature describes.
    Infected {
        signature: String,
    },
    /// clamd does not look at a file of this size, or not at the whole of it.
    TooLarge,
    /// clamd was asked and has not answered, or not so that it can be understood.
    Failed {
        reason: String,
    },
    /// clamd was not asked about this file: it is away, or fails its self-test.
    Away {
        reason: String,
    },
}

/// How many files were scanned with which outcome, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub clean: u64,
    pub infected: u64,
    pub too_large: u64,
    pub failed: u64,
}

/// A handle to the scanner; clones share it.
#[derive(Clone, Debug)]
pub struct Scanner {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    clamd: Clamd,
    /// The largest file that may be sent, in bytes.
    largest: u64,
    at_once: Semaphore,
    standing: watch::Sender<Standing>,
    testing: AtomicBool,
    tally: [AtomicU64; 4],
}

impl Scanner {
    /// Connections to clamd at once: fewer than the ten threads that it has by default, so that others get one, too.
    pub const AT_ONCE: usize = 4;

    /// The most file descriptors that it takes: a socket and a file for each scan.
    pub const DESCRIPTORS: usize = Self::AT_ONCE * 2;

    /// A scanner for files of at most `largest` bytes. Nothing is asked of clamd yet.
    pub fn new(address: Address, patience: Patience, largest: u64) -> Self {
        let shared = Shared {
            clamd: Clamd::new(address, patience),
            largest,
            at_once: Semaphore::new(Self::AT_ONCE),
            standing: watch::Sender::new(Standing::Untested),
            testing: AtomicBool::new(false),
            tally: Default::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Scans the file at `path`, which has `bytes` bytes. Dropping the future closes the connection.
    ///
    /// Waits for its turn and for the self-test; the caller limits how long.
    pub async fn scan(&self, path: &Path, bytes: u64) -> Verdict {
        let verdict = match self.scan_or_fail(path, bytes).await {
            Ok(verdict) => verdict,
            Err(Unscanned { reason, asked: true }) => Verdict::Failed { reason },
            Err(Unscanned { reason, asked: false }) => Verdict::Away { reason },
        };
        self.shared.count(&verdict);
        verdict
    }

    async fn scan_or_fail(&self, path: &Path, bytes: u64) -> Result<Verdict, Unscanned> {
        self.proven().await?;
        // After the test, never before: the test takes a turn of its own.
        let turn = self.turn().await?;
        let answer = self.shared.clamd.scan_file(path, bytes).await;
        match self.shared.noted(answer)? {
            Answer::Clean => self.believe(bytes, &turn).await,
            Answer::Infected(signature) => Ok(Verdict::Infected { signature }),
            Answer::TooLarge => Ok(Verdict::TooLarge),
        }
    }

    /// What an "OK" about so many bytes is worth. Holds on to the turn in which it was said.
    async fn believe(&self, bytes: u64, _turn: &SemaphorePermit<'_>) -> Result<Verdict, Unscanned> {
        match self.standing().covers(bytes) {
            Some(true) => return Ok(Verdict::Clean),
            Some(false) => return Ok(Verdict::TooLarge),
            None => {}
        }
        let answer = self.shared.clamd.scan_sample(bytes).await;
        let found = matches!(self.shared.noted(answer)?, Answer::Infected(_));
        self.shared.standing.send_if_modified(|standing| standing.learn(bytes, found));
        Ok(if found { Verdict::Clean } else { Verdict::TooLarge })
    }

    /// Where it asks.
    pub fn address(&self) -> &Address {
        self.shared.clamd.address()
    }

    /// How clamd stands at this moment.
    pub fn standing(&self) -> Standing {
        self.shared.standing.borrow().clone()
    }

    /// Tells of each change of the standing.
    pub fn watch(&self) -> watch::Receiver<Standing> {
        self.shared.standing.subscribe()
    }

    /// Tests clamd anew, whatever is known of it, and waits for the outcome.
    pub async fn test(&self) -> Standing {
        let mut watch = self.watch();
        watch.mark_unchanged();
        self.begin_test();
        match watch.changed().await {
            Ok(()) => watch.borrow().clone(),
            Err(_) => self.standing(),
        }
    }

    /// As [`Self::test`], unless clamd has passed a test within that time.
    pub async fn test_unless_within(&self, time: Duration) {
        if !self.standing().passed_within(time) {
            self.test().await;
        }
    }

    /// What clamd and its signatures call themselves.
    ///
    /// # Errors
    /// Why it cannot be asked.
    pub async fn version(&self) -> Result<Version, String> {
        let _turn = self.turn().await.map_err(|unscanned| unscanned.reason)?;
        let version = self.shared.clamd.version().await;
        self.shared.noted(version).map_err(|unscanned| unscanned.reason)
    }

    pub fn tally(&self) -> Tally {
        let [clean, infected, too_large, failed] =
            self.shared.tally.each_ref().map(|count| count.load(Ordering::Relaxed));
        Tally { clean, infected, too_large, failed }
    }

    /// Waits until a self-test has passed; begins one where none is under way.
    async fn proven(&self) -> Result<(), Unscanned> {
        let mut watch = self.watch();
        loop {
            let retest = watch.borrow_and_update().retest();
            match retest {
                Retest::Unneeded => return Ok(()),
                Retest::Later { reason } => return Err(Unscanned { reason, asked: false }),
                Retest::Now => self.begin_test(),
            }
            // The sender lives as long as `self`.
            if watch.changed().await.is_err() {
                return Err(Unscanned { reason: "the scanner is gone".to_owned(), asked: false });
            }
        }
    }

    /// In a task of its own: whoever waits may go away, and the others still learn the outcome.
    fn begin_test(&self) {
        if self.shared.testing.swap(true, Ordering::AcqRel) {
            return;
        }
        let scanner = self.clone();
        tokio::spawn(async move {
            let test = Test(&scanner.shared);
            let standing = scanner.prove().await;
            drop(test);
            scanner.shared.standing.send_replace(standing);
        });
    }

    async fn prove(&self) -> Standing {
        let _turn = match self.turn().await {
            Ok(turn) => turn,
            Err(unscanned) => return Standing::failed(unscanned.reason),
        };
        match self.shared.clamd.scan_eicar().await {
            Ok(Answer::Infected(_)) => {}
            Ok(Answer::Clean) => {
                return Standing::failed("clamd does not find the EICAR test file: its signatures are not loaded");
            }
            Ok(Answer::TooLarge) => return Standing::failed("clamd takes no stream at all: see its StreamMaxLength"),
            Err(error) => return Standing::failed(error),
        }
        match self.shared.clamd.scan_sample(self.shared.largest).await {
            Ok(answer) => {
                let mut standing = Standing::passed(self.shared.largest);
                standing.learn(self.shared.largest, matches!(answer, Answer::Infected(_)));
                standing
            }
            Err(error) => Standing::failed(error),
        }
    }

    async fn turn(&self) -> Result<SemaphorePermit<'_>, Unscanned> {
        // Nobody closes the semaphore.
        self.shared
            .at_once
            .acquire()
            .await
            .map_err(|error: AcquireError| Unscanned { reason: error.to_string(), asked: false })
    }
}

/// Why there is no verdict.
#[derive(Debug)]
struct Unscanned {
    reason: String,
    /// Whether clamd was sent anything of the file.
    asked: bool,
}

/// A test that is under way; however it ends, another may begin.
struct Test<'a>(&'a Shared);

impl Drop for Test<'_> {
    fn drop(&mut self) {
        self.0.testing.store(false, Ordering::Release);
    }
}

impl Shared {
    /// Passes the answer on; a clamd that broke off or cannot be reached has to prove itself anew.
    fn noted<T>(&self, answer: Result<T, ClamdError>) -> Result<T, Unscanned> {
        answer.map_err(|error| {
            if error.is_away() {
                self.standing.send_replace(Standing::failed(&error));
            } else if error.is_broken() {
                self.standing.send_if_modified(Standing::doubt);
            }
            Unscanned { reason: error.to_string(), asked: !error.is_away() }
        })
    }

    fn count(&self, verdict: &Verdict) {
        let [clean, infected, too_large, failed] = &self.tally;
        let count = match verdict {
            Verdict::Clean => clean,
            Verdict::Infected { .. } => infected,
            Verdict::TooLarge => too_large,
            Verdict::Failed { .. } | Verdict::Away { .. } => failed,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// How long a clamd that failed is left alone before it is tested again.
const RETEST_AFTER: Duration = Duration::from_secs(5);
