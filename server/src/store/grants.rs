//! Grants: which role an account has where.

use app::model::{AccountId, Role, Slug};
use uuid::Uuid;

use super::{
    Place, Store, StoreError,
    db::{reading, transaction, writing},
    error::Constraint as _,
};

/// A role in a family or with one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) role: Role,
    pub(crate) place: Place,
}

impl Grant {
    /// From the columns of a row of the account `id`.
    pub(super) fn from_columns(
        id: Uuid,
        role: &str,
        family: String,
        subject: Option<String>,
    ) -> Result<Self, StoreError> {
        let wrong = |what: &dyn std::fmt::Display| StoreError::impossible("grants", id, what);
        let role = role.parse().map_err(|error| wrong(&error))?;
        let family = Slug::try_from(family).map_err(|error| wrong(&error))?;
        let subject = subject.map(Slug::try_from).transpose().map_err(|error| wrong(&error))?;
        Ok(Self { role, place: Place { family, subject } })
    }
}

#[derive(sqlx::FromRow)]
struct GrantRow {
    account: Uuid,
    role: String,
    family: String,
    subject: Option<String>,
}

const GRANTS: &str = "select account, role, family, subject from grants order by account, family, subject";

const GRANT: &str = "
    insert into grants (account, family, subject, role, created_at)
    select id, $2, $3, $4, $5 from accounts where name = $1
    on conflict (account, family, (coalesce(subject, ''))) do update set role = excluded.role
    returning account";

// Who loses a family loses every subject of it.
const REVOKE: &str = "
    delete from grants
    where account = $1 and family = $2 and ($3 is null or subject = $3)";

const ACCOUNT: &str = "select id from accounts where name = $1";

impl Store {
    /// Every grant, with the account that has it.
    pub(crate) async fn grants(&self) -> Result<Vec<(AccountId, Grant)>, StoreError> {
        let rows: Vec<GrantRow> = reading!(self, |db| sqlx::query_as(GRANTS).fetch_all(db).await)?;
        rows.into_iter()
            .map(|row| {
                let grant = Grant::from_columns(row.account, &row.role, row.family, row.subject)?;
                Ok((AccountId(row.account), grant))
            })
            .collect()
    }

    /// Gives the account the role at the place, instead of the one that it had there.
    pub(crate) async fn grant(&self, name: &str, grant: &Grant) -> Result<(), StoreError> {
        let Place { family, subject } = &grant.place;
        let granted: Option<Uuid> = writing!(self, |db| {
            sqlx::query_scalar(GRANT)
                .bind(name)
                .bind(family.as_str())
                .bind(subject.as_ref().map(Slug::as_str))
                .bind(grant.role.as_str())
                .bind(self.now_ms())
                .fetch_optional(db)
                .await
                .refers_to("family or subject", &grant.place)?
        });
        granted.map(|_| ()).ok_or_else(|| StoreError::unknown("account", name))
    }

    /// Takes away what the account has at the place and within it.
    pub(crate) async fn revoke(&self, name: &str, place: &Place) -> Result<(), StoreError> {
        let revoked = transaction!(self, |tx| {
            let account: Option<Uuid> = sqlx::query_scalar(ACCOUNT).bind(name).fetch_optional(&mut *tx).await?;
            let Some(account) = account else { return Err(StoreError::unknown("account", name)) };
            sqlx::query(REVOKE)
                .bind(account)
                .bind(place.family.as_str())
                .bind(place.subject.as_ref().map(Slug::as_str))
                .execute(&mut *tx)
                .await?
                .rows_affected()
        });
        if revoked == 0 {
            return Err(StoreError::unknown("grant", format_args!("{name} {place}")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{NewAccount, testing::each_engine};

    async fn prepared(store: &Store) -> AccountId {
        for subject in ["tom", "kit"] {
            store.ensure_subject(&"cats".parse().unwrap(), &subject.parse().unwrap()).await.unwrap();
        }
        store.add_account(NewAccount { name: "ada", password: "hash", admin: false }).await.unwrap()
    }

    fn grant(role: Role, place: &str) -> Grant {
        Grant { role, place: place.parse().unwrap() }
    }

    #[tokio::test]
    async fn a_second_grant_at_a_place_replaces_the_first() {
        each_engine(async |store, _| {
            let ada = prepared(store).await;
            for place in ["cats", "cats/tom"] {
                store.grant("ada", &grant(Role::Viewer, place)).await.unwrap();
                store.grant("ada", &grant(Role::Reviewer, place)).await.unwrap();
            }
            let mut grants = store.grants().await.unwrap();
            grants.sort_by(|(_, one), (_, other)| one.place.cmp(&other.place));
            let expected = [(ada, grant(Role::Reviewer, "cats")), (ada, grant(Role::Reviewer, "cats/tom"))];
            assert_eq!(grants, expected);
        })
        .await;
    }

    #[tokio::test]
    async fn who_loses_a_family_loses_its_subjects_and_no_others() {
        each_engine(async |store, _| {
            let ada = prepared(store).await;
            store.ensure_subject(&"dogs".parse().unwrap(), &"rex".parse().unwrap()).await.unwrap();
            for place in ["cats", "cats/tom", "cats/kit", "dogs/rex"] {
                store.grant("ada", &grant(Role::Viewer, place)).await.unwrap();
            }
            store.revoke("ada", &"cats/tom".parse().unwrap()).await.unwrap();
            assert_eq!(store.grants().await.unwrap().len(), 3);
            store.revoke("ada", &"cats".parse().unwrap()).await.unwrap();
            assert_eq!(store.grants().await.unwrap(), [(ada, grant(Role::Viewer, "dogs/rex"))]);
            let again = store.revoke("ada", &"cats".parse().unwrap()).await;
            assert!(matches!(again, Err(StoreError::Unknown { what: "grant", .. })));
        })
        .await;
    }

    #[tokio::test]
    async fn a_grant_names_what_exists() {
        each_engine(async |store, _| {
            prepared(store).await;
            for place in ["fish", "cats/nemo"] {
                let refused = store.grant("ada", &grant(Role::Viewer, place)).await;
                assert!(matches!(refused, Err(StoreError::Unknown { name, .. }) if name == place));
            }
            let refused = store.grant("bo", &grant(Role::Viewer, "cats")).await;
            assert!(matches!(refused, Err(StoreError::Unknown { what: "account", .. })));
            let refused = store.revoke("bo", &"cats".parse().unwrap()).await;
            assert!(matches!(refused, Err(StoreError::Unknown { what: "account", .. })));
        })
        .await;
    }
}
