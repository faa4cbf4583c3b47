//! Files that are held back until they are known to be clean, and the record of those that never were.

use std::fmt::Display;

use ::time::OffsetDateTime;
use app::model::{BatchId, HeldId, Kind, Slug};
use uuid::Uuid;

use super::{
    Place, Scope, Store, StoreError,
    db::{reading, transaction, writing},
    place::within,
    time::{milliseconds, moment},
};
use crate::originals::Sha256;

/// A file on its way to a place, as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Received {
    pub(crate) batch: BatchId,
    pub(crate) subject: Slug,
    pub(crate) kind: Kind,
    pub(crate) sha256: Sha256,
    pub(crate) bytes: u64,
    pub(crate) name: String,
    /// Who sent it, as they are called.
    pub(crate) sender: String,
    pub(crate) received_at: OffsetDateTime,
}

/// Why a file is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The scanner is away: it was not asked about this file.
    Away,
    /// The scanner was asked, and there is no verdict yet.
    Unscanned,
    /// The scanner does not look at files so large.
    TooLarge,
    /// It is clean, but could not be taken in just now.
    NotTaken,
}

impl Why {
    const ALL: [Self; 4] = [Self::Away, Self::Unscanned, Self::TooLarge, Self::NotTaken];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Away => "away",
            Self::Unscanned => "unscanned",
            Self::TooLarge => "too-large",
            Self::NotTaken => "not-taken",
        }
    }
}

/// A file that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldRecord {
    pub(crate) id: HeldId,
    pub(crate) place: Place,
    pub(crate) received: Received,
    pub(crate) tries: u32,
    pub(crate) next_try: OffsetDateTime,
    pub(crate) why: Why,
    /// For a person.
    pub(crate) reason: String,
}

/// When to try next, and why the last try did not settle it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(crate) next_try: OffsetDateTime,
    pub(crate) why: Why,
    pub(crate) reason: String,
}

/// A file that was never taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefusedRecord {
    pub(crate) id: HeldId,
    pub(crate) place: Place,
    pub(crate) received: Received,
    pub(crate) refused_at: OffsetDateTime,
    /// What the scanner found in it; absent where it was refused for something else.
    pub(crate) signature: Option<String>,
    pub(crate) reason: String,
}

/// What became of a file that was to be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    New,
    /// The same file is held for the same place already.
    Known,
}

#[derive(sqlx::FromRow)]
struct ReceivedRow {
    id: Uuid,
    batch: Uuid,
    family: String,
    subject: String,
    kind: String,
    sha256: String,
    bytes: i64,
    name: String,
    sender: String,
    received_at: i64,
}

#[derive(sqlx::FromRow)]
struct HeldRow {
    #[sqlx(flatten)]
    received: ReceivedRow,
    tries: i64,
    next_try: i64,
    why: String,
    reason: String,
}

#[derive(sqlx::FromRow)]
struct RefusedRow {
    #[sqlx(flatten)]
    received: ReceivedRow,
    refused_at: i64,
    signature: Option<String>,
    reason: String,
}

const HOLD: &str = "
    insert into held_files
        (id, batch, family, subject, kind, sha256, bytes, name, sender, received_at, next_try, why, reason)
    select $1, b.id, b.family, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 from batches b where b.id = $2
    on conflict (batch, subject, kind, sha256) do nothing";

macro_rules! select_held {
    ($($rest:expr),+) => {
        concat!(
            "
    select id, batch, family, subject, kind, sha256, bytes, name, sender, received_at, tries, next_try, why, reason
    from held_files where ",
            $($rest),+
        )
    };
}

const HELD: &str = select_held!(within!("$1", "family", "subject"), " order by received_at, id limit $2");
const HELD_ONE: &str = select_held!("id = $1");
const DUE: &str = select_held!("next_try <= $1 order by next_try, id limit $2");

const HELD_IN: &str =
    concat!("select count(*) from held_files where batch = $1 and ", within!("$2", "family", "subject"));

const HELD_BYTES: &str = "select cast(coalesce(sum(bytes), 0) as bigint) from held_files";

const HELD_IDS: &str = "select id from held_files";

// Whoever sees the time change has the file to himself until then.
const CLAIM: &str = "update held_files set next_try = $3, tries = tries + 1 where id = $1 and next_try = $2";

const POSTPONE: &str = "update held_files set next_try = $2, why = $3, reason = $4 where id = $1";

const HASTEN: &str = "update held_files set next_try = $1 where next_try > $1 and ($2 is null or why = $2)";

