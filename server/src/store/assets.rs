//! Assets: the pictures of the batches, as pages list them and as media is found.

use std::fmt::Display;

use app::model::{Asset, AssetId, AssetPage, AssetQuery, BatchId, Kind, Slug};
use uuid::Uuid;

use super::{
    Digest, Place, Scope, SessionRecord, Store, StoreError,
    db::reading,
    list::{fifties, fifty},
    place::within,
    rfc3339,
    sessions::SessionRow,
    time,
};
use crate::originals::Sha256;

/// The longest page.
const MOST: u32 = 1000;

/// What a media request needs to know of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MediaSource {
    pub(crate) sha256: Sha256,
    pub(crate) bytes: u64,
    pub(crate) mime: String,
    pub(crate) animated: bool,
    pub(crate) original_name: String,
}

/// Where an asset is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) id: AssetId,
    pub(crate) batch: BatchId,
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

#[derive(sqlx::FromRow)]
struct AssetRow {
    seq: i64,
    id: Uuid,
    family: String,
    subject: String,
    kind: String,
    sha256: String,
    bytes: i64,
    mime: String,
    width: i64,
    height: i64,
    duration_ms: Option<i64>,
    placeholder: Option<String>,
    original_name: String,
    decision: String,
    version: i64,
    decided_by: Option<String>,
    decided_at: Option<i64>,
}

macro_rules! select_asset {
    ($rest:literal $(, $more:expr)*) => {
        concat!(
            "
    select a.seq, a.id, a.family, a.subject, a.kind, a.sha256, o.bytes, o.mime, o.width, o.height,
        o.duration_ms, o.placeholder, a.original_name, a.decision, a.version, a.decided_by, a.decided_at
    from assets a
    join originals o on o.sha256 = a.sha256
    where ",
            $rest $(, $more)*
        )
    };
}

const ASSET: &str = select_asset!("a.id = $1");

const SEQUENCE: &str = "select seq from assets where id = $1 and batch = $2";

const PAGE: &str = select_asset!(
    "a.batch = $1 and a.seq > $2
        and ($3 is null or a.decision = $3)
        and ($4 is null or a.kind = $4)
        and ($5 is null or a.subject = $5)
        and ",
    within!("$6", "a.family", "a.subject"),
    "
    order by a.seq
    limit $7"
);

#[derive(sqlx::FromRow)]
struct MediaRow {
    asset_family: String,
    asset_subject: String,
    sha256: String,
    bytes: i64,
    mime: String,
    animated: bool,
    original_name: String,
}

macro_rules! media_columns {
    () => {
        "m.family as asset_family, m.subject as asset_subject, m.sha256, o.bytes, o.mime, o.animated, m.original_name"
    };
}

const MEDIA: &str = concat!(
    "select ",
    media_columns!(),
    "
    from assets m
    join originals o on o.sha256 = m.sha256
    where m.id = $1"
);

/// A session's row, and the asset's, which may be missing.
#[derive(sqlx::FromRow)]
struct SessionAtRow {
    #[sqlx(flatten)]
    session: SessionRow,
    #[sqlx(flatten)]
    media: MaybeMedia,
}

const SESSION_AT: &str = concat!(
    "select a.id, a.name, a.admin, s.last_seen, g.role, g.family, g.subject, ",
    media_columns!(),
    "
    from sessions s
    join accounts a on a.id = s.account
    left join assets m on m.id = $3
    left join originals o on o.sha256 = m.sha256
    left join grants g on g.account = a.id and g.family = m.family and (g.subject is null or g.subject = m.subject)
    where s.token = $1 and s.expires > $2 and not a.disabled"
);

#[derive(sqlx::FromRow)]
pub(super) struct LocatedRow {
    id: Uuid,
    batch: Uuid,
    family: String,
    subject: String,
    kind: String,
}

const LOCATED: &str = concat!("select id, batch, family, subject, kind from assets where id in ", fifty!());

fn wrong(id: impl Display) -> impl Fn(&dyn Display) -> StoreError {
    move |what| StoreError::impossible("assets", &id, what)
}

fn place(id: impl Display, family: String, subject: String) -> Result<Place, StoreError> {
    let slug = |text| Slug::try_from(text).map_err(|error| wrong(&id)(&error));
    Ok(Place::subject(slug(family)?, slug(subject)?))
}

impl TryFrom<AssetRow> for (Place, Asset) {
    type Error = StoreError;

    fn try_from(row: AssetRow) -> Result<Self, StoreError> {
        let wrong = wrong(row.id);
        let number = |number: i64| u32::try_from(number).map_err(|error| wrong(&error));
        let decided_at = row.decided_at.map(|at| time::moment(at).ok_or_else(|| wrong(&at))).transpose()?;
        let place = place(row.id, row.family, row.subject.clone())?;
        let asset = Asset {
            id: AssetId(row.id),
            subject: Slug::try_from(row.subject).map_err(|error| wrong(&error))?,
            kind: row.kind.parse().map_err(|error| wrong(&error))?,
            sha256: row.sha256,
            bytes: u64::try_from(row.bytes).map_err(|error| wrong(&error))?,
            mime: row.mime,
            width: number(row.width)?,
            height: number(row.height)?,
            duration_ms: row.duration_ms.map(u64::try_from).transpose().map_err(|error| wrong(&error))?,
            placeholder: row.placeholder,
            original_name: row.original_name,
            decision: row.decision.parse().map_err(|error| wrong(&error))?,
            version: number(row.version)?,
            decided_by: row.decided_by,
            decided_at: decided_at.map(rfc3339).transpose()?,
        };
        Ok((place, asset))
    }
}

