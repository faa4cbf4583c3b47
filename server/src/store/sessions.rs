//! Sessions: who is signed in, and with what rights, in one question.

use ::time::OffsetDateTime;
use app::model::AccountId;
use uuid::Uuid;

use super::{
    Digest, Grant, Store, StoreError,
    db::{reading, transaction, writing},
    time,
};

/// A live session, its account, and every grant that the account has at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionRecord {
    pub(crate) account: AccountId,
    pub(crate) name: String,
    pub(crate) admin: bool,
    pub(crate) last_seen: OffsetDateTime,
    pub(crate) grants: Vec<Grant>,
}

/// One row for each grant, or one without.
#[derive(sqlx::FromRow)]
pub(super) struct SessionRow {
    id: Uuid,
    name: String,
    admin: bool,
    last_seen: i64,
    role: Option<String>,
    family: Option<String>,
    subject: Option<String>,
}

const SESSION: &str = "
    select a.id, a.name, a.admin, s.last_seen, g.role, g.family, g.subject
    from sessions s
    join accounts a on a.id = s.account
    left join grants g on g.account = a.id
    where s.token = $1 and s.expires > $2 and not a.disabled";

const OPEN: &str = "
    insert into sessions (token, account, created_at, last_seen, expires)
    select $1, id, $3, $3, $4 from accounts where id = $2 and not disabled";

const SWEEP: &str = "delete from sessions where expires <= $1";

const EXTEND: &str = "update sessions set last_seen = $2, expires = $3 where token = $1 and expires > $2";

const END: &str = "delete from sessions where token = $1";

impl SessionRecord {
    pub(super) fn from_rows(rows: Vec<SessionRow>) -> Result<Option<Self>, StoreError> {
        let Some(first) = rows.first() else { return Ok(None) };
        let last_seen = time::moment(first.last_seen)
            .ok_or_else(|| StoreError::impossible("sessions", first.id, format!("last seen {}", first.last_seen)))?;
        let (account, name, admin) = (AccountId(first.id), first.name.clone(), first.admin);
        let grants = rows
            .into_iter()
            .filter_map(|row| Some(Grant::from_columns(row.id, &row.role?, row.family?, row.subject)))
            .collect::<Result<_, _>>()?;
        Ok(Some(Self { account, name, admin, last_seen, grants }))
    }
}

impl Store {
    /// The session, where it is live and its account not disabled.
    pub(crate) async fn session(&self, token: &Digest) -> Result<Option<SessionRecord>, StoreError> {
        let rows: Vec<SessionRow> =
            reading!(self, |db| { sqlx::query_as(SESSION).bind(&token[..]).bind(self.now_ms()).fetch_all(db).await })?;
        SessionRecord::from_rows(rows)
    }

    /// Opens a session and clears away those that have expired. An account disabled meanwhile is unknown.
    pub(crate) async fn open_session(
        &self,
        token: &Digest,
        account: AccountId,
        expires: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let now = self.now_ms();
        transaction!(self, |tx| {
            sqlx::query(SWEEP).bind(now).execute(&mut *tx).await?;
            let opened = sqlx::query(OPEN)
                .bind(&token[..])
                .bind(account.0)
                .bind(now)
                .bind(time::milliseconds(expires))
                .execute(&mut *tx)
                .await?
                .rows_affected();
            if opened == 0 {
                return Err(StoreError::unknown("account", account));
            }
        });
        Ok(())
    }

    /// Notes that the session is in use, and moves its end.
    pub(crate) async fn extend_session(&self, token: &Digest, expires: OffsetDateTime) -> Result<(), StoreError> {
        writing!(self, |db| {
            sqlx::query(EXTEND)
                .bind(&token[..])
                .bind(self.now_ms())
                .bind(time::milliseconds(expires))
                .execute(db)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// Ends a session; one that is not there is no error.
    pub(crate) async fn end_session(&self, token: &Digest) -> Result<(), StoreError> {
        writing!(self, |db| sqlx::query(END).bind(&token[..]).execute(db).await.map(|_| ()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ::time::Duration;
    use app::model::Role;

    use super::*;
    use crate::store::{NewAccount, testing::each_engine};

    async fn ada(store: &Store) -> AccountId {
        store.add_account(NewAccount { name: "ada", password: "hash", admin: true }).await.unwrap()
    }

    #[tokio::test]
    async fn a_session_tells_the_account_and_its_grants() {
        each_engine(async |store, _| {
            let account = ada(store).await;
            store.ensure_subject(&"cats".parse().unwrap(), &"tom".parse().unwrap()).await.unwrap();
            store.open_session(&[7; 32], account, store.clock().now() + Duration::HOUR).await.unwrap();
            let found = store.session(&[7; 32]).await.unwrap().unwrap();
            let expected = SessionRecord {
                account,
                name: "ada".to_owned(),
                admin: true,
                last_seen: store.clock().now(),
                grants: Vec::new(),
            };
            assert_eq!(found, expected);

            let grants = ["cats", "cats/tom"].map(|place| Grant { role: Role::Viewer, place: place.parse().unwrap() });
            for grant in &grants {
                store.grant("ada", grant).await.unwrap();
            }
            let mut found = store.session(&[7; 32]).await.unwrap().unwrap().grants;
            found.sort_by(|one, other| one.place.cmp(&other.place));
            assert_eq!(found, grants);
        })
        .await;
    }

    #[tokio::test]
    async fn a_session_lives_until_it_expires_or_is_extended_or_ends() {
        each_engine(async |store, hand| {
            let account = ada(store).await;
            store.open_session(&[7; 32], account, store.clock().now() + Duration::HOUR).await.unwrap();
            hand.forward(Duration::minutes(59));
            let expires = store.clock().now() + Duration::HOUR;
            store.extend_session(&[7; 32], expires).await.unwrap();
            hand.forward(Duration::minutes(59));
            assert!(store.session(&[7; 32]).await.unwrap().is_some());
            hand.forward(Duration::minutes(1));
            assert_eq!(store.session(&[7; 32]).await.unwrap(), None);
            store.extend_session(&[7; 32], expires + Duration::DAY).await.unwrap();
            assert_eq!(store.session(&[7; 32]).await.unwrap(), None, "what has expired cannot be extended");

            store.open_session(&[8; 32], account, expires + Duration::HOUR).await.unwrap();
            store.end_session(&[8; 32]).await.unwrap();
            store.end_session(&[8; 32]).await.unwrap();
            assert_eq!(store.session(&[8; 32]).await.unwrap(), None);
        })
        .await;
    }

    #[tokio::test]
    async fn a_disabled_account_opens_no_session() {
        each_engine(async |store, _| {
            let account = ada(store).await;
            store.disable_account("ada").await.unwrap();
            let opened = store.open_session(&[7; 32], account, store.clock().now() + Duration::HOUR).await;
            assert!(matches!(opened, Err(StoreError::Unknown { what: "account", .. })));
        })
        .await;
    }
}
