//! The real router on a real socket, with an authority that counts.

use std::{
    io::Cursor,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use app::{model::Kind, site::SessionCookie, studio::Caller};
use async_trait::async_trait;
use futures_util::future::join_all;
use reqwest::{Client, StatusCode, header};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::Notify};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    accounts::{Accounts, Passwords},
    admission::{ByteBudget, ConnectionLimits, Slots, SlotsConfig, serve},
    authority::{Action, Authority, Builtin, Denial, Principal},
    clock::{Chance, Clock},
    config::Config,
    intake::{Door, DoorLimits, Fate, Fetcher, Intake, Length, Target},
    originals::Originals,
    pictures::{Limits, Renditions},
    review::Review,
    store::{Place, Scope, Store},
};

/// Asks the built-in authority, slowly, and counts how many ask it at once; or refuses everybody.
struct Counting {
    inner: Builtin,
    asking: AtomicUsize,
    most: AtomicUsize,
    asked: AtomicUsize,
    refusing: AtomicBool,
}

#[async_trait]
impl Authority for Counting {
    async fn identify(&self, caller: &Caller) -> Result<Principal, Denial> {
        self.inner.identify(caller).await
    }

    async fn check(&self, caller: &Caller, action: Action, place: &Place) -> Result<Principal, Denial> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.most.fetch_max(self.asking.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        // Lets others in, if anything would.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        self.asking.fetch_sub(1, Ordering::SeqCst);
        if self.refusing.load(Ordering::SeqCst) {
            return Err(Denial::Refused);
        }
        self.inner.check(caller, action, place).await
    }

    async fn scope(&self, caller: &Caller, action: Action) -> Result<(Principal, Scope), Denial> {
        self.inner.scope(caller, action).await
    }

    async fn probe(&self) -> Result<String, String> {
        self.inner.probe().await
    }
}

struct Studio {
    _folder: TempDir,
    authority: Arc<Counting>,
    base: String,
    thumbnails: Vec<String>,
    session: String,
    stop: Arc<Notify>,
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.stop.notify_one();
    }
}

/// Serves `count` pictures with `slots` media slots.
async fn studio(count: u32, slots: usize) -> Studio {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::sqlite(&folder.path().join("avatars.db"), Clock::system(), Chance::system()).await.unwrap();
    let accounts = Accounts::new(store.clone(), Passwords::cheap());
    let originals = Originals::open(folder.path()).unwrap();
    let budget = ByteBudget::new(256 << 20, Duration::from_secs(5));
    let renditions = Renditions::open(folder.path().join("renditions"), Limits::default(), 2, budget.clone()).unwrap();
    let limits = DoorLimits { files: 16, inspections: 2, largest: 1 << 20, wait: Duration::from_secs(5) };
    let door = Door::new(limits, budget.clone());
    let intake = Intake::new(store.clone(), originals.clone(), renditions.clone(), 1 << 20, door);
    let authority = Arc::new(Counting {
        inner: Builtin::new(store.clone()),
        asking: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
        asked: AtomicUsize::new(0),
        refusing: AtomicBool::new(false),
    });
    let review = Arc::new(Review::new(store.clone(), accounts.clone(), authority.clone()));
    let slots = Slots::new(SlotsConfig { slots, queue: 4096, wait: Duration::from_secs(60) });

    let (family, subject) = ("reed".parse().unwrap(), "ida".parse().unwrap());
    store.ensure_subject(&family, &subject).await.unwrap();
    let batch = store.ensure_batch(&family, &"spring".parse().unwrap(), "Spring").await.unwrap();
    let target = Target { batch, subject, kind: Kind::Candidate, sender: "ada".to_owned(), turn: None };
    let mut thumbnails = Vec::new();
    for seed in 0..count {
        let incoming = intake.open(Length::AtMost(u64::MAX)).await.unwrap().write(&picture(seed)).await.unwrap();
        let Fate::Added { id, .. } = intake.take(&target, "x.png", incoming).await.unwrap() else { panic!() };
        thumbnails.push(format!("/api/assets/{id}/thumbnail"));
    }
    // Cold: what the import has rendered is taken away again.
    std::fs::remove_dir_all(folder.path().join("renditions")).unwrap();
    accounts.add("ada", "a password", true).await.unwrap();
    let session = accounts.sign_in("ada", "a password", None).await.unwrap();

    let config = Config::for_tests(folder.path());
    let parts = Parts {
        store,
        originals,
        renditions,
        intake,
        fetcher: Fetcher::new(Vec::new()).unwrap(),
        studio: review,
        slots: slots.clone(),
        budget,
        planned_descriptors: 256,
        ending: CancellationToken::new(),
    };
    let router = router(AppState::new(parts, &config), slots).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let stop = Arc::new(Notify::new());
    let stopped = stop.clone();
    let limits = ConnectionLimits {
        connections: 256,
        write_idle: Duration::from_secs(15),
        idle: Duration::from_secs(30),
        body_idle: Duration::from_secs(30),
        drain: Duration::from_secs(1),
    };
    tokio::spawn(serve(listener, router, limits, async move { stopped.notified().await }));
    Studio { _folder: folder, authority, base, thumbnails, session, stop }
}

fn picture(seed: u32) -> Vec<u8> {
    let pixels = image::RgbImage::from_fn(600, 500, |x, y| image::Rgb([seed as u8, (x / 4) as u8, (y / 4) as u8]));
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

impl Studio {
    async fn get(&self, client: &Client, path: &str) -> reqwest::Response {
        let cookie = format!("{}={}", SessionCookie::NAME, self.session);
        client.get(format!("{}{path}", self.base)).header(header::COOKIE, cookie).send().await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn never_more_ask_the_authority_than_there_are_slots_and_all_are_asked() {
    let studio = studio(30, 2).await;
    let client = Client::new();
    let answers = join_all(studio.thumbnails.iter().map(async |path| {
        let response = studio.get(&client, path).await;
        (response.status(), response.headers()[header::CACHE_CONTROL].clone(), response.bytes().await.unwrap())
    }))
    .await;
    for (status, cache, body) in &answers {
        assert_eq!((*status, cache.as_bytes()), (StatusCode::OK, &b"private, no-store"[..]));
        let webp = image::ImageReader::with_format(Cursor::new(body), image::ImageFormat::WebP).decode().unwrap();
        assert_eq!(webp.width().max(webp.height()), 440);
    }
    assert_eq!(studio.authority.asked.load(Ordering::SeqCst), 30);
    assert!(studio.authority.most.load(Ordering::SeqCst) <= 2);

    studio.authority.refusing.store(true, Ordering::SeqCst);
    assert_eq!(studio.get(&client, &studio.thumbnails[0]).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spelling_that_slips_past_the_admission_names_nothing() {
    let studio = studio(1, 2).await;
    let path = studio.thumbnails[0].replace("thumbnail", "export/%77eb-2048");
    assert_eq!(studio.get(&Client::new(), &path).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(studio.authority.asked.load(Ordering::SeqCst), 0);
}
