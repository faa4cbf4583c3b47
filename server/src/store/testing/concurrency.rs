//! Several stores on one file, as a server and a command line are: nobody is ever told that the database is locked.

use app::model::{AssetId, AssetQuery, AssetVersion, Decision, Kind, Slug};

use crate::{
    clock::{Chance, Clock},
    originals::Sha256,
    store::{Actor, Added, NewAsset, NewOriginal, Scope, Store, StoreError},
};

const WRITERS: usize = 20;
const READERS: usize = 8;
const EACH: usize = 20;

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

async fn open(folder: &tempfile::TempDir) -> Store {
    Store::sqlite(&folder.path().join("avatars.db"), Clock::system(), Chance::system()).await.unwrap()
}

async fn add(store: &Store, name: &str) -> AssetId {
    let batch = store.ensure_batch(&slug("cats"), &slug("winter"), "Winter").await.unwrap();
    let original = NewOriginal {
        sha256: Sha256::of(name.as_bytes()),
        bytes: 1,
        mime: "image/png".to_owned(),
        width: 1,
        height: 1,
        animated: false,
        duration_ms: None,
        placeholder: None,
    };
    let (subject, kind) = (slug("tom"), Kind::Candidate);
    let asset = NewAsset { batch, subject, kind, original, original_name: name.to_owned() };
    match store.add_asset(&asset).await.unwrap() {
        Added::Added(id) | Added::Duplicate(id) => id,
    }
}

/// Decides as somebody who reads again whenever another was faster.
async fn insist(store: &Store, actor: &Actor, id: AssetId) -> u32 {
    let mut conflicts = 0;
    loop {
        let (_, asset) = store.asset(id).await.unwrap().unwrap();
        let decision = if asset.version % 2 == 0 { Decision::Approved } else { Decision::Rejected };
        let located = store.locate(&[id]).await.unwrap();
        match store.decide(actor, decision, &[AssetVersion { id, version: asset.version }], &located).await {
            Ok(_) => return conflicts,
            Err(StoreError::Stale(_)) => conflicts += 1,
            Err(other) => panic!("{other}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_and_readers_of_two_processes_never_meet_a_locked_database() {
    let folder = tempfile::tempdir().unwrap();
    let stores = [open(&folder).await, open(&folder).await];
    stores[0].ensure_subject(&slug("cats"), &slug("tom")).await.unwrap();
    let shared = add(&stores[0], "shared.png").await;
    let batch = stores[0].batch_named(&slug("cats"), &slug("winter")).await.unwrap().unwrap();
    let mut work = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let store = stores[writer % 2].clone();
        let actor = Actor { account: None, name: format!("writer {writer}") };
        work.spawn(async move {
            for number in 0..EACH {
                add(&store, &format!("{writer}-{number}.png")).await;
                insist(&store, &actor, shared).await;
            }
        });
    }
    for reader in 0..READERS {
        let store = stores[reader % 2].clone();
        work.spawn(async move {
            for _ in 0..EACH {
                store.batches(&Scope::All).await.unwrap();
                store.assets(batch, &Scope::All, &AssetQuery::default(), None).await.unwrap();
            }
        });
    }
    while let Some(done) = work.join_next().await {
        done.unwrap();
    }
    let counts = stores[1].batch(&Scope::All, batch).await.unwrap().unwrap().counts;
    assert_eq!(counts.total as usize, WRITERS * EACH + 1);
    let history = stores[1].history(shared).await.unwrap();
    let versions: Vec<u32> = history.iter().map(|entry| entry.version).collect();
    assert_eq!(versions, (1..=(WRITERS * EACH) as u32).collect::<Vec<_>>(), "each decision counted once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_start_at_once_all_find_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let starts = tokio::join!(open(&folder), open(&folder), open(&folder), open(&folder));
    for store in [starts.0, starts.1, starts.2, starts.3] {
        store.ping().await.unwrap();
        assert_eq!(store.batches(&Scope::All).await.unwrap(), []);
        store.close().await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_busy_store_holds_no_more_descriptors_than_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder).await;
    store.ensure_subject(&slug("cats"), &slug("tom")).await.unwrap();
    let mut work = tokio::task::JoinSet::new();
    for number in 0..40 {
        let store = store.clone();
        work.spawn(async move {
            add(&store, &format!("{number}.png")).await;
            store.batches(&Scope::All).await.unwrap();
        });
    }
    while let Some(done) = work.join_next().await {
        done.unwrap();
    }
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    let links = open.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
    let held = links.filter(|link| link.starts_with(folder.path())).count();
    assert!(held > 0 && held <= Store::DESCRIPTORS as usize, "{held}");
}
