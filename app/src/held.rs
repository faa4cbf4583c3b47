//! Files that are held back until they are known to be clean: the words on the wire, and what the page about them
//! needs of a server. The server's half alone: browsers get a page, never these types.

use async_trait::async_trait;
use serde::Serialize;

use crate::{
    model::{AssetId, BatchId, HeldId, Kind, Refusal, Slug},
    studio::Caller,
};

/// What the caller may see of what is held and of what was refused.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldOverview {
    /// The longest held first.
    pub held: Vec<HeldFile>,
    /// What was scanned and never taken in, the last first. Their bytes are gone.
    pub refused: Vec<RefusedFile>,
    /// For admins alone; absent for others.
    pub scanner: Option<ScannerState>,
}

/// A file on its way to a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passenger {
    pub batch: BatchId,
    pub family: Slug,
    pub subject: Slug,
    pub kind: Kind,
    pub name: String,
    pub sha256: String,
    pub bytes: u64,
    /// Who sent it.
    pub by: String,
    /// When it had arrived; RFC 3339, UTC.
    pub since: String,
}

/// A file that is held: nobody sees it before it is known to be clean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldFile {
    pub id: HeldId,
    #[serde(flatten)]
    pub file: Passenger,
    /// How long it has been held, in seconds.
    pub held_seconds: u64,
    pub tries: u32,
    /// RFC 3339, UTC.
    pub next_try: String,
    /// Until then, in seconds; 0 where it is due.
    pub next_try_seconds: u64,
    /// `away`, `unscanned`, `too-large` or `not-taken`.
    pub why: &'static str,
    pub reason: String,
}

/// A file that was scanned and never taken in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RefusedFile {
    pub id: HeldId,
    #[serde(flatten)]
    pub file: Passenger,
    /// RFC 3339, UTC.
    pub at: String,
    /// How long ago that was, in seconds.
    pub ago_seconds: u64,
    /// What the scanner found in it; absent where something else was wrong with it.
    pub signature: Option<String>,
    pub reason: String,
}

/// How the scanner stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScannerState {
    /// Whether files are scanned at all.
    pub on: bool,
    /// Where it is asked.
    pub address: Option<String>,
    /// Such as `ClamAV 1.4.3`; absent where it does not answer.
    pub version: Option<String>,
    pub signatures: Option<SignatureState>,
    /// What is wrong, in words; absent where all is well.
    pub trouble: Option<String>,
}

/// The official signatures that the scanner has loaded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignatureState {
    pub version: String,
    /// How old they are, in seconds.
    pub age_seconds: Option<u64>,
}

/// What became of a held file that was tried again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Retried {
    pub id: HeldId,
    /// `held`, `added`, `duplicate` or `refused`.
    pub status: &'static str,
    /// The picture that it has become.
    pub asset: Option<AssetId>,
    pub reason: Option<String>,
}

/// What is held, as those see it who may import there.
#[async_trait]
pub trait HeldFiles: Send + Sync + 'static {
    /// What is held and what was refused where the caller may import; [`Refusal::Forbidden`] where that is nowhere.
    async fn overview(&self, caller: &Caller) -> Result<HeldOverview, Refusal>;
    /// How many files on their way into the batch are held, where the caller may import; 0 where they may not.
    async fn held_in(&self, caller: &Caller, batch: BatchId) -> Result<u32, Refusal>;
    /// Tries a file again, now, and waits a while for the outcome.
    async fn retry(&self, caller: &Caller, id: HeldId) -> Result<Retried, Refusal>;
    /// Throws a held file away, for good.
    async fn discard(&self, caller: &Caller, id: HeldId) -> Result<(), Refusal>;
}
