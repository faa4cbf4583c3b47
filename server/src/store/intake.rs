//! What an import writes: families, subjects, batches and assets, made where they are missing. Every call may be
//! repeated.

use std::collections::HashSet;

use app::model::{AssetId, BatchId, Kind, Slug};
use uuid::Uuid;

use super::{
    Store, StoreError,
    db::{reading, transaction},
    error::Constraint as _,
    list::{fifties, fifty},
};
use crate::originals::Sha256;

/// An original as its bytes tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewOriginal {
    pub(crate) sha256: Sha256,
    pub(crate) bytes: u64,
    pub(crate) mime: String,
    /// As displayed, in pixels.
    pub(crate) width: u32,
    /// As displayed, in pixels.
    pub(crate) height: u32,
    pub(crate) animated: bool,
    /// Of a video, in milliseconds.
    pub(crate) duration_ms: Option<u64>,
    /// What a page can draw before the picture has come: a colour as `#rrggbb`.
    pub(crate) placeholder: Option<String>,
}

/// A picture on its way into a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewAsset {
    pub(crate) batch: BatchId,
    pub(crate) subject: Slug,
    pub(crate) kind: Kind,
    pub(crate) original: NewOriginal,
    pub(crate) original_name: String,
}

/// What became of a picture that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    Added(AssetId),
    /// The batch has this content of this subject already.
    Duplicate(AssetId),
}

pub(super) const ENSURE_FAMILY: &str =
    "insert into families (slug, created_at) values ($1, $2) on conflict (slug) do nothing";

const ENSURE_SUBJECT: &str =
    "insert into subjects (family, slug, created_at) values ($1, $2, $3) on conflict (family, slug) do nothing";

// The update changes nothing; it is there so that the row is returned.
const ENSURE_BATCH: &str = "
    insert into batches (id, family, slug, title, created_at) values ($1, $2, $3, $4, $5)
    on conflict (family, slug) do update set title = batches.title
    returning id";

const OPEN_BATCH: &str = "select family from batches where id = $1 and status = 'open'";

const BATCH_SLUG: &str = "select slug from batches where id = $1";

