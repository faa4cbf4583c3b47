//! What has become of the files of watched folders.

use app::failing::RefusedFromFolder;

use super::{
    Store, StoreError,
    db::{reading, writing},
    rfc3339, time,
};

/// How a file lay in its folder: where one of the two has changed, it is another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) bytes: u64,
    /// When it was written, in milliseconds since 1970 UTC.
    pub(crate) modified: i64,
}

#[derive(sqlx::FromRow)]
struct TakenRow {
    path: String,
    bytes: i64,
    modified: i64,
}

#[derive(sqlx::FromRow)]
struct RefusedRow {
    place: String,
    path: String,
    taken_at: i64,
    refusal: String,
}

const TAKEN: &str = "select path, bytes, modified from watched_files where place = $1";

const TAKE: &str = "
    insert into watched_files (place, path, bytes, modified, taken_at, refusal)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (place, path) do update
    set bytes = excluded.bytes, modified = excluded.modified, taken_at = excluded.taken_at, refusal = excluded.refusal";

const REFUSED: &str = "
    select place, path, taken_at, refusal
    from watched_files
    where refusal is not null
    order by taken_at desc, path
    limit $1";

impl Store {
    /// All files that were dealt with in folders whose files go to `place`, as they were then.
    pub(crate) async fn watched(&self, place: &str) -> Result<Vec<(String, Mark)>, StoreError> {
        let rows: Vec<TakenRow> = reading!(self, |db| sqlx::query_as(TAKEN).bind(place).fetch_all(db).await)?;
        let mark = |row: TakenRow| {
            let bytes =
                u64::try_from(row.bytes).map_err(|error| StoreError::impossible("watched_files", &row.path, error))?;
            Ok((row.path, Mark { bytes, modified: row.modified }))
        };
        rows.into_iter().map(mark).collect()
    }

    /// Notes that a file was dealt with, and why it was not taken in, if it was not.
    pub(crate) async fn note_watched(
        &self,
        (place, path): (&str, &str),
        mark: Mark,
        refusal: Option<&str>,
    ) -> Result<(), StoreError> {
        writing!(self, |db| {
            sqlx::query(TAKE)
                .bind(place)
                .bind(path)
                .bind(i64::try_from(mark.bytes).unwrap_or(i64::MAX))
                .bind(mark.modified)
                .bind(self.now_ms())
                .bind(refusal)
                .execute(db)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// The files of watched folders that were not taken in, the last first, `most` of them.
    pub(crate) async fn refused_from_folders(&self, most: u32) -> Result<Vec<RefusedFromFolder>, StoreError> {
        let rows: Vec<RefusedRow> =
            reading!(self, |db| sqlx::query_as(REFUSED).bind(i64::from(most)).fetch_all(db).await)?;
        let refused = |row: RefusedRow| {
            let wrong = || StoreError::impossible("watched_files", &row.path, row.taken_at);
            let at = rfc3339(time::moment(row.taken_at).ok_or_else(wrong)?)?;
            Ok(RefusedFromFolder { place: row.place, path: row.path, reason: row.refusal, at })
        };
        rows.into_iter().map(refused).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::each_engine;

    #[tokio::test]
    async fn a_file_is_known_as_it_was_last_and_a_refusal_goes_when_it_is_taken() {
        each_engine(async |store, _| {
            let mark = |bytes| Mark { bytes, modified: -5 };
            store.note_watched(("cats/tom/spring", "a.png"), mark(1), Some("it is empty")).await.unwrap();
            store.note_watched(("cats/kit/spring", "a.png"), mark(9), None).await.unwrap();
            let refused = store.refused_from_folders(9).await.unwrap();
            assert_eq!((refused.len(), refused[0].reason.as_str()), (1, "it is empty"));
            store.note_watched(("cats/tom/spring", "a.png"), mark(2), None).await.unwrap();
            assert_eq!(store.watched("cats/tom/spring").await.unwrap(), [("a.png".to_owned(), mark(2))]);
            assert_eq!(store.refused_from_folders(9).await.unwrap(), []);
        })
        .await;
    }
}
