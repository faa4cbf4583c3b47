//! The two engines: how they are opened, and the macros that run one body on either.
//!
//! SQLite has one connection that writes and several that read. A transaction that writes takes the lock when it
//! begins, so that it waits for another process's instead of failing in the middle; inside this process writers
//! queue for the one connection.

use std::{fs::File, path::Path, time::Duration};

use sqlx::{
    PgPool, SqlitePool,
    migrate::Migrator,
    postgres::PgPoolOptions,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::StoreError;

const READERS: u32 = 8;
const WRITERS: u32 = 1;
pub(super) const CONNECTIONS: u32 = READERS + WRITERS;

/// The longest that SQLite waits for another process's write.
const LOCK_WAIT: Duration = Duration::from_secs(10);
/// The longest wait for a connection of the pool.
const POOL_WAIT: Duration = Duration::from_secs(10);

static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

#[derive(Clone, Debug)]
pub(super) enum Db {
    Sqlite { read: SqlitePool, write: SqlitePool },
    Postgres(PgPool),
}

impl Db {
    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite { read, write } => {
                // The writer goes last: the last connection folds the log into the database.
                read.close().await;
                write.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

pub(super) async fn sqlite(path: &Path) -> Result<Db, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(LOCK_WAIT)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Normal)
        .pragma("temp_store", "memory");
    let write = {
        // Two processes that start at once must not both make the tables: the lock ends with the file.
        let _starting = starting_lock(path).await?;
        let options = options.clone().create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
        let pool = sqlite_pool(WRITERS).connect_with(options).await?;
        SQLITE.run(&pool).await?;
        pool
    };
    let read = sqlite_pool(READERS).connect_with(options.pragma("query_only", "on")).await?;
    // All are opened now: later there may be no descriptor left for a file.
    let mut held = Vec::new();
    for _ in 0..READERS {
        held.push(read.acquire().await?);
    }
    drop(held);
    Ok(Db::Sqlite { read, write })
}

/// A pool that opens its connections once and keeps them.
fn sqlite_pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(POOL_WAIT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

async fn starting_lock(database: &Path) -> Result<File, StoreError> {
    let path = database.with_extension("lock");
    let shown = path.display().to_string();
    let lock = move || {
        let file = File::create(path)?;
        file.lock()?;
        Ok(file)
    };
    let locked = tokio::task::spawn_blocking(lock).await.unwrap_or_else(|error| Err(error.into()));
    locked.map_err(|source| StoreError::Prepare { path: shown, source })
}

pub(super) async fn postgres(url: &str) -> Result<Db, StoreError> {
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(POOL_WAIT).connect(url).await?;
    POSTGRES.run(&pool).await?;
    Ok(Db::Postgres(pool))
}

/// Runs a body that reads, with `$db` as the executor.
macro_rules! reading {
    ($store:expr, |$db:ident| $body:expr) => {
        match &$store.db {
            $crate::store::db::Db::Sqlite { read: $db, .. } => $body,
            $crate::store::db::Db::Postgres($db) => $body,
        }
    };
}

/// Runs a body of one statement that writes, with `$db` as the executor.
macro_rules! writing {
    ($store:expr, |$db:ident| $body:expr) => {
        match &$store.db {
            $crate::store::db::Db::Sqlite { write: $db, .. } => $body,
            $crate::store::db::Db::Postgres($db) => $body,
        }
    };
}

/// Runs a body in a transaction, with `&mut *$tx` as the executor, and commits. Leaving by `?` or `return` rolls back.
macro_rules! transaction {
    ($store:expr, |$tx:ident| $body:block) => {
        match &$store.db {
            $crate::store::db::Db::Sqlite { write, .. } => {
                let mut $tx = write.begin_with("begin immediate").await?;
                let out = $body;
                $tx.commit().await?;
                out
            }
            $crate::store::db::Db::Postgres(pool) => {
                let mut $tx = pool.begin().await?;
                let out = $body;
                $tx.commit().await?;
                out
            }
        }
    };
}

pub(super) use {reading, transaction, writing};