const ENSURE_ORIGINAL: &str = "
    insert into originals (sha256, bytes, mime, width, height, animated, duration_ms, placeholder, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (sha256) do nothing";

const ADD: &str = "
    insert into assets (id, batch, family, subject, kind, sha256, original_name, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (batch, subject, kind, sha256) do nothing
    returning id";

// What is held back has arrived as well.
const PRESENT: &str = concat!(
    "select sha256 from assets where sha256 in ",
    fifty!(),
    " and batch = $51 and subject = $52 and kind = $53
    union select sha256 from held_files where sha256 in ",
    fifty!(),
    " and batch = $51 and subject = $52 and kind = $53"
);

const EXISTING: &str = "select id from assets where batch = $1 and subject = $2 and kind = $3 and sha256 = $4";

impl Store {
    /// Makes the family and the subject where they are missing.
    pub(crate) async fn ensure_subject(&self, family: &Slug, subject: &Slug) -> Result<(), StoreError> {
        let now = self.now_ms();
        transaction!(self, |tx| {
            sqlx::query(ENSURE_FAMILY).bind(family.as_str()).bind(now).execute(&mut *tx).await?;
            sqlx::query(ENSURE_SUBJECT)
                .bind(family.as_str())
                .bind(subject.as_str())
                .bind(now)
                .execute(&mut *tx)
                .await?;
        });
        Ok(())
    }

    /// The batch of that name in the family; makes both where they are missing. The title of one that is there stays.
    pub(crate) async fn ensure_batch(&self, family: &Slug, slug: &Slug, title: &str) -> Result<BatchId, StoreError> {
        let (id, now) = (self.new_id()?, self.now_ms());
        let id: Uuid = transaction!(self, |tx| {
            sqlx::query(ENSURE_FAMILY).bind(family.as_str()).bind(now).execute(&mut *tx).await?;
            sqlx::query_scalar(ENSURE_BATCH)
                .bind(id)
                .bind(family.as_str())
                .bind(slug.as_str())
                .bind(title)
                .bind(now)
                .fetch_one(&mut *tx)
                .await?
        });
        Ok(BatchId(id))
    }

    /// Which of these contents the batch has of this subject and kind; whatever is elsewhere does not count.
    pub(crate) async fn present(
        &self,
        batch: BatchId,
        subject: &Slug,
        kind: Kind,
        contents: &[Sha256],
    ) -> Result<HashSet<Sha256>, StoreError> {
        let texts: Vec<String> = contents.iter().map(Sha256::to_string).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut present = HashSet::new();
        for fifty in fifties(&texts) {
            let found: Vec<String> = reading!(self, |db| {
                let query = fifty.iter().fold(sqlx::query_scalar(PRESENT), |query, text| query.bind(*text));
                query.bind(batch.0).bind(subject.as_str()).bind(kind.as_str()).fetch_all(db).await
            })?;
            for text in found {
                let parsed = text.parse().map_err(|error| StoreError::impossible("assets", &text, error))?;
                present.insert(parsed);
            }
        }
        Ok(present)
    }

    /// Records a picture whose original is in its place already. The subject exists.
    pub(crate) async fn add_asset(&self, asset: &NewAsset) -> Result<Added, StoreError> {
        let (id, now) = (self.new_id()?, self.now_ms());
        let original = &asset.original;
        let sha256 = original.sha256.to_string();
        let bytes = i64::try_from(original.bytes)
            .map_err(|_| StoreError::impossible("originals", &sha256, format!("{} bytes", original.bytes)))?;
        let duration_ms = original.duration_ms.map(i64::try_from).transpose();
        let duration_ms = duration_ms.map_err(|error| StoreError::impossible("originals", &sha256, error))?;
        let added = transaction!(self, |tx| {
            let family: Option<String> =
                sqlx::query_scalar(OPEN_BATCH).bind(asset.batch.0).fetch_optional(&mut *tx).await?;
            let Some(family) = family else {
                let closed: Option<String> =
                    sqlx::query_scalar(BATCH_SLUG).bind(asset.batch.0).fetch_optional(&mut *tx).await?;
                return Err(closed.map_or_else(|| StoreError::unknown("batch", asset.batch), StoreError::Closed));
            };
            sqlx::query(ENSURE_ORIGINAL)
                .bind(&sha256)
                .bind(bytes)
                .bind(&original.mime)
                .bind(i64::from(original.width))
                .bind(i64::from(original.height))
                .bind(original.animated)
                .bind(duration_ms)
                .bind(&original.placeholder)
                .bind(now)
                .execute(&mut *tx)
                .await?;
            let added: Option<Uuid> = sqlx::query_scalar(ADD)
                .bind(id)
                .bind(asset.batch.0)
                .bind(family)
                .bind(asset.subject.as_str())
                .bind(asset.kind.as_str())
                .bind(&sha256)
                .bind(&asset.original_name)
                .bind(now)
                .fetch_optional(&mut *tx)
                .await
                .refers_to("subject", &asset.subject)?;
            match added {
                Some(id) => Added::Added(AssetId(id)),
                None => {
                    let existing: Uuid = sqlx::query_scalar(EXISTING)
                        .bind(asset.batch.0)
                        .bind(asset.subject.as_str())
                        .bind(asset.kind.as_str())
                        .bind(&sha256)
                        .fetch_one(&mut *tx)
                        .await?;
                    Added::Duplicate(AssetId(existing))
                }
            }
        });
        Ok(added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        originals::Recorded,
        store::{Store, testing::each_engine},
    };

    fn slug(text: &str) -> Slug {
        text.parse().unwrap()
    }

    async fn prepared(store: &Store) -> NewAsset {
        store.ensure_subject(&slug("cats"), &slug("tom")).await.unwrap();
        let batch = store.ensure_batch(&slug("cats"), &slug("winter"), "Winter").await.unwrap();
        let original = NewOriginal {
            sha256: Sha256::of(b"tom"),
            bytes: 3,
            mime: "image/webp".to_owned(),
            width: 7,
            height: 5,
            animated: true,
            duration_ms: Some(1500),
            placeholder: Some("#112233".to_owned()),
        };
        let original_name = "tom.webp".to_owned();
        NewAsset { batch, subject: slug("tom"), kind: Kind::Candidate, original, original_name }
    }

    #[tokio::test]
    async fn what_is_made_where_it_is_missing_is_made_once() {
        each_engine(async |store, _| {
            let (cats, winter) = (slug("cats"), slug("winter"));
            assert_eq!(store.batch_named(&cats, &winter).await.unwrap(), None);
            let made = store.ensure_batch(&cats, &winter, "Winter").await.unwrap();
            assert_eq!(store.ensure_batch(&cats, &winter, "Another title").await.unwrap(), made);
            assert_eq!(store.batch_named(&cats, &winter).await.unwrap(), Some(made));
            for _ in 0..2 {
                store.ensure_subject(&cats, &slug("tom")).await.unwrap();
            }
            let batch = store.batch(&crate::store::Scope::All, made).await.unwrap().unwrap();
            assert_eq!(batch.title, "Winter");
        })
        .await;
    }

    #[tokio::test]
    async fn the_same_content_of_a_subject_is_a_duplicate_in_its_batch_alone() {
        each_engine(async |store, _| {
            let asset = prepared(store).await;
            let Added::Added(id) = store.add_asset(&asset).await.unwrap() else { panic!("it is new") };
            let renamed = NewAsset { original_name: "again.webp".to_owned(), ..asset.clone() };
            assert_eq!(store.add_asset(&renamed).await.unwrap(), Added::Duplicate(id));

            store.ensure_subject(&slug("cats"), &slug("kit")).await.unwrap();
            let spring = store.ensure_batch(&slug("cats"), &slug("spring"), "Spring").await.unwrap();
            for other in [
                NewAsset { subject: slug("kit"), ..asset.clone() },
                NewAsset { kind: Kind::Pipeline, ..asset.clone() },
                NewAsset { batch: spring, ..asset.clone() },
            ] {
                assert!(matches!(store.add_asset(&other).await.unwrap(), Added::Added(_)));
            }
            let recorded = [Recorded { sha256: asset.original.sha256, bytes: 3 }];
            assert_eq!(store.originals().await.unwrap(), recorded, "one content is one original");
        })
        .await;
    }

    #[tokio::test]
    async fn what_is_present_is_told_of_one_place_alone() {
        each_engine(async |store, _| {
            let asset = prepared(store).await;
            store.add_asset(&asset).await.unwrap();
            store.ensure_subject(&slug("cats"), &slug("kit")).await.unwrap();
            let spring = store.ensure_batch(&slug("cats"), &slug("spring"), "Spring").await.unwrap();
            let kept = asset.original.sha256;
            // More than one statement's worth, the known one among the last.
            let mut asked: Vec<Sha256> = (0..120_u8).map(|n| Sha256::of(&[n])).collect();
            asked.push(kept);
            let (tom, candidate) = (slug("tom"), Kind::Candidate);
            let present = store.present(asset.batch, &tom, candidate, &asked).await.unwrap();
            assert_eq!(present, HashSet::from([kept]));
            for (batch, subject, kind) in
                [(spring, &tom, candidate), (asset.batch, &slug("kit"), candidate), (asset.batch, &tom, Kind::Pipeline)]
            {
                assert!(store.present(batch, subject, kind, &asked).await.unwrap().is_empty());
            }
            assert!(store.present(asset.batch, &tom, candidate, &[]).await.unwrap().is_empty());
        })
        .await;
    }

    #[tokio::test]
    async fn a_picture_goes_into_a_batch_and_a_subject_that_exist_or_leaves_no_trace() {
        each_engine(async |store, _| {
            let asset = prepared(store).await;
            let lost = NewAsset { batch: BatchId(Uuid::nil()), ..asset.clone() };
            assert!(matches!(store.add_asset(&lost).await, Err(StoreError::Unknown { what: "batch", .. })));
            let lost = NewAsset { subject: slug("nobody"), ..asset };
            assert!(matches!(store.add_asset(&lost).await, Err(StoreError::Unknown { what: "subject", .. })));
            assert_eq!(store.originals().await.unwrap(), []);
        })
        .await;
    }
}
