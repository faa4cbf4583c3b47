//! Everything that comes in, by whichever way, goes through one pipeline: let in, written to a temporary file while it
//! is counted and hashed, scanned, inspected by its bytes, kept as an original, recorded as an asset.
//!
//! What cannot be shown is refused here, with a reason, and never becomes an original. Nothing is received before there
//! is room for it: [`door`] has the rules. What is not known to be clean is held back: see [`guard`].

mod archive;
mod door;
mod fetch;
mod guard;
mod incoming;
pub(crate) mod keeper;
mod order;
mod pauses;
mod receive;
mod retry;
#[cfg(test)]
mod tests;
pub(crate) mod walk;
pub(crate) mod watched;

use std::time::Duration;

use app::model::{AssetId, BatchId, Kind, Slug};
use serde::Serialize;
use tracing::Instrument as _;

pub(crate) use self::{
    archive::{Archive, Entry, open_if_archive},
    door::{Door, DoorError, DoorLimits, DoorSnapshot},
    fetch::{ADDRESSES, CONNECTIONS_OF_A_FETCH, FETCHES, Fetcher, InsideHost},
    guard::{Guard, Settled},
    incoming::{Incoming, IncomingError, Length},
    order::{Line, Turn},
    receive::{Step, Tell},
    watched::WatchedFolder,
};
use self::{guard::Checked, incoming::Arrived};
use crate::{
    originals::{Originals, OriginalsError, Sha256},
    pictures::{Inspected, RenderError, Renditions},
    store::{Added, NewAsset, NewOriginal, Store, StoreError},
};

/// Where pictures go.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) batch: BatchId,
    pub(crate) subject: Slug,
    pub(crate) kind: Kind,
    /// Who sends them, as they are called: for the record.
    pub(crate) sender: String,
    /// Where many come in side by side: the place of this one among them.
    pub(crate) turn: Option<Turn>,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Added {
        id: AssetId,
        sha256: Sha256,
    },
    /// The same bytes are in the same place already.
    Duplicate {
        id: AssetId,
        sha256: Sha256,
    },
    Refused {
        reason: String,
    },
    /// It has arrived and is not known to be clean: it goes on by itself when it is.
    Held {
        sha256: Sha256,
        reason: String,
    },
}

/// One line of the answer to an import: the same words from the command line and the JSON API.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Told {
    pub(crate) name: String,
    pub(crate) status: &'static str,
    pub(crate) id: Option<AssetId>,
    pub(crate) sha256: Option<String>,
    pub(crate) reason: Option<String>,
}

impl Fate {
    pub(crate) fn told(self, name: String) -> Told {
        let (status, id, sha256, reason) = match self {
            Self::Added { id, sha256 } => ("added", Some(id), Some(sha256.to_string()), None),
            Self::Duplicate { id, sha256 } => ("duplicate", Some(id), Some(sha256.to_string()), None),
            Self::Refused { reason } => ("refused", None, None, Some(reason)),
            Self::Held { sha256, reason } => ("held", None, Some(sha256.to_string()), Some(reason)),
        };
        Told { name, status, id, sha256, reason }
    }
}

