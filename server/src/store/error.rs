//! What the database can answer instead of what was asked for.

use std::fmt;

use app::model::Decided;

use crate::clock::NoChance;

/// Why the store did not do it; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("there is no {what} \"{name}\"")]
    Unknown { what: &'static str, name: String },
    #[error("there is a {what} \"{name}\" already")]
    Taken { what: &'static str, name: String },
    #[error("the batch \"{0}\" is closed")]
    Closed(String),
    #[error("\"{0}\" is a pipeline picture, not a candidate: it is seen, never decided")]
    NotACandidate(String),
    #[error("{} assets have moved on", .0.len())]
    Stale(Vec<Decided>),
    #[error("the database holds what cannot be: {table} {id}: {what}")]
    Impossible { table: &'static str, id: String, what: String },
    #[error("the database is too busy or away: {0}")]
    Unavailable(#[source] sqlx::Error),
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
    #[error("the tables could not be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    #[error("cannot prepare the database at {path}: {source}")]
    Prepare { path: String, source: std::io::Error },
    #[error(transparent)]
    NoChance(#[from] NoChance),
}

impl StoreError {
    pub(super) fn impossible(table: &'static str, id: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::Impossible { table, id: id.to_string(), what: what.to_string() }
    }

    pub(super) fn unknown(what: &'static str, name: impl fmt::Display) -> Self {
        Self::Unknown { what, name: name.to_string() }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }
}

/// What a constraint of the tables means at the call that ran into it.
pub(super) trait Constraint<T> {
    /// Something of that name is there already.
    fn taken(self, what: &'static str, name: impl fmt::Display) -> Result<T, StoreError>;
    /// What the row refers to is not there.
    fn refers_to(self, what: &'static str, name: impl fmt::Display) -> Result<T, StoreError>;
}

impl<T, E: Into<StoreError>> Constraint<T> for Result<T, E> {
    fn taken(self, what: &'static str, name: impl fmt::Display) -> Result<T, StoreError> {
        self.map_err(|error| match error.into() {
            StoreError::Database(sqlx::Error::Database(violated)) if violated.is_unique_violation() => {
                StoreError::Taken { what, name: name.to_string() }
            }
            other => other,
        })
    }

    fn refers_to(self, what: &'static str, name: impl fmt::Display) -> Result<T, StoreError> {
        self.map_err(|error| match error.into() {
            StoreError::Database(sqlx::Error::Database(violated)) if violated.is_foreign_key_violation() => {
                StoreError::unknown(what, name)
            }
            other => other,
        })
    }
}
