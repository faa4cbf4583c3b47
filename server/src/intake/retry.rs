//! A held file is tried again: scanned, and if it is clean, taken in as if it had just arrived.
//!
//! Every step may be repeated. Whatever ends this in the middle, a power cut included, the file is still held, or its
//! fate is recorded.

use std::{io::ErrorKind, time::Duration};

use super::{
    Fate, Intake, IntakeError, Target,
    guard::{Guard, Settled, infected},
    incoming::Arrived,
    pauses,
};
use crate::{
    originals::OriginalsError,
    scanner::{Scanner, Verdict},
    store::{HeldRecord, Pending, Why},
};

/// For so long a file that is being tried is left alone by other processes.
const CLAIM: Duration = Duration::from_secs(15 * 60);
/// Before a file that was too large is tried again, clamd's limits are looked at anew, unless that was a moment ago.
const LIMITS_HOLD_FOR: Duration = Duration::from_secs(60);

impl Intake {
    /// Tries a held file. Nothing where it cannot be tried now: nothing is scanned, somebody else is at it, or it is
    /// held no more.
    pub(crate) async fn retry(&self, held: HeldRecord) -> Result<Option<Settled>, IntakeError> {
        let Some((guard, scanner)) = self.guard.as_ref().and_then(|guard| Some((guard, guard.scanner()?))) else {
            return Ok(None);
        };
        let Some(_trying) = guard.begin(held.id) else { return Ok(None) };
        if !self.store.claim(&held, self.store.clock().now() + CLAIM).await? {
            return Ok(None);
        }
        let fate = self.try_again(guard, scanner, &held).await?;
        let HeldRecord { id, place, received, .. } = held;
        tracing::info!(%id, name = received.name, ?fate, "a held file was tried again");
        let settled = Settled { id, batch: received.batch, place, name: received.name, fate };
        // That nobody listens is no error.
        let _listeners = guard.settled.send(settled.clone());
        Ok(Some(settled))
    }

    async fn try_again(&self, guard: &Guard, scanner: &Scanner, held: &HeldRecord) -> Result<Fate, IntakeError> {
        let file = &held.received;
        if held.why == Why::TooLarge {
            scanner.test_unless_within(LIMITS_HOLD_FOR).await;
        }
        match scanner.scan(&guard.quarantine.path(&held.id.to_string()), file.bytes).await {
            Verdict::Clean => self.release(guard, held).await,
            Verdict::Infected { signature } => {
                tracing::warn!(name = file.name, sha256 = %file.sha256, sender = file.sender, signature, "infected");
                self.refuse(guard, held, Some(&signature), infected(&signature)).await
            }
            Verdict::TooLarge => {
                let reason = "clamd does not look through it".to_owned();
                self.go_on_holding(held, Why::TooLarge, reason, pauses::LONGEST).await
            }
            Verdict::Away { reason } => self.later(held, Why::Away, reason).await,
            Verdict::Failed { reason } => {
                let path = guard.quarantine.path(&held.id.to_string());
                if tokio::fs::try_exists(path).await.is_ok_and(|there| !there) {
                    return self.refuse(guard, held, None, "its bytes are gone from the quarantine".to_owned()).await;
                }
                self.later(held, Why::Unscanned, reason).await
            }
        }
    }

    /// It is clean: on through the rest of the pipeline.
    async fn release(&self, guard: &Guard, held: &HeldRecord) -> Result<Fate, IntakeError> {
        let (quarantine, originals, name) = (guard.quarantine.clone(), self.originals.clone(), held.id.to_string());
        let staged = tokio::task::spawn_blocking(move || quarantine.stage(&name, &originals)).await?;
        let (staged, sha256, bytes) = match staged {
            Err(OriginalsError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return self.refuse(guard, held, None, "its bytes are gone from the quarantine".to_owned()).await;
            }
            staged => staged?,
        };
        let file = &held.received;
        if (sha256, bytes) != (file.sha256, file.bytes) {
            return self.refuse(guard, held, None, "its bytes have changed in the quarantine".to_owned()).await;
        }
        // There has to be room for it as for a file that arrives; if there is none, its turn comes later.
        let pass = match self.door.admit(bytes).await {
            Ok(pass) => pass,
            Err(error) => return self.later(held, Why::NotTaken, error.to_string()).await,
        };
        let (subject, sender) = (file.subject.clone(), file.sender.clone());
        let target = Target { batch: file.batch, subject, kind: file.kind, sender, turn: None };
        match self.keep(&target, &file.name, Arrived { staged, sha256, bytes, pass }).await {
            Ok(Fate::Refused { reason }) => self.refuse(guard, held, None, reason).await,
            Ok(fate) => {
                self.store.let_go(held.id).await?;
                guard.remove(held.id).await?;
                Ok(fate)
            }
            // Clean, and yet it cannot go in: the batch is closed, say, or the disk is full. It is not lost.
            Err(error) => self.later(held, Why::NotTaken, error.to_string()).await,
        }
    }

    async fn refuse(
        &self,
        guard: &Guard,
        held: &HeldRecord,
        signature: Option<&str>,
        reason: String,
    ) -> Result<Fate, IntakeError> {
        self.store.refuse(held.id, &held.received, signature, &reason).await?;
        guard.remove(held.id).await?;
        Ok(Fate::Refused { reason })
    }

    async fn later(&self, held: &HeldRecord, why: Why, reason: String) -> Result<Fate, IntakeError> {
        let pause = pauses::pause(held.tries, self.store.chance()).map_err(crate::store::StoreError::from)?;
        self.go_on_holding(held, why, reason, pause).await
    }

    async fn go_on_holding(
        &self,
        held: &HeldRecord,
        why: Why,
        reason: String,
        pause: Duration,
    ) -> Result<Fate, IntakeError> {
        let pending = Pending { next_try: self.store.clock().now() + pause, why, reason: reason.clone() };
        self.store.postpone(held.id, &pending).await?;
        Ok(Fate::Held { sha256: held.received.sha256, reason })
    }
}
