//! What is held back, as those see it who may import there: looked at, tried again, thrown away.
//!
//! Asks the authority about each file, as the review does. Only admins learn where the scanner is and why exactly it
//! gave no verdict.

use std::{sync::Arc, time::Duration};

use app::{
    held::{HeldFile, HeldFiles, HeldOverview, Passenger, RefusedFile, Retried, ScannerState, SignatureState},
    model::{BatchId, HeldId, Refusal},
    studio::Caller,
};
use async_trait::async_trait;
use time::OffsetDateTime;
use tokio::{sync::broadcast::error::RecvError, time::timeout};

use super::{Event, Review, not_found, refusal::refuse};
use crate::{
    authority::{Action, Scope},
    intake::{Fate, Guard, Intake, IntakeError, Settled},
    store::{HeldRecord, Place, Received, RefusedRecord, StoreError, Why, rfc3339},
};

/// The most files of each kind that are listed.
const LISTED: u32 = 500;
/// How long a page waits for the scanner to say which it is.
const VERSION_WAIT: Duration = Duration::from_secs(2);

/// The review's view of the quarantine.
#[derive(Clone)]
pub(crate) struct HeldDesk {
    review: Arc<Review>,
    intake: Intake,
}

impl HeldDesk {
    pub(crate) fn new(review: Arc<Review>, intake: Intake) -> Self {
        Self { review, intake }
    }

    /// Tells the review's listeners what became of held files, until nobody tries any more.
    pub(crate) async fn pass_on(self) {
        let Some(guard) = self.intake.guard() else { return };
        let mut settled = guard.settled();
        loop {
            match settled.recv().await {
                Ok(Settled { fate: Fate::Held { .. }, .. }) | Err(RecvError::Lagged(_)) => {}
                Ok(settled) => {
                    let _listeners = self.review.events.send(Event::Settled(settled));
                }
                Err(RecvError::Closed) => return,
            }
        }
    }

    fn guard(&self) -> Result<&Guard, Refusal> {
        let off = || Refusal::Invalid { reason: "Nothing is held back by this server.".to_owned() };
        self.intake.guard().ok_or_else(off)
    }

    /// The held file, where the caller may import.
    async fn one(&self, caller: &Caller, id: HeldId) -> Result<HeldRecord, Refusal> {
        match self.review.store.held_one(id).await.map_err(refuse(caller))? {
            Some(held) => self.review.check(caller, Action::Manage, &held.place).await.map(|_| held),
            None => self.review.principal(caller).await.and(Err(not_found("held file"))),
        }
    }

    async fn scanner(&self) -> ScannerState {
        let scanner = self.intake.guard().and_then(Guard::scanner);
        let Some(scanner) = scanner else {
            return ScannerState { on: false, address: None, version: None, signatures: None, trouble: None };
        };
        let version = timeout(VERSION_WAIT, scanner.version()).await.ok().and_then(Result::ok);
        let now = self.review.store.clock().now().unix_timestamp();
        let signatures = version.as_ref().and_then(|version| version.signatures.clone());
        ScannerState {
            on: true,
            address: Some(scanner.address().to_string()),
            version: version.map(|version| version.engine),
            signatures: signatures.map(|signatures| SignatureState {
                age_seconds: signatures.made.map(|made| now.saturating_sub(made).max(0).unsigned_abs()),
                version: signatures.version,
            }),
            trouble: scanner.standing().trouble(),
        }
    }
}

#[async_trait]
impl HeldFiles for HeldDesk {
    async fn overview(&self, caller: &Caller) -> Result<HeldOverview, Refusal> {
        let admin = self.review.principal(caller).await?.admin;
        let scope = self.review.scope(caller, Action::Manage).await?;
        if matches!(&scope, Scope::Only(places) if places.is_empty()) {
            return Err(Refusal::Forbidden);
        }
        let store = &self.review.store;
        let now = store.clock().now();
        let held = store.held(&scope, LISTED).await.map_err(refuse(caller))?;
        let refused = store.refused(&scope, LISTED).await.map_err(refuse(caller))?;
        let held: Result<_, StoreError> = held.into_iter().map(|held| held_file(held, now, admin)).collect();
        let refused: Result<_, StoreError> = refused.into_iter().map(|refused| refused_file(refused, now)).collect();
        Ok(HeldOverview {
            held: held.map_err(refuse(caller))?,
            refused: refused.map_err(refuse(caller))?,
            scanner: if admin { Some(self.scanner().await) } else { None },
        })
    }

