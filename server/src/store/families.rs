//! Families and their subjects: the places that there are.

use app::model::Slug;

use super::{Place, Store, StoreError, db::reading};

#[derive(sqlx::FromRow)]
struct FamilyRow {
    slug: String,
    subject: Option<String>,
}

const FAMILIES: &str = "
    select f.slug, s.slug as subject
    from families f
    left join subjects s on s.family = f.slug
    order by f.slug, s.slug";

const SUBJECTS: &str = "select slug from subjects where family = $1 order by slug";

impl Store {
    /// The subjects of a family.
    pub(crate) async fn subjects(&self, family: &Slug) -> Result<Vec<Slug>, StoreError> {
        let slugs: Vec<String> =
            reading!(self, |db| sqlx::query_scalar(SUBJECTS).bind(family.as_str()).fetch_all(db).await)?;
        let parsed = slugs.into_iter().map(Slug::try_from).collect::<Result<_, _>>();
        parsed.map_err(|error| StoreError::impossible("subjects", family, error))
    }

    /// Every family, with every subject of it.
    pub(crate) async fn families(&self) -> Result<Vec<(Place, Vec<Place>)>, StoreError> {
        let rows: Vec<FamilyRow> = reading!(self, |db| sqlx::query_as(FAMILIES).fetch_all(db).await)?;
        let mut families: Vec<(Place, Vec<Place>)> = Vec::new();
        for FamilyRow { slug, subject } in rows {
            let parsed =
                |text: String| Slug::try_from(text).map_err(|error| StoreError::impossible("families", &slug, error));
            let family = parsed(slug.clone())?;
            let subject = subject.map(parsed).transpose()?;
            if families.last().is_none_or(|(last, _)| last.family != family) {
                families.push((Place::family(family.clone()), Vec::new()));
            }
            if let (Some((_, subjects)), Some(subject)) = (families.last_mut(), subject) {
                subjects.push(Place::subject(family, subject));
            }
        }
        Ok(families)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::each_engine;

    #[tokio::test]
    async fn families_come_with_their_subjects_even_with_none() {
        each_engine(async |store, _| {
            let place = |text: &str| text.parse::<Place>().unwrap();
            for subject in ["dogs/rex", "cats/tom", "cats/kit"] {
                let Place { family, subject: Some(subject) } = place(subject) else { unreachable!() };
                store.ensure_subject(&family, &subject).await.unwrap();
            }
            store.ensure_batch(&"birds".parse().unwrap(), &"winter".parse().unwrap(), "Winter").await.unwrap();
            let expected = [
                (place("birds"), vec![]),
                (place("cats"), vec![place("cats/kit"), place("cats/tom")]),
                (place("dogs"), vec![place("dogs/rex")]),
            ];
            assert_eq!(store.families().await.unwrap(), expected);
            let subjects = store.subjects(&"cats".parse().unwrap()).await.unwrap();
            assert_eq!(subjects, ["kit".parse().unwrap(), "tom".parse().unwrap()]);
            assert_eq!(store.subjects(&"birds".parse().unwrap()).await.unwrap(), []);
        })
        .await;
    }
}
