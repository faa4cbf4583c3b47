//! What is recorded of the originals, for their verification.

use super::{Store, StoreError, db::reading};
use crate::originals::Recorded;

#[derive(sqlx::FromRow)]
struct RecordedRow {
    sha256: String,
    bytes: i64,
}

const RECORDED: &str = "select sha256, bytes from originals order by sha256";

impl TryFrom<RecordedRow> for Recorded {
    type Error = StoreError;

    fn try_from(row: RecordedRow) -> Result<Self, StoreError> {
        let wrong = |what: &dyn std::fmt::Display| StoreError::impossible("originals", &row.sha256, what);
        Ok(Self {
            sha256: row.sha256.parse().map_err(|error| wrong(&error))?,
            bytes: u64::try_from(row.bytes).map_err(|error| wrong(&error))?,
        })
    }
}

impl Store {
    /// Every original that was ever recorded.
    pub(crate) async fn originals(&self) -> Result<Vec<Recorded>, StoreError> {
        let rows: Vec<RecordedRow> = reading!(self, |db| sqlx::query_as(RECORDED).fetch_all(db).await)?;
        rows.into_iter().map(Recorded::try_from).collect()
    }
}