const LET_GO: &str = "delete from held_files where id = $1";

const REFUSE: &str = "
    insert into refused_files
        (id, batch, family, subject, kind, sha256, bytes, name, sender, received_at, refused_at, signature, reason)
    select $1, b.id, b.family, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 from batches b where b.id = $2";

const REFUSED: &str = concat!(
    "
    select id, batch, family, subject, kind, sha256, bytes, name, sender, received_at, refused_at, signature, reason
    from refused_files where ",
    within!("$1", "family", "subject"),
    " order by refused_at desc, id desc limit $2"
);

fn wrong(table: &'static str, id: impl Display) -> impl Fn(&dyn Display) -> StoreError {
    move |what| StoreError::impossible(table, &id, what)
}

impl ReceivedRow {
    fn read(self, table: &'static str) -> Result<(HeldId, Place, Received), StoreError> {
        let wrong = wrong(table, self.id);
        let slug = |text| Slug::try_from(text).map_err(|error| wrong(&error));
        let (family, subject) = (slug(self.family)?, slug(self.subject)?);
        let received = Received {
            batch: BatchId(self.batch),
            subject: subject.clone(),
            kind: self.kind.parse().map_err(|error| wrong(&error))?,
            sha256: self.sha256.parse().map_err(|error| wrong(&error))?,
            bytes: u64::try_from(self.bytes).map_err(|error| wrong(&error))?,
            name: self.name,
            sender: self.sender,
            received_at: moment(self.received_at).ok_or_else(|| wrong(&self.received_at))?,
        };
        Ok((HeldId(self.id), Place::subject(family, subject), received))
    }
}

impl TryFrom<HeldRow> for HeldRecord {
    type Error = StoreError;

    fn try_from(row: HeldRow) -> Result<Self, StoreError> {
        let (id, place, received) = row.received.read("held_files")?;
        let wrong = wrong("held_files", id);
        let why = Why::ALL.into_iter().find(|why| why.as_str() == row.why).ok_or_else(|| wrong(&row.why))?;
        Ok(Self {
            id,
            place,
            received,
            tries: u32::try_from(row.tries).map_err(|error| wrong(&error))?,
            next_try: moment(row.next_try).ok_or_else(|| wrong(&row.next_try))?,
            why,
            reason: row.reason,
        })
    }
}

impl TryFrom<RefusedRow> for RefusedRecord {
    type Error = StoreError;

    fn try_from(row: RefusedRow) -> Result<Self, StoreError> {
        let (id, place, received) = row.received.read("refused_files")?;
        let refused_at = moment(row.refused_at).ok_or_else(|| wrong("refused_files", id)(&row.refused_at))?;
        Ok(Self { id, place, received, refused_at, signature: row.signature, reason: row.reason })
    }
}

/// Binds what both tables have of a file.
macro_rules! bind_received {
    ($query:expr, $id:expr, $received:expr) => {
        $query
            .bind($id)
            .bind($received.batch.0)
            .bind($received.subject.as_str())
            .bind($received.kind.as_str())
            .bind($received.sha256.to_string())
            .bind($received.bytes as i64)
            .bind(&$received.name)
            .bind(&$received.sender)
            .bind(milliseconds($received.received_at))
    };
}

impl Store {
    /// A name for a file that is to be held.
    pub(crate) fn new_held_id(&self) -> Result<HeldId, StoreError> {
        self.new_id().map(HeldId)
    }

    /// Records that the file `id` is held.
    pub(crate) async fn hold(&self, id: HeldId, file: &Received, pending: &Pending) -> Result<Hold, StoreError> {
        let changed = writing!(self, |db| {
            bind_received!(sqlx::query(HOLD), id.0, file)
                .bind(milliseconds(pending.next_try))
                .bind(pending.why.as_str())
                .bind(&pending.reason)
                .execute(db)
                .await?
                .rows_affected()
        });
        match changed {
            0 if self.family_of(file.batch).await?.is_none() => Err(StoreError::unknown("batch", file.batch)),
            0 => Ok(Hold::Known),
            _ => Ok(Hold::New),
        }
    }

