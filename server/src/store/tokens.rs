//! Bearer tokens: what services call with.

use ::time::OffsetDateTime;
use app::model::Slug;

use super::{
    Digest, Store, StoreError,
    db::{reading, writing},
    error::Constraint as _,
    time,
};

/// What a bearer token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenScope {
    /// Sees.
    Read,
    /// Sees and decides.
    Review,
    /// Sees, imports, creates batches and exports; does not decide.
    Import,
    /// Everything.
    Admin,
}

impl TokenScope {
    pub(crate) const ALL: &'static [Self] = &[Self::Read, Self::Review, Self::Import, Self::Admin];

    /// The word in the database and on the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Review => "review",
            Self::Import => "import",
            Self::Admin => "admin",
        }
    }
}

impl std::str::FromStr for TokenScope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|scope| scope.as_str() == text);
        known.copied().ok_or_else(|| format!("\"{text}\" is not one of read, review, import, admin"))
    }
}

/// A token as it is recorded; the token itself is known only to who was given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenRecord {
    pub(crate) name: String,
    pub(crate) scope: TokenScope,
    /// The only family that it reaches; absent: all.
    pub(crate) family: Option<Slug>,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) last_used_at: Option<OffsetDateTime>,
    pub(crate) revoked_at: Option<OffsetDateTime>,
}

#[derive(sqlx::FromRow)]
struct TokenRow {
    name: String,
    scope: String,
    family: Option<String>,
    created_at: i64,
    last_used_at: Option<i64>,
    revoked_at: Option<i64>,
}

const TOKENS: &str = "
    select name, scope, family, created_at, last_used_at, revoked_at
    from tokens
    order by name, created_at";

const LIVE: &str = "
    select name, scope, family, created_at, last_used_at, revoked_at
    from tokens
    where hash = $1 and revoked_at is null";

impl TryFrom<TokenRow> for TokenRecord {
    type Error = StoreError;

    fn try_from(row: TokenRow) -> Result<Self, StoreError> {
        let wrong = |what: &dyn std::fmt::Display| StoreError::impossible("tokens", &row.name, what);
        let moment = |at: i64| time::moment(at).ok_or_else(|| wrong(&at));
        Ok(Self {
            scope: row.scope.parse().map_err(|error: String| wrong(&error))?,
            family: row.family.map(Slug::try_from).transpose().map_err(|error| wrong(&error))?,
            created_at: moment(row.created_at)?,
            last_used_at: row.last_used_at.map(moment).transpose()?,
            revoked_at: row.revoked_at.map(moment).transpose()?,
            name: row.name.clone(),
        })
    }
}

const ADD: &str = "insert into tokens (hash, name, scope, family, created_at) values ($1, $2, $3, $4, $5)";

const REVOKE: &str = "update tokens set revoked_at = $2 where name = $1 and revoked_at is null";

const USED: &str = "update tokens set last_used_at = $2 where hash = $1";

impl Store {
    pub(crate) async fn add_token(
        &self,
        hash: &Digest,
        name: &str,
        scope: TokenScope,
        family: Option<&Slug>,
    ) -> Result<(), StoreError> {
        writing!(self, |db| {
            sqlx::query(ADD)
                .bind(&hash[..])
                .bind(name)
                .bind(scope.as_str())
                .bind(family.map(Slug::as_str))
                .bind(self.now_ms())
                .execute(db)
                .await
                .map(|_| ())
                .taken("token", name)
                .refers_to("family", family.map_or("", Slug::as_str))?;
        });
        Ok(())
    }

    /// Every token that there ever was, by name.
    pub(crate) async fn tokens(&self) -> Result<Vec<TokenRecord>, StoreError> {
        let rows: Vec<TokenRow> = reading!(self, |db| sqlx::query_as(TOKENS).fetch_all(db).await)?;
        rows.into_iter().map(TokenRecord::try_from).collect()
    }

    /// The token, where it is not revoked.
    pub(crate) async fn token(&self, hash: &Digest) -> Result<Option<TokenRecord>, StoreError> {
        let row: Option<TokenRow> = reading!(self, |db| sqlx::query_as(LIVE).bind(&hash[..]).fetch_optional(db).await)?;
        row.map(TokenRecord::try_from).transpose()
    }

    pub(crate) async fn revoke_token(&self, name: &str) -> Result<(), StoreError> {
        let revoked = writing!(self, |db| {
            sqlx::query(REVOKE).bind(name).bind(self.now_ms()).execute(db).await?.rows_affected()
        });
        if revoked == 0 { Err(StoreError::unknown("token", name)) } else { Ok(()) }
    }

    /// Notes that the token is in use.
    pub(crate) async fn note_token_use(&self, hash: &Digest) -> Result<(), StoreError> {
        writing!(self, |db| sqlx::query(USED).bind(&hash[..]).bind(self.now_ms()).execute(db).await.map(|_| ()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ::time::Duration;

    use super::*;
    use crate::store::testing::each_engine;

    #[tokio::test]
    async fn a_token_lives_until_it_is_revoked_and_stays_on_record() {
        each_engine(async |store, hand| {
            let cats: Slug = "cats".parse().unwrap();
            store.ensure_subject(&cats, &"tom".parse().unwrap()).await.unwrap();
            let made = store.clock().now();
            store.add_token(&[1; 32], "robot", TokenScope::Import, Some(&cats)).await.unwrap();
            let mut expected = TokenRecord {
                name: "robot".to_owned(),
                scope: TokenScope::Import,
                family: Some(cats),
                created_at: made,
                last_used_at: None,
                revoked_at: None,
            };
            assert_eq!(store.token(&[1; 32]).await.unwrap().as_ref(), Some(&expected));

            hand.forward(Duration::HOUR);
            store.note_token_use(&[1; 32]).await.unwrap();
            store.revoke_token("robot").await.unwrap();
            expected.last_used_at = Some(made + Duration::HOUR);
            expected.revoked_at = Some(made + Duration::HOUR);
            assert_eq!(store.token(&[1; 32]).await.unwrap(), None);
            assert_eq!(store.tokens().await.unwrap(), [expected]);
            let again = store.revoke_token("robot").await;
            assert!(matches!(again, Err(StoreError::Unknown { what: "token", .. })));
            store.add_token(&[2; 32], "robot", TokenScope::Read, None).await.unwrap();
        })
        .await;
    }

    #[tokio::test]
    async fn a_token_has_its_own_name_and_a_family_that_exists() {
        each_engine(async |store, _| {
            store.add_token(&[1; 32], "robot", TokenScope::Admin, None).await.unwrap();
            let taken = store.add_token(&[2; 32], "robot", TokenScope::Read, None).await;
            assert!(matches!(taken, Err(StoreError::Taken { what: "token", .. })));
            let fish = "fish".parse().unwrap();
            let lost = store.add_token(&[3; 32], "other", TokenScope::Read, Some(&fish)).await;
            assert!(matches!(lost, Err(StoreError::Unknown { what: "family", name }) if name == "fish"));
        })
        .await;
    }
}
