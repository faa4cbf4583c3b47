//! Stores for tests: each test runs on SQLite, and on PostgreSQL where its binaries are installed.

mod concurrency;
mod postgres;

use tempfile::TempDir;

use super::Store;
use crate::clock::{Chance, Clock, testing::Hand};

/// Runs the test on a fresh store of each engine, with the hand of its clock.
pub(crate) async fn each_engine(test: impl AsyncFn(&Store, &Hand)) {
    let (store, hand, folder) = sqlite().await;
    test(&store, &hand).await;
    store.close().await;
    drop(folder);
    if let Some(url) = postgres::schema().await {
        let (clock, hand) = Clock::by_hand();
        let store = Store::postgres(&url, clock, Chance::system()).await.unwrap();
        test(&store, &hand).await;
        store.close().await;
    }
}

/// A fresh SQLite store in a folder of its own.
pub(crate) async fn sqlite() -> (Store, Hand, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let (clock, hand) = Clock::by_hand();
    let store = Store::sqlite(&folder.path().join("avatars.db"), clock, Chance::system()).await.unwrap();
    (store, hand, folder)
}
