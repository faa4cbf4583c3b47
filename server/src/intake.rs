//! Everything that comes in, by whichever way, goes through one pipeline: written to a temporary file while it is
//! counted and hashed, inspected by its bytes, kept as an original, recorded as an asset.
//!
//! What cannot be shown is refused here, with a reason, and never becomes an original.

mod incoming;
pub(crate) mod walk;

use std::time::Duration;

use app::model::{AssetId, BatchId, Kind, Slug};
use serde::Serialize;

pub(crate) use self::incoming::{Incoming, IncomingError};
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
        };
        Told { name, status, id, sha256, reason }
    }
}

/// Why the import as a whole cannot go on; a file that is merely refused has a [`Fate`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum IntakeError {
    #[error("the memory budget has no room right now")]
    Busy { retry_after: Duration },
    #[error(transparent)]
    Incoming(#[from] IncomingError),
    #[error(transparent)]
    Originals(#[from] OriginalsError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("inspecting the picture: {0}")]
    Inspect(RenderError),
}

/// The pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Intake {
    store: Store,
    originals: Originals,
    renditions: Renditions,
    upload_limit: u64,
}

impl Intake {
    pub(crate) fn new(store: Store, originals: Originals, renditions: Renditions, upload_limit: u64) -> Self {
        Self { store, originals, renditions, upload_limit }
    }

    /// A temporary file to write what arrives into; it is gone when it is dropped.
    pub(crate) async fn open(&self) -> Result<Incoming, IncomingError> {
        Incoming::open(&self.originals, self.upload_limit).await
    }

    /// Inspects what has arrived and takes it in.
    pub(crate) async fn take(&self, target: &Target, name: &str, incoming: Incoming) -> Result<Fate, IntakeError> {
        let arrived = incoming.finish().await?;
        let (sha256, bytes) = (arrived.sha256, arrived.bytes);
        let inspected = match self.renditions.inspect(arrived.staged.path(), Some(sha256.into())).await {
            Ok(Inspected { damaged: Some(damage), .. }) => return Ok(Fate::Refused { reason: damage }),
            Ok(inspected) => inspected,
            Err(RenderError::Busy { retry_after }) => return Err(IntakeError::Busy { retry_after }),
            Err(error @ (RenderError::Original(_) | RenderError::Interrupted)) => {
                return Err(IntakeError::Inspect(error));
            }
            Err(error) => return Ok(Fate::Refused { reason: error.to_string() }),
        };
        // First the bytes, then the row: a row whose original is missing must never be.
        self.originals.put(arrived.staged, sha256).await?;
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
                placeholder: inspected.placeholder,
            },
            original_name: name.to_owned(),
        };
        Ok(match self.store.add_asset(&asset).await? {
            Added::Added(id) => Fate::Added { id, sha256 },
            Added::Duplicate(id) => Fate::Duplicate { id, sha256 },
        })
    }
}