/// The asset's half of a row: nothing where the join found none.
struct MaybeMedia(Option<MediaRow>);

impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for MaybeMedia
where
    MediaRow: sqlx::FromRow<'r, R>,
    Option<String>: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
    for<'name> &'name str: sqlx::ColumnIndex<R>,
{
    fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
        let there = row.try_get::<Option<String>, _>("asset_family")?.is_some();
        Ok(Self(there.then(|| MediaRow::from_row(row)).transpose()?))
    }
}

impl MediaRow {
    fn found(self, id: AssetId) -> Result<(Place, MediaSource), StoreError> {
        let wrong = wrong(id);
        let source = MediaSource {
            sha256: self.sha256.parse().map_err(|error| wrong(&error))?,
            bytes: u64::try_from(self.bytes).map_err(|error| wrong(&error))?,
            mime: self.mime,
            animated: self.animated,
            original_name: self.original_name,
        };
        Ok((place(id, self.asset_family, self.asset_subject)?, source))
    }
}

impl Located {
    pub(super) fn from_rows(rows: Vec<LocatedRow>) -> Result<Vec<Self>, StoreError> {
        rows.into_iter()
            .map(|row| {
                Ok(Self {
                    id: AssetId(row.id),
                    batch: BatchId(row.batch),
                    place: place(row.id, row.family, row.subject)?,
                    kind: row.kind.parse().map_err(|error| wrong(row.id)(&error))?,
                })
            })
            .collect()
    }
}

impl Store {
    /// One page of what the scope shows of a batch, in the order of import. `after` is the last page's `next`.
    pub(crate) async fn assets(
        &self,
        batch: BatchId,
        scope: &Scope,
        query: &AssetQuery,
        after: Option<i64>,
    ) -> Result<AssetPage, StoreError> {
        let limit = query.limit.unwrap_or(MOST).clamp(1, MOST);
        let mut rows: Vec<AssetRow> = reading!(self, |db| {
            sqlx::query_as(PAGE)
                .bind(batch.0)
                .bind(after.unwrap_or(i64::MIN))
                .bind(query.decision.map(|decision| decision.as_str()))
                .bind(query.kind.map(|kind| kind.as_str()))
                .bind(query.subject.as_ref().map(Slug::as_str))
                .bind(scope.to_parameter())
                .bind(i64::from(limit) + 1)
                .fetch_all(db)
                .await
        })?;
        // The one above the limit only tells that there is more.
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next = rows.last().filter(|_| more).map(|row| row.seq.to_string());
        let assets = rows.into_iter().map(|row| row.try_into().map(|(_, asset): (Place, Asset)| asset));
        Ok(AssetPage { assets: assets.collect::<Result<_, _>>()?, next })
    }

    /// An asset and where it is.
    pub(crate) async fn asset(&self, id: AssetId) -> Result<Option<(Place, Asset)>, StoreError> {
        let row: Option<AssetRow> = reading!(self, |db| sqlx::query_as(ASSET).bind(id.0).fetch_optional(db).await)?;
        row.map(TryInto::try_into).transpose()
    }

    /// Where an asset of the batch stands in the order of import.
    pub(crate) async fn sequence(&self, batch: BatchId, id: AssetId) -> Result<Option<i64>, StoreError> {
        Ok(reading!(self, |db| sqlx::query_scalar(SEQUENCE).bind(id.0).bind(batch.0).fetch_optional(db).await)?)
    }

    /// An asset's original and where the asset is.
    pub(crate) async fn media(&self, id: AssetId) -> Result<Option<(Place, MediaSource)>, StoreError> {
        let row: Option<MediaRow> = reading!(self, |db| sqlx::query_as(MEDIA).bind(id.0).fetch_optional(db).await)?;
        row.map(|row| row.found(id)).transpose()
    }

    /// A live session with those of its grants that reach the asset, and what [`Self::media`] knows of the asset: one
    /// question, since it is asked for every picture of a gallery.
    pub(crate) async fn session_at(
        &self,
        token: &Digest,
        id: AssetId,
    ) -> Result<Option<(SessionRecord, Option<(Place, MediaSource)>)>, StoreError> {
        let mut rows: Vec<SessionAtRow> = reading!(self, |db| {
            sqlx::query_as(SESSION_AT).bind(&token[..]).bind(self.now_ms()).bind(id.0).fetch_all(db).await
        })?;
        let media = rows.first_mut().and_then(|row| row.media.0.take());
        let session = SessionRecord::from_rows(rows.into_iter().map(|row| row.session).collect())?;
        let found = media.map(|row| row.found(id)).transpose()?;
        Ok(session.map(|session| (session, found)))
    }

    /// Where the assets are: those that exist, in no order.
    pub(crate) async fn locate(&self, ids: &[AssetId]) -> Result<Vec<Located>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let mut located = Vec::with_capacity(ids.len());
        for fifty in fifties(&ids) {
            let rows: Vec<LocatedRow> = reading!(self, |db| {
                fifty.iter().fold(sqlx::query_as(LOCATED), |query, &id| query.bind(id)).fetch_all(db).await
            })?;
            located.extend(Located::from_rows(rows)?);
        }
        Ok(located)
    }
}
