//! Accounts: who can sign in.

use app::model::AccountId;
use uuid::Uuid;

use super::{
    Store, StoreError,
    db::{reading, transaction, writing},
    error::Constraint as _,
    time,
};

/// An account to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewAccount<'a> {
    pub(crate) name: &'a str,
    /// The hash, as a PHC string.
    pub(crate) password: &'a str,
    pub(crate) admin: bool,
}

/// An account as an admin sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccountRecord {
    pub(crate) id: AccountId,
    pub(crate) name: String,
    pub(crate) admin: bool,
    pub(crate) disabled: bool,
    pub(crate) created_at: ::time::OffsetDateTime,
}

#[derive(sqlx::FromRow)]
struct AccountRow {
    id: Uuid,
    name: String,
    admin: bool,
    disabled: bool,
    created_at: i64,
}

const ACCOUNTS: &str = "select id, name, admin, disabled, created_at from accounts order by name";

impl TryFrom<AccountRow> for AccountRecord {
    type Error = StoreError;

    fn try_from(row: AccountRow) -> Result<Self, StoreError> {
        let created_at = time::moment(row.created_at)
            .ok_or_else(|| StoreError::impossible("accounts", row.id, format!("created at {}", row.created_at)))?;
        Ok(Self { id: AccountId(row.id), name: row.name, admin: row.admin, disabled: row.disabled, created_at })
    }
}

/// What a sign-in is checked against.
#[derive(Clone, sqlx::FromRow)]
pub(crate) struct Credentials {
    id: Uuid,
    /// The hash, as a PHC string.
    pub(crate) password: String,
    pub(crate) disabled: bool,
}

const CREDENTIALS: &str = "select id, password, disabled from accounts where name = $1";

impl Credentials {
    pub(crate) fn account(&self) -> AccountId {
        AccountId(self.id)
    }
}

const ADD: &str = "insert into accounts (id, name, password, admin, created_at) values ($1, $2, $3, $4, $5)";

const DISABLE: &str = "update accounts set disabled = true where name = $1 returning id";

const SET_PASSWORD: &str = "update accounts set password = $2 where name = $1 returning id";

const END_SESSIONS: &str = "delete from sessions where account = $1";

impl Store {
    pub(crate) async fn add_account(&self, account: NewAccount<'_>) -> Result<AccountId, StoreError> {
        let id = self.new_id()?;
        writing!(self, |db| {
            sqlx::query(ADD)
                .bind(id)
                .bind(account.name)
                .bind(account.password)
                .bind(account.admin)
                .bind(self.now_ms())
                .execute(db)
                .await
                .map(|_| ())
                .taken("account", account.name)?;
        });
        Ok(AccountId(id))
    }

    /// All accounts, by name.
    pub(crate) async fn accounts(&self) -> Result<Vec<AccountRecord>, StoreError> {
        let rows: Vec<AccountRow> = reading!(self, |db| sqlx::query_as(ACCOUNTS).fetch_all(db).await)?;
        rows.into_iter().map(AccountRecord::try_from).collect()
    }

    pub(crate) async fn credentials(&self, name: &str) -> Result<Option<Credentials>, StoreError> {
        Ok(reading!(self, |db| sqlx::query_as(CREDENTIALS).bind(name).fetch_optional(db).await)?)
    }

    /// Disables an account and ends its sessions.
    pub(crate) async fn disable_account(&self, name: &str) -> Result<(), StoreError> {
        transaction!(self, |tx| {
            let id: Option<Uuid> = sqlx::query_scalar(DISABLE).bind(name).fetch_optional(&mut *tx).await?;
            let Some(id) = id else { return Err(StoreError::unknown("account", name)) };
            sqlx::query(END_SESSIONS).bind(id).execute(&mut *tx).await?;
        });
        Ok(())
    }

    /// Sets the hash of a new password and ends the account's sessions.
    pub(crate) async fn set_password(&self, name: &str, password: &str) -> Result<(), StoreError> {
        transaction!(self, |tx| {
            let id: Option<Uuid> =
                sqlx::query_scalar(SET_PASSWORD).bind(name).bind(password).fetch_optional(&mut *tx).await?;
            let Some(id) = id else { return Err(StoreError::unknown("account", name)) };
            sqlx::query(END_SESSIONS).bind(id).execute(&mut *tx).await?;
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::each_engine;

    fn new(name: &str) -> NewAccount<'_> {
        NewAccount { name, password: "hash", admin: false }
    }

    #[tokio::test]
    async fn accounts_are_listed_by_name() {
        each_engine(async |store, _| {
            let bo = store.add_account(NewAccount { admin: true, ..new("bo") }).await.unwrap();
            let ada = store.add_account(new("ada")).await.unwrap();
            let listed = store.accounts().await.unwrap();
            assert_eq!(listed.iter().map(|account| account.id).collect::<Vec<_>>(), [ada, bo]);
            assert_eq!(listed.iter().map(|account| account.admin).collect::<Vec<_>>(), [false, true]);
            assert_eq!(listed[0].created_at, store.clock().now());
        })
        .await;
    }

    #[tokio::test]
    async fn a_name_is_taken_once() {
        each_engine(async |store, _| {
            store.add_account(new("ada")).await.unwrap();
            let again = store.add_account(new("ada")).await;
            assert!(matches!(again, Err(StoreError::Taken { what: "account", name }) if name == "ada"));
        })
        .await;
    }

    #[tokio::test]
    async fn a_new_password_and_a_disabling_end_the_sessions() {
        each_engine(async |store, _| {
            let ada = store.add_account(new("ada")).await.unwrap();
            let later = store.clock().now() + ::time::Duration::hours(1);
            store.open_session(&[1; 32], ada, later).await.unwrap();
            store.set_password("ada", "other").await.unwrap();
            assert_eq!(store.session(&[1; 32]).await.unwrap(), None);
            assert_eq!(store.credentials("ada").await.unwrap().unwrap().password, "other");

            store.open_session(&[2; 32], ada, later).await.unwrap();
            store.disable_account("ada").await.unwrap();
            assert_eq!(store.session(&[2; 32]).await.unwrap(), None);
            assert!(store.credentials("ada").await.unwrap().unwrap().disabled);
        })
        .await;
    }

    #[tokio::test]
    async fn nobody_cannot_be_changed() {
        each_engine(async |store, _| {
            let disabled = store.disable_account("nobody").await;
            assert!(matches!(disabled, Err(StoreError::Unknown { what: "account", .. })));
            let changed = store.set_password("nobody", "hash").await;
            assert!(matches!(changed, Err(StoreError::Unknown { what: "account", .. })));
            assert!(store.credentials("nobody").await.unwrap().is_none());
        })
        .await;
    }
}
