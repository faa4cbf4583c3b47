//! Which pictures an original is of, for the list of those that cannot be shown.

use app::{
    failing::FailingPicture,
    model::{AssetId, BatchId, Slug},
};
use uuid::Uuid;

use super::{
    Store, StoreError,
    db::reading,
    list::{fifties, fifty},
};

#[derive(sqlx::FromRow)]
struct PictureRow {
    sha256: String,
    id: Uuid,
    batch: Uuid,
    batch_title: String,
    family: String,
    subject: String,
    original_name: String,
}

const PICTURES: &str = concat!(
    "
    select a.sha256, a.id, a.batch, b.title as batch_title, a.family, a.subject, a.original_name
    from assets a
    join batches b on b.id = a.batch
    where a.sha256 in ",
    fifty!(),
    "
    order by a.seq"
);

impl TryFrom<PictureRow> for (String, FailingPicture) {
    type Error = StoreError;

    fn try_from(row: PictureRow) -> Result<Self, StoreError> {
        let slug = |text| Slug::try_from(text).map_err(|error| StoreError::impossible("assets", row.id, error));
        let picture = FailingPicture {
            id: AssetId(row.id),
            batch: BatchId(row.batch),
            batch_title: row.batch_title,
            family: slug(row.family)?,
            subject: slug(row.subject)?,
            original_name: row.original_name,
        };
        Ok((row.sha256, picture))
    }
}

impl Store {
    /// The pictures of these originals, each beside its original's SHA-256, in the order of import.
    pub(crate) async fn pictures_of(&self, originals: &[&str]) -> Result<Vec<(String, FailingPicture)>, StoreError> {
        let mut pictures = Vec::new();
        for fifty in fifties(originals) {
            let rows: Vec<PictureRow> = reading!(self, |db| {
                fifty.iter().fold(sqlx::query_as(PICTURES), |query, &sha256| query.bind(sha256)).fetch_all(db).await
            })?;
            pictures.extend(rows.into_iter().map(TryInto::try_into).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(pictures)
    }
}

#[cfg(test)]
mod tests {
    use app::model::Kind;

    use super::*;
    use crate::{
        originals::Sha256,
        store::{NewAsset, NewOriginal, testing::each_engine},
    };

    #[tokio::test]
    async fn an_original_is_found_in_every_batch_that_has_it() {
        each_engine(async |store, _| {
            let slug = |text: &str| text.parse::<Slug>().unwrap();
            store.ensure_subject(&slug("cats"), &slug("tom")).await.unwrap();
            let sha256 = Sha256::of(b"tom");
            for batch in ["winter", "spring"] {
                let batch = store.ensure_batch(&slug("cats"), &slug(batch), batch).await.unwrap();
                let original = NewOriginal {
                    sha256,
                    bytes: 3,
                    mime: "image/png".to_owned(),
                    width: 7,
                    height: 5,
                    animated: false,
                    duration_ms: None,
                    placeholder: None,
                };
                let asset = NewAsset {
                    batch,
                    subject: slug("tom"),
                    kind: Kind::Candidate,
                    original,
                    original_name: "tom.png".to_owned(),
                };
                store.add_asset(&asset).await.unwrap();
            }
            let (tom, other) = (sha256.to_string(), "0".repeat(64));
            let found = store.pictures_of(&[&tom, &other]).await.unwrap();
            let batches: Vec<_> = found.iter().map(|(_, picture)| picture.batch_title.as_str()).collect();
            assert_eq!(batches, ["winter", "spring"]);
            assert!(found.iter().all(|(sha256, picture)| *sha256 == tom && picture.original_name == "tom.png"));
            assert_eq!(store.pictures_of(&[]).await.unwrap(), []);
        })
        .await;
    }
}
