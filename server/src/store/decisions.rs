//! Decisions: taken all or none, each asset at the version that was seen, with a history that only grows.
//!
//! A change first writes its batches' rows, in the order of their ids. That locks them on both engines, so that
//! changes of one batch follow one another and no two can wait for each other in a circle.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use app::model::{AccountId, AssetId, AssetVersion, Change, ChangeId, Decided, Decision, HistoryEntry, Kind};
use uuid::Uuid;

use super::{
    Located, Store, StoreError,
    db::{reading, transaction},
    list::{fifties, fifty},
    rfc3339, time,
};

/// Who decides. The name is written down as it is now: the account or token may be gone later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Actor {
    pub(crate) account: Option<AccountId>,
    pub(crate) name: String,
}

/// Where an asset stands.
#[derive(sqlx::FromRow)]
struct StandingRow {
    id: Uuid,
    decision: String,
    version: i64,
    decided_by: Option<String>,
    decided_at: Option<i64>,
}

const STANDING: &str =
    concat!("select id, decision, version, decided_by, decided_at from assets where id in ", fifty!());

impl TryFrom<StandingRow> for Decided {
    type Error = StoreError;

    fn try_from(row: StandingRow) -> Result<Self, StoreError> {
        let wrong = |what: &dyn std::fmt::Display| StoreError::impossible("assets", row.id, what);
        let decided_at = row.decided_at.map(|at| time::moment(at).ok_or_else(|| wrong(&at))).transpose()?;
        Ok(Self {
            id: AssetId(row.id),
            decision: row.decision.parse().map_err(|error| wrong(&error))?,
            version: u32::try_from(row.version).map_err(|error| wrong(&error))?,
            decided_by: row.decided_by,
            decided_at: decided_at.map(rfc3339).transpose()?,
        })
    }
}

const LOCK_BATCH: &str = "update batches set revision = revision + 1 where id = $1 returning slug, status = 'open'";

const OPEN_CHANGE: &str = "insert into changes (id, account, actor, at, undoes) values ($1, $2, $3, $4, $5)";

const WRITE_HISTORY: &str = concat!(
    "insert into history (asset, version, change, was, became)
    select id, version + 1, $51, decision, $52 from assets where id in ",
    fifty!()
);

const DECIDE: &str = concat!(
    "update assets set decision = $51, version = version + 1, decided_by = $52, decided_at = $53 where id in ",
    fifty!()
);

const CHANGED: &str = "
    select a.id, a.batch, a.family, a.subject, a.kind
    from history h
    join assets a on a.id = h.asset
    where h.change = $1
    order by a.seq";

const CHANGE_EXISTS: &str = "select count(*) from changes where id = $1";

/// Where an asset of a change stands now, and where the change had left it.
#[derive(sqlx::FromRow)]
struct ChangedRow {
    #[sqlx(flatten)]
    standing: StandingRow,
    left_at: i64,
}

const CHANGED_STANDING: &str = "
    select a.id, a.decision, a.version, a.decided_by, a.decided_at, h.version as left_at
    from history h
    join assets a on a.id = h.asset
    where h.change = $1
    order by a.seq";

const WRITE_UNDO_HISTORY: &str = "
    insert into history (asset, version, change, was, became)
    select a.id, a.version + 1, $2, a.decision, h.was
    from history h
    join assets a on a.id = h.asset
    where h.change = $1";

const UNDO: &str = "
    update assets
    set decision = (select h.was from history h where h.change = $1 and h.asset = assets.id),
        version = version + 1, decided_by = $2, decided_at = $3
    where id in (select asset from history where change = $1)";

#[derive(sqlx::FromRow)]
struct HistoryRow {
    actor: String,
    at: i64,
    was: String,
    became: String,
    version: i64,
}

const HISTORY: &str = "
    select c.actor, c.at, h.was, h.became, h.version
    from history h
    join changes c on c.id = h.change
    where h.asset = $1
    order by h.version";

impl Store {
    /// Decides candidates of open batches, each at the version named, or none of them. An asset that stands so
    /// already keeps its version and gets no line of history. `located` says where each of the assets is.
    pub(crate) async fn decide(
        &self,
        actor: &Actor,
        decision: Decision,
        wanted: &[AssetVersion],
        located: &[Located],
    ) -> Result<Change, StoreError> {
        if let Some(seen) = located.iter().find(|located| located.kind != Kind::Candidate) {
            return Err(StoreError::NotACandidate(seen.id.to_string()));
        }
        let ids: Vec<Uuid> = wanted.iter().map(|asset| asset.id.0).collect();
        let (change, now) = (self.new_id()?, self.now_ms());
        let assets = transaction!(self, |tx| {
            for batch in batches(located) {
                let locked = sqlx::query_as(LOCK_BATCH).bind(batch).fetch_optional(&mut *tx).await?;
                open(batch, locked)?;
            }
            let mut standing = HashMap::with_capacity(ids.len());
            for fifty in fifties(&ids) {
                let query = fifty.iter().fold(sqlx::query_as(STANDING), |query, &id| query.bind(id));
                let rows: Vec<StandingRow> = query.fetch_all(&mut *tx).await?;
                for row in rows {
                    standing.insert(row.id, Decided::try_from(row)?);
                }
            }
            let (mut assets, moving) = resolve(wanted, decision, &standing)?;
            sqlx::query(OPEN_CHANGE)
                .bind(change)
                .bind(actor.account.map(|account| account.0))
                .bind(&actor.name)
                .bind(now)
                .bind(None::<Uuid>)
                .execute(&mut *tx)
                .await?;
            for fifty in fifties(&moving) {
                let history = fifty.iter().fold(sqlx::query(WRITE_HISTORY), |query, &id| query.bind(id));
                history.bind(change).bind(decision.as_str()).execute(&mut *tx).await?;
                let decide = fifty.iter().fold(sqlx::query(DECIDE), |query, &id| query.bind(id));
                decide.bind(decision.as_str()).bind(&actor.name).bind(now).execute(&mut *tx).await?;
            }
            let at = self.written(now)?;
            for asset in assets.iter_mut().filter(|asset| asset.decision != decision) {
                asset.decision = decision;
                asset.version += 1;
                asset.decided_by = Some(actor.name.clone());
                asset.decided_at = Some(at.clone());
            }
            assets
        });
        Ok(Change { id: ChangeId(change), assets })
    }