/// Why the import as a whole cannot go on; a file that is merely refused has a [`Fate`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum IntakeError {
    #[error("the memory budget has no room right now")]
    Busy { retry_after: Duration },
    #[error("no more files can be held back: AVATARS_QUARANTINE_LIMIT is reached while there are no verdicts")]
    QuarantineFull,
    #[error(transparent)]
    Incoming(#[from] IncomingError),
    #[error(transparent)]
    Originals(#[from] OriginalsError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("inspecting the picture: {0}")]
    Inspect(RenderError),
    #[error("the work was cut off: {0}")]
    CutOff(#[from] tokio::task::JoinError),
}

impl From<DoorError> for IntakeError {
    fn from(error: DoorError) -> Self {
        match error {
            DoorError::Busy { retry_after } => Self::Busy { retry_after },
            DoorError::TooLarge { total, .. } => Self::Incoming(IncomingError::TooLarge { limit: total }),
        }
    }
}

/// The pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Intake {
    store: Store,
    originals: Originals,
    renditions: Renditions,
    upload_limit: u64,
    door: Door,
    guard: Option<Guard>,
}

impl Intake {
    /// Without a guard: nothing is scanned.
    pub(crate) fn new(
        store: Store,
        originals: Originals,
        renditions: Renditions,
        upload_limit: u64,
        door: Door,
    ) -> Self {
        Self { store, originals, renditions, upload_limit, door, guard: None }
    }

    pub(crate) fn guarded(self, guard: Guard) -> Self {
        Self { guard: Some(guard), ..self }
    }

    pub(crate) fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }

    /// Bytes of the largest file that is taken in.
    pub(crate) fn upload_limit(&self) -> u64 {
        self.upload_limit
    }

    pub(crate) fn door(&self) -> DoorSnapshot {
        self.door.snapshot()
    }

    /// Waits for room, then makes a temporary file to write what arrives into; it is gone when it is dropped.
    pub(crate) async fn open(&self, length: Length) -> Result<Incoming, IntakeError> {
        let pass = self.door.admit(length.room(self.upload_limit)?).await?;
        Ok(Incoming::open(&self.originals, length, self.upload_limit, pass).await?)
    }

    /// Scans and inspects what has arrived, and takes it in.
    ///
    /// In a task of its own, which owns the file and its pass: a sender that hangs up must not leave it half done, an
    /// original without its row or a held file that nobody knows.
    pub(crate) async fn take(&self, target: &Target, name: &str, incoming: Incoming) -> Result<Fate, IntakeError> {
        let arrived = incoming.finish().await?;
        let (intake, target, name) = (self.clone(), target.clone(), name.to_owned());
        let settle = async move {
            match intake.check(&target, &name, arrived).await? {
                Checked::Clean(arrived) => intake.keep(&target, &name, arrived).await,
                Checked::Told(fate) => Ok(fate),
            }
        };
        tokio::spawn(settle.in_current_span()).await?
    }

    async fn keep(&self, target: &Target, name: &str, arrived: Arrived) -> Result<Fate, IntakeError> {
        let Arrived { staged, sha256, bytes, mut pass } = arrived;
        let turn = pass.turn().await.map_err(|_| IntakeError::Inspect(RenderError::Interrupted))?;
        let inspected = self.renditions.inspect(staged.path(), Some(sha256.into())).await;
        drop(turn);
        let inspected = match inspected {
            Ok(Inspected { damaged: Some(damage), .. }) => return Ok(Fate::Refused { reason: damage }),
            Ok(inspected) => inspected,
            Err(RenderError::Busy { retry_after }) => return Err(IntakeError::Busy { retry_after }),
            Err(error @ (RenderError::Original(_) | RenderError::Interrupted)) => {
                return Err(IntakeError::Inspect(error));
            }
            Err(error) => return Ok(Fate::Refused { reason: error.to_string() }),
        };
        // First the bytes, then the row: a row whose original is missing must never be.
        self.originals.put(staged, sha256).await?;
        drop(pass);
        let asset = NewAsset {
            batch: target.batch,
            subject: target.subject.clone(),
            kind: target.kind,
            original: NewOriginal {
                sha256,
                bytes,
                mime: inspected.mime.to_owned(),
                width: inspected.width,
                height: inspected.height,
                animated: inspected.animated,
                duration_ms: inspected.duration_ms,
                placeholder: inspected.placeholder,
            },
            original_name: name.to_owned(),
        };
        if let Some(turn) = &target.turn {
            turn.come().await;
        }
        Ok(match self.store.add_asset(&asset).await? {
            Added::Added(id) => Fate::Added { id, sha256 },
            Added::Duplicate(id) => Fate::Duplicate { id, sha256 },
        })
    }
}