    async fn held_in(&self, caller: &Caller, batch: BatchId) -> Result<u32, Refusal> {
        let scope = self.review.scope(caller, Action::Manage).await?;
        self.review.store.held_in(batch, &scope).await.map_err(refuse(caller))
    }

    async fn retry(&self, caller: &Caller, id: HeldId) -> Result<Retried, Refusal> {
        let held = self.one(caller, id).await?;
        let guard = self.guard()?;
        if guard.scanner().is_none() {
            return Err(Refusal::Invalid { reason: "Scanning is off: what is held stays held.".to_owned() });
        }
        // Whoever tries it, this one or the keeper, tells of it here.
        let mut settled = guard.settled();
        let intake = self.intake.clone();
        tokio::spawn(async move {
            if let Err(error) = intake.retry(held).await {
                tracing::error!(%id, %error, "a held file could not be tried");
            }
        });
        let told = async {
            loop {
                match settled.recv().await {
                    Ok(settled) if settled.id == id => return Some(settled.fate),
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        };
        Ok(retried(id, timeout(guard.deadline(), told).await.ok().flatten()))
    }

    async fn discard(&self, caller: &Caller, id: HeldId) -> Result<(), Refusal> {
        let held = self.one(caller, id).await?;
        let guard = self.guard()?;
        if !self.review.store.let_go(id).await.map_err(refuse(caller))? {
            return Err(not_found("held file"));
        }
        tracing::info!(%id, name = held.received.name, sha256 = %held.received.sha256, "a held file was discarded");
        // A file whose bytes could not be removed now is swept at the next start.
        guard.remove(id).await.map_err(|error: IntakeError| {
            tracing::error!(request_id = caller.request_id, %error, "a discarded file could not be removed");
            Refusal::Internal { request_id: caller.request_id.clone() }
        })
    }
}

fn held_file(held: HeldRecord, now: OffsetDateTime, admin: bool) -> Result<HeldFile, StoreError> {
    Ok(HeldFile {
        id: held.id,
        held_seconds: seconds(now - held.received.received_at),
        file: passenger(held.place, held.received)?,
        tries: held.tries,
        next_try: rfc3339(held.next_try)?,
        next_try_seconds: seconds(held.next_try - now),
        why: held.why.as_str(),
        reason: if admin { held.reason } else { in_general(held.why).to_owned() },
    })
}

fn refused_file(refused: RefusedRecord, now: OffsetDateTime) -> Result<RefusedFile, StoreError> {
    Ok(RefusedFile {
        id: refused.id,
        file: passenger(refused.place, refused.received)?,
        at: rfc3339(refused.refused_at)?,
        ago_seconds: seconds(now - refused.refused_at),
        signature: refused.signature,
        reason: refused.reason,
    })
}

fn passenger(place: Place, file: Received) -> Result<Passenger, StoreError> {
    Ok(Passenger {
        batch: file.batch,
        family: place.family,
        subject: file.subject,
        kind: file.kind,
        name: file.name,
        sha256: file.sha256.to_string(),
        bytes: file.bytes,
        by: file.sender,
        since: rfc3339(file.received_at)?,
    })
}

fn retried(id: HeldId, fate: Option<Fate>) -> Retried {
    let checking = || Retried { id, status: "held", asset: None, reason: Some("still checking".to_owned()) };
    fate.map_or_else(checking, |fate| {
        let told = fate.told(String::new());
        Retried { id, status: told.status, asset: told.id, reason: told.reason }
    })
}

/// Why a file is held, for whoever need not know where the scanner is.
fn in_general(why: Why) -> &'static str {
    match why {
        Why::Away => "the scanner does not answer at present",
        Why::Unscanned => "the scanner has not come to a verdict yet",
        Why::TooLarge => "it is larger than the scanner can check",
        Why::NotTaken => "it is clean, but could not be taken in just now",
    }
}

/// In whole seconds, none where it is past.
fn seconds(time: time::Duration) -> u64 {
    u64::try_from(time.whole_seconds()).unwrap_or_default()
}