    /// The assets that a change moved, in the order of import; nothing where there is no such change.
    pub(crate) async fn changed(&self, change: ChangeId) -> Result<Option<Vec<Located>>, StoreError> {
        let moved = reading!(self, |db| sqlx::query_as(CHANGED).bind(change.0).fetch_all(db).await)?;
        let moved = Located::from_rows(moved)?;
        if moved.is_empty() {
            let known: i64 = reading!(self, |db| sqlx::query_scalar(CHANGE_EXISTS).bind(change.0).fetch_one(db).await)?;
            return Ok((known > 0).then_some(moved));
        }
        Ok(Some(moved))
    }

    /// Takes a change back: each asset that it moved returns to where it stood before, all or none. `located` is
    /// what [`Store::changed`] tells of it.
    pub(crate) async fn undo(
        &self,
        actor: &Actor,
        change: ChangeId,
        located: &[Located],
    ) -> Result<Change, StoreError> {
        let (undo, now) = (self.new_id()?, self.now_ms());
        let assets = transaction!(self, |tx| {
            for batch in batches(located) {
                let locked = sqlx::query_as(LOCK_BATCH).bind(batch).fetch_optional(&mut *tx).await?;
                open(batch, locked)?;
            }
            let rows: Vec<ChangedRow> = sqlx::query_as(CHANGED_STANDING).bind(change.0).fetch_all(&mut *tx).await?;
            let (stale, fresh): (Vec<_>, Vec<_>) =
                rows.into_iter().partition(|row| row.standing.version != row.left_at);
            if !stale.is_empty() {
                return Err(StoreError::Stale(decided(stale)?));
            }
            sqlx::query(OPEN_CHANGE)
                .bind(undo)
                .bind(actor.account.map(|account| account.0))
                .bind(&actor.name)
                .bind(now)
                .bind(change.0)
                .execute(&mut *tx)
                .await?;
            if !fresh.is_empty() {
                sqlx::query(WRITE_UNDO_HISTORY).bind(change.0).bind(undo).execute(&mut *tx).await?;
                sqlx::query(UNDO).bind(change.0).bind(&actor.name).bind(now).execute(&mut *tx).await?;
            }
            let rows: Vec<ChangedRow> = sqlx::query_as(CHANGED_STANDING).bind(undo).fetch_all(&mut *tx).await?;
            decided(rows)?
        });
        Ok(Change { id: ChangeId(undo), assets })
    }

    /// What was decided of an asset, oldest first.
    pub(crate) async fn history(&self, asset: AssetId) -> Result<Vec<HistoryEntry>, StoreError> {
        let rows: Vec<HistoryRow> = reading!(self, |db| sqlx::query_as(HISTORY).bind(asset.0).fetch_all(db).await)?;
        let wrong = |what: &dyn std::fmt::Display| StoreError::impossible("history", asset, what);
        rows.into_iter()
            .map(|row| {
                Ok(HistoryEntry {
                    by: row.actor,
                    at: self.written(row.at)?,
                    before: row.was.parse().map_err(|error| wrong(&error))?,
                    after: row.became.parse().map_err(|error| wrong(&error))?,
                    version: u32::try_from(row.version).map_err(|error| wrong(&error))?,
                })
            })
            .collect()
    }

    /// A moment of the database, as the wire has it.
    fn written(&self, at: i64) -> Result<String, StoreError> {
        rfc3339(time::moment(at).ok_or_else(|| StoreError::impossible("changes", "at", at))?)
    }
}

/// The batches of some assets, each once, in the order in which they are locked.
fn batches(located: &[Located]) -> BTreeSet<Uuid> {
    located.iter().map(|located| located.batch.0).collect()
}

/// Whether a batch that was locked takes decisions.
fn open(batch: Uuid, locked: Option<(String, bool)>) -> Result<(), StoreError> {
    match locked {
        Some((_, true)) => Ok(()),
        Some((slug, false)) => Err(StoreError::Closed(slug)),
        None => Err(StoreError::unknown("batch", batch)),
    }
}

/// The assets as they stand, in the order wanted, and the ids of those that must move.
fn resolve(
    wanted: &[AssetVersion],
    decision: Decision,
    standing: &HashMap<Uuid, Decided>,
) -> Result<(Vec<Decided>, Vec<Uuid>), StoreError> {
    let mut assets = Vec::with_capacity(wanted.len());
    let mut stale = Vec::new();
    for asset in wanted {
        let now = standing.get(&asset.id.0).ok_or_else(|| StoreError::unknown("asset", asset.id))?;
        if now.version != asset.version {
            stale.push(now.clone());
        }
        assets.push(now.clone());
    }
    if !stale.is_empty() {
        return Err(StoreError::Stale(stale));
    }
    let moving = assets.iter().filter(|asset| asset.decision != decision).map(|asset| asset.id.0).collect();
    Ok((assets, moving))
}

fn decided(rows: Vec<ChangedRow>) -> Result<Vec<Decided>, StoreError> {
    rows.into_iter().map(|row| row.standing.try_into()).collect()
}
