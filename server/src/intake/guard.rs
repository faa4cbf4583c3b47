//! Between arriving and being looked at: a file is scanned, and only what is clean goes on.
//!
//! Infected files are recorded and thrown away. All that has no verdict is held: moved into the quarantine, recorded,
//! and tried again later by the [`keeper`](super::keeper). Nothing here may let a file pass for any other reason than
//! the scanner's word; an error is never one.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use app::model::{BatchId, HeldId};
use tokio::{
    sync::{Notify, broadcast},
    task::spawn_blocking,
    time::timeout,
};

use super::{Fate, Intake, IntakeError, Target, incoming::Arrived, pauses};
use crate::{
    originals::{Quarantine, Staged},
    scanner::{Scanner, Verdict},
    store::{Hold, Pending, Place, Received, StoreError, Why},
};

/// What a sender is told of a file without a verdict.
const CHECKING: &str = "held back, still checking";
/// What a sender is told of a file that cannot be scanned.
const TOO_LARGE: &str = "held back: it is larger than the scanner can check";

/// Outcomes that a slow listener may be behind.
const BEHIND: usize = 256;

/// The scanner, and where files wait for it.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Absent: nothing is scanned, and what is held stays held.
    pub(super) scanner: Option<Scanner>,
    pub(super) quarantine: Quarantine,
    /// How long a sender waits for the verdict.
    deadline: Duration,
    /// Bytes that files may take while they are held.
    limit: u64,
    /// Rung when a file is held.
    pub(super) held: Arc<Notify>,
    trying: Arc<Mutex<HashSet<HeldId>>>,
    pub(super) settled: broadcast::Sender<Settled>,
}

/// What became of a held file that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) id: HeldId,
    pub(crate) batch: BatchId,
    pub(crate) place: Place,
    pub(crate) name: String,
    pub(crate) fate: Fate,
}

/// A file after the scanner has had its say.
pub(super) enum Checked {
    Clean(Arrived),
    Told(Fate),
}

/// A held file that is being tried, by nobody else in this process.
pub(super) struct Trying {
    id: HeldId,
    trying: Arc<Mutex<HashSet<HeldId>>>,
}

impl Guard {
    /// A sender waits no longer than `deadline`; all that is held takes no more than `limit` bytes.
    pub(crate) fn new(scanner: Option<Scanner>, quarantine: Quarantine, deadline: Duration, limit: u64) -> Self {
        Self {
            scanner,
            quarantine,
            deadline,
            limit,
            held: Arc::default(),
            trying: Arc::default(),
            settled: broadcast::Sender::new(BEHIND),
        }
    }

    pub(crate) fn scanner(&self) -> Option<&Scanner> {
        self.scanner.as_ref()
    }

    /// How long somebody waits for a verdict at the most.
    pub(crate) fn deadline(&self) -> Duration {
        self.deadline
    }

    /// What becomes of each held file that is tried from now on.
    pub(crate) fn settled(&self) -> broadcast::Receiver<Settled> {
        self.settled.subscribe()
    }

    pub(super) fn begin(&self, id: HeldId) -> Option<Trying> {
        let fresh = self.trying.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        fresh.then(|| Trying { id, trying: self.trying.clone() })
    }

    /// Removes the bytes of a file that is held no more.
    pub(crate) async fn remove(&self, id: HeldId) -> Result<(), IntakeError> {
        let quarantine = self.quarantine.clone();
        Ok(spawn_blocking(move || quarantine.remove(&id.to_string())).await??)
    }
}

impl Drop for Trying {
    fn drop(&mut self) {
        self.trying.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

impl Intake {
    /// Scans what has arrived, for as long as its sender may wait.
    pub(super) async fn check(&self, target: &Target, name: &str, arrived: Arrived) -> Result<Checked, IntakeError> {
        let Some((guard, scanner)) = self.guard.as_ref().and_then(|guard| Some((guard, guard.scanner()?))) else {
            return Ok(Checked::Clean(arrived));
        };
        let now = self.store.clock().now();
        let received = Received {
            batch: target.batch,
            subject: target.subject.clone(),
            kind: target.kind,
            sha256: arrived.sha256,
            bytes: arrived.bytes,
            name: name.to_owned(),
            sender: target.sender.clone(),
            received_at: now,
        };
        let scan = scanner.scan(arrived.staged.path(), arrived.bytes);
        let (why, reason, pause, told) = match timeout(guard.deadline, scan).await {
            Ok(Verdict::Clean) => return Ok(Checked::Clean(arrived)),
            Ok(Verdict::Infected { signature }) => {
                drop(arrived);
                return Ok(Checked::Told(self.record_infected(received, &signature).await?));
            }
            Ok(Verdict::TooLarge) => {
                (Why::TooLarge, "clamd does not look through it".to_owned(), pauses::LONGEST, TOO_LARGE)
            }
            Ok(Verdict::Failed { reason }) => (Why::Unscanned, reason, self.first_pause()?, CHECKING),
            Ok(Verdict::Away { reason }) => (Why::Away, reason, self.first_pause()?, CHECKING),
            Err(_) => {
                let reason = format!("there was no verdict within {} s", guard.deadline.as_secs_f32());
                (Why::Unscanned, reason, Duration::ZERO, CHECKING)
            }
        };
        let sha256 = received.sha256;
        tracing::info!(name, %sha256, reason, "held back");
        let pending = Pending { next_try: now + pause, why, reason };
        // The rest of what has arrived, its pass, lives until the file is in quarantine.
        self.hold(guard, arrived.staged, &received, &pending).await?;
        Ok(Checked::Told(Fate::Held { sha256, reason: told.to_owned() }))
    }

    fn first_pause(&self) -> Result<Duration, StoreError> {
        Ok(pauses::pause(0, self.store.chance())?)
    }

    async fn record_infected(&self, received: Received, signature: &str) -> Result<Fate, IntakeError> {
        tracing::warn!(name = received.name, sha256 = %received.sha256, sender = received.sender, signature, "infected");
        let reason = infected(signature);
        self.store.refuse(self.store.new_held_id()?, &received, Some(signature), &reason).await?;
        Ok(Fate::Refused { reason })
    }

    /// First the bytes, then the row, and the bytes safe from a sweep until then.
    async fn hold(
        &self,
        guard: &Guard,
        staged: Staged,
        received: &Received,
        pending: &Pending,
    ) -> Result<(), IntakeError> {
        // Those that look at the same time may pass it by the files that are on their way in, which are bounded, too.
        if self.store.held_bytes().await?.saturating_add(received.bytes) > guard.limit {
            return Err(IntakeError::QuarantineFull);
        }
        let id = self.store.new_held_id()?;
        let quarantine = guard.quarantine.clone();
        let taken = spawn_blocking(move || quarantine.take(staged, &id.to_string())).await??;
        let held = self.store.hold(id, received, pending).await;
        if !matches!(held, Ok(Hold::New)) {
            guard.remove(id).await?;
        }
        drop(taken);
        guard.held.notify_one();
        held?;
        Ok(())
    }
}

/// Why an infected file was refused, in words.
pub(super) fn infected(signature: &str) -> String {
    format!("it is infected: {signature}")
}