    /// The files that are held within the scope, the longest held first.
    pub(crate) async fn held(&self, scope: &Scope, limit: u32) -> Result<Vec<HeldRecord>, StoreError> {
        let rows: Vec<HeldRow> = reading!(self, |db| {
            sqlx::query_as(HELD).bind(scope.to_parameter()).bind(i64::from(limit)).fetch_all(db).await
        })?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    pub(crate) async fn held_one(&self, id: HeldId) -> Result<Option<HeldRecord>, StoreError> {
        let row: Option<HeldRow> = reading!(self, |db| sqlx::query_as(HELD_ONE).bind(id.0).fetch_optional(db).await)?;
        row.map(TryInto::try_into).transpose()
    }

    /// How many files are held on their way into the batch, within the scope.
    pub(crate) async fn held_in(&self, batch: BatchId, scope: &Scope) -> Result<u32, StoreError> {
        let count: i64 = reading!(self, |db| {
            sqlx::query_scalar(HELD_IN).bind(batch.0).bind(scope.to_parameter()).fetch_one(db).await
        })?;
        u32::try_from(count).map_err(|error| StoreError::impossible("held_files", batch, error))
    }

    /// Bytes of all files that are held.
    pub(crate) async fn held_bytes(&self) -> Result<u64, StoreError> {
        let bytes: i64 = reading!(self, |db| sqlx::query_scalar(HELD_BYTES).fetch_one(db).await)?;
        u64::try_from(bytes).map_err(|error| StoreError::impossible("held_files", "sum", error))
    }

    /// Every file that is held.
    pub(crate) async fn held_ids(&self) -> Result<Vec<HeldId>, StoreError> {
        let ids: Vec<Uuid> = reading!(self, |db| sqlx::query_scalar(HELD_IDS).fetch_all(db).await)?;
        Ok(ids.into_iter().map(HeldId).collect())
    }

    /// The files whose time has come, the most overdue first.
    pub(crate) async fn due(&self, limit: u32) -> Result<Vec<HeldRecord>, StoreError> {
        let rows: Vec<HeldRow> = reading!(self, |db| {
            sqlx::query_as(DUE).bind(self.now_ms()).bind(i64::from(limit)).fetch_all(db).await
        })?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    /// Takes a file as it was seen for oneself until a moment; false where somebody else was faster.
    pub(crate) async fn claim(&self, seen: &HeldRecord, until: OffsetDateTime) -> Result<bool, StoreError> {
        let (was, until) = (milliseconds(seen.next_try), milliseconds(until));
        let changed = writing!(self, |db| {
            sqlx::query(CLAIM).bind(seen.id.0).bind(was).bind(until).execute(db).await?.rows_affected()
        });
        Ok(changed == 1)
    }

    /// Notes that the file goes on being held.
    pub(crate) async fn postpone(&self, id: HeldId, pending: &Pending) -> Result<(), StoreError> {
        writing!(self, |db| {
            sqlx::query(POSTPONE)
                .bind(id.0)
                .bind(milliseconds(pending.next_try))
                .bind(pending.why.as_str())
                .bind(&pending.reason)
                .execute(db)
                .await
                .map(drop)
        })?;
        Ok(())
    }

    /// Ends every pause, or those of files that are held for one reason.
    pub(crate) async fn hasten(&self, why: Option<Why>) -> Result<(), StoreError> {
        let why = why.map(Why::as_str);
        writing!(self, |db| sqlx::query(HASTEN).bind(self.now_ms()).bind(why).execute(db).await.map(drop))?;
        Ok(())
    }

    /// Forgets a file that is held no more; false where it was not.
    pub(crate) async fn let_go(&self, id: HeldId) -> Result<bool, StoreError> {
        Ok(writing!(self, |db| sqlx::query(LET_GO).bind(id.0).execute(db).await?.rows_affected()) == 1)
    }

    /// Records that a file was refused. If it was held, it is held no more.
    pub(crate) async fn refuse(
        &self,
        id: HeldId,
        file: &Received,
        signature: Option<&str>,
        reason: &str,
    ) -> Result<(), StoreError> {
        let now = self.now_ms();
        transaction!(self, |tx| {
            sqlx::query(LET_GO).bind(id.0).execute(&mut *tx).await?;
            bind_received!(sqlx::query(REFUSE), id.0, file)
                .bind(now)
                .bind(signature)
                .bind(reason)
                .execute(&mut *tx)
                .await?;
        });
        Ok(())
    }

    /// The files that were refused within the scope, the last first.
    pub(crate) async fn refused(&self, scope: &Scope, limit: u32) -> Result<Vec<RefusedRecord>, StoreError> {
        let rows: Vec<RefusedRow> = reading!(self, |db| {
            sqlx::query_as(REFUSED).bind(scope.to_parameter()).bind(i64::from(limit)).fetch_all(db).await
        })?;
        rows.into_iter().map(TryInto::try_into).collect()
    }
}

#[cfg(test)]
mod tests;
