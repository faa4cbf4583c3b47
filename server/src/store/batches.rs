//! Batches, with the counts of what a scope shows of them.

use app::model::{Batch, BatchId, Counts, Slug};
use uuid::Uuid;

use super::{
    Place, Scope, Store, StoreError,
    db::{reading, transaction},
    error::Constraint as _,
    intake::ENSURE_FAMILY,
    place::{whole_family, within},
};

#[derive(sqlx::FromRow)]
struct BatchRow {
    id: Uuid,
    slug: String,
    title: String,
    family: String,
    status: String,
    total: i64,
    undecided: i64,
    approved: i64,
    rejected: i64,
}

// A batch is shown to who reaches its whole family, or any picture of it; its counts are of the candidates reached.
// The way to the pictures leads through the subjects, so that the scope is compared with each subject, not each picture.
const BATCHES: &str = concat!(
    "
    select b.id, b.slug, b.title, b.family, b.status, count(a.seq) as total,
        count(a.seq) filter (where a.decision = 'undecided') as undecided,
        count(a.seq) filter (where a.decision = 'approved') as approved,
        count(a.seq) filter (where a.decision = 'rejected') as rejected
    from batches b
    left join subjects t on t.family = b.family and ",
    within!("$1", "t.family", "t.slug"),
    "
    left join assets a
        on a.batch = b.id and a.kind = 'candidate' and a.family = t.family and a.subject = t.slug
    where ($2 is null or b.id = $2) and (",
    whole_family!("$1", "b.family"),
    " or exists (
            select 1 from assets s
            where s.batch = b.id and s.kind in ('candidate', 'pipeline')
                and s.family = t.family and s.subject = t.slug
        ))
    group by b.id, b.slug, b.title, b.family, b.status
    order by b.id desc"
);

const FAMILY_OF: &str = "select family from batches where id = $1";

#[cfg(test)]
const BY_NAME: &str = "select id from batches where family = $1 and slug = $2";

// Whether the scope reaches a candidate of an open batch, or may reach the first that comes.
const TAKES_DECISIONS: &str = concat!(
    "
    select b.status = 'open' and (",
    whole_family!("$2", "b.family"),
    " or exists (select 1 from assets a where a.batch = b.id and a.kind = 'candidate' and ",
    within!("$2", "a.family", "a.subject"),
    ")) from batches b where b.id = $1"
);

const CREATE: &str = "insert into batches (id, family, slug, title, created_at) values ($1, $2, $3, $4, $5)";

impl TryFrom<BatchRow> for Batch {
    type Error = StoreError;

    fn try_from(row: BatchRow) -> Result<Self, StoreError> {
        let wrong = |what: &dyn std::fmt::Display| StoreError::impossible("batches", row.id, what);
        let count = |count: i64| u32::try_from(count).map_err(|error| wrong(&error));
        Ok(Self {
            id: BatchId(row.id),
            status: row.status.parse().map_err(|error| wrong(&error))?,
            counts: Counts {
                total: count(row.total)?,
                undecided: count(row.undecided)?,
                approved: count(row.approved)?,
                rejected: count(row.rejected)?,
            },
            slug: Slug::try_from(row.slug).map_err(|error| wrong(&error))?,
            family: Slug::try_from(row.family).map_err(|error| wrong(&error))?,
            title: row.title,
        })
    }
}

impl Store {
    /// The batches that the scope shows, newest first, with the counts of what it shows.
    pub(crate) async fn batches(&self, scope: &Scope) -> Result<Vec<Batch>, StoreError> {
        self.batches_where(scope, None).await
    }

    /// The batch as the scope shows it; nothing where it does not.
    pub(crate) async fn batch(&self, scope: &Scope, id: BatchId) -> Result<Option<Batch>, StoreError> {
        Ok(self.batches_where(scope, Some(id)).await?.pop())
    }

    async fn batches_where(&self, scope: &Scope, id: Option<BatchId>) -> Result<Vec<Batch>, StoreError> {
        let rows: Vec<BatchRow> = reading!(self, |db| {
            sqlx::query_as(BATCHES).bind(scope.to_parameter()).bind(id.map(|id| id.0)).fetch_all(db).await
        })?;
        rows.into_iter().map(Batch::try_from).collect()
    }

    /// The family that the batch belongs to.
    pub(crate) async fn family_of(&self, batch: BatchId) -> Result<Option<Place>, StoreError> {
        let family: Option<String> =
            reading!(self, |db| sqlx::query_scalar(FAMILY_OF).bind(batch.0).fetch_optional(db).await)?;
        let parsed = family.map(Slug::try_from).transpose();
        Ok(parsed.map_err(|error| StoreError::impossible("batches", batch, error))?.map(Place::family))
    }

    /// The batch of that name in the family.
    #[cfg(test)]
    pub(crate) async fn batch_named(&self, family: &Slug, slug: &Slug) -> Result<Option<BatchId>, StoreError> {
        let id: Option<Uuid> = reading!(self, |db| {
            sqlx::query_scalar(BY_NAME).bind(family.as_str()).bind(slug.as_str()).fetch_optional(db).await
        })?;
        Ok(id.map(BatchId))
    }

    /// Whether the batch is open and the scope reaches what can be decided there; nothing where there is no such batch.
    pub(crate) async fn takes_decisions(&self, batch: BatchId, scope: &Scope) -> Result<Option<bool>, StoreError> {
        Ok(reading!(self, |db| {
            sqlx::query_scalar(TAKES_DECISIONS).bind(batch.0).bind(scope.to_parameter()).fetch_optional(db).await
        })?)
    }

    /// Creates an empty batch, and its family where it is missing.
    pub(crate) async fn create_batch(&self, family: &Slug, slug: &Slug, title: &str) -> Result<BatchId, StoreError> {
        let id = self.new_id()?;
        transaction!(self, |tx| {
            sqlx::query(ENSURE_FAMILY).bind(family.as_str()).bind(self.now_ms()).execute(&mut *tx).await?;
            sqlx::query(CREATE)
                .bind(id)
                .bind(family.as_str())
                .bind(slug.as_str())
                .bind(title)
                .bind(self.now_ms())
                .execute(&mut *tx)
                .await
                .map(|_| ())
                .taken("batch", slug)?;
        });
        Ok(BatchId(id))
    }
}
