//! The database: what is recorded of accounts, rights, batches, assets and decisions.
//!
//! One file for each family of tables, the SQL as text beside the type that it fills, the same text for SQLite and
//! PostgreSQL. Decides nothing about rights, knows no HTTP, and never holds a connection while it waits for anything
//! but the database.

mod accounts;
mod assets;
mod batches;
mod db;
mod decisions;
mod error;
mod failing;
mod families;
mod grants;
mod held;
mod intake;
mod list;
mod originals;
mod place;
mod sessions;
#[cfg(test)]
pub(crate) mod testing;
mod time;
mod tokens;
mod watched;

use std::path::Path;

use ::time::OffsetDateTime;
use uuid::Uuid;

pub(crate) use self::place::{Place, Scope};
pub(crate) use self::{
    accounts::{AccountRecord, NewAccount},
    assets::{Located, MediaSource},
    decisions::Actor,
    error::StoreError,
    grants::Grant,
    held::{HeldRecord, Hold, Pending, Received, RefusedRecord, Why},
    intake::{Added, NewAsset, NewOriginal},
    sessions::SessionRecord,
    time::rfc3339,
    tokens::{TokenRecord, TokenScope},
    watched::Mark,
};
use crate::clock::{Chance, Clock};

/// The SHA-256 of a secret: all that the database ever holds of it.
pub(crate) type Digest = [u8; 32];

/// The database, opened once and shared: a clone is the same connections.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    db: db::Db,
    clock: Clock,
    chance: Chance,
}

impl Store {
    /// The most file descriptors that its connections take: SQLite opens the database, its log and its index for each.
    pub(crate) const DESCRIPTORS: u32 = db::CONNECTIONS * 3;

    /// Opens the SQLite database at `path`, makes it where it is missing, and brings its tables up to date.
    pub(crate) async fn sqlite(path: &Path, clock: Clock, chance: Chance) -> Result<Self, StoreError> {
        Ok(Self { db: db::sqlite(path).await?, clock, chance })
    }

    /// Connects to a `postgres://` address and brings the tables up to date.
    pub(crate) async fn postgres(url: &str, clock: Clock, chance: Chance) -> Result<Self, StoreError> {
        Ok(Self { db: db::postgres(url).await?, clock, chance })
    }

    /// Whether the database answers.
    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        let one: i64 = db::reading!(self, |db| sqlx::query_scalar("select cast(1 as bigint)").fetch_one(db).await)?;
        if one == 1 { Ok(()) } else { Err(StoreError::impossible("(none)", "ping", format!("select 1 gave {one}"))) }
    }

    /// Closes every connection; SQLite folds its log back into the database.
    pub(crate) async fn close(&self) {
        self.db.close().await;
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(crate) fn chance(&self) -> &Chance {
        &self.chance
    }

    fn now(&self) -> OffsetDateTime {
        self.clock.now()
    }

    /// The moment as the database writes it.
    fn now_ms(&self) -> i64 {
        time::milliseconds(self.now())
    }

    /// A UUID v7 of this moment: ids sort by the time of their making.
    fn new_id(&self) -> Result<Uuid, StoreError> {
        let chance = self.chance.bytes()?;
        Ok(uuid::Builder::from_unix_timestamp_millis(self.now_ms().unsigned_abs(), &chance).into_uuid())
    }
}
