//! Originals that could not be rendered lately: the words on the wire, and what the page about them needs of a server.
//! The server's half alone: browsers get a page, never these types.

use async_trait::async_trait;
use serde::Serialize;

use crate::{
    model::{AssetId, BatchId, Refusal, Slug},
    studio::Caller,
};

/// An original that could not be rendered, and is not tried again for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailingOriginal {
    pub sha256: String,
    /// What was asked for: `thumbnail`, `preview` or a preset.
    pub recipe: String,
    pub reason: String,
    /// RFC 3339, UTC.
    pub since: String,
    /// The pictures that it is the original of.
    pub pictures: Vec<FailingPicture>,
}

/// One picture of a failing original.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailingPicture {
    pub id: AssetId,
    pub batch: BatchId,
    pub batch_title: String,
    pub family: Slug,
    pub subject: Slug,
    pub original_name: String,
}

/// A file of a watched folder that was not taken in. It is looked at again when it changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RefusedFromFolder {
    /// Where the folder's files go, as `family/subject/batch`.
    pub place: String,
    /// Within the folder.
    pub path: String,
    pub reason: String,
    /// RFC 3339, UTC.
    pub at: String,
}

/// What fails, as admins see it. Every method checks the caller itself.
#[async_trait]
pub trait FailingOriginals: Send + Sync + 'static {
    /// What could not be rendered lately, the newest first.
    async fn failing(&self, caller: &Caller) -> Result<Vec<FailingOriginal>, Refusal>;
    /// The files of watched folders that were not taken in, the last first.
    async fn refused(&self, caller: &Caller) -> Result<Vec<RefusedFromFolder>, Refusal>;
    /// Forgets that an original failed: whoever asks next has it tried again.
    async fn try_again(&self, caller: &Caller, sha256: &str) -> Result<(), Refusal>;
}
