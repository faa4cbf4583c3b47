//! The pipeline as a whole, on a budget that is much too small for all that comes at once.

use std::{io::Cursor, time::Duration};

use app::model::Kind;
use futures_util::future::join_all;
use tempfile::TempDir;

use super::*;
use crate::{
    admission::ByteBudget,
    clock::{Chance, Clock},
    pictures::Limits,
};

pub(super) struct Fixture {
    pub(super) folder: TempDir,
    pub(super) intake: Intake,
    pub(super) budget: ByteBudget,
    pub(super) target: Target,
}

/// An intake with so many bytes, of which the largest file takes `largest`.
pub(super) async fn fixture(budget: u64, largest: u64, wait: Duration) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::sqlite(&folder.path().join("avatars.db"), Clock::system(), Chance::system()).await.unwrap();
    let originals = Originals::open(folder.path()).unwrap();
    let budget = ByteBudget::new(budget, wait);
    let renditions = Renditions::open(folder.path().join("renditions"), Limits::default(), 2, budget.clone()).unwrap();
    let door = Door::new(DoorLimits { files: 64, inspections: 2, largest, wait }, budget.clone());
    let (family, subject) = ("reed".parse().unwrap(), "ida".parse().unwrap());
    store.ensure_subject(&family, &subject).await.unwrap();
    let batch = store.ensure_batch(&family, &"spring".parse().unwrap(), "Spring").await.unwrap();
    let intake = Intake::new(store, originals, renditions, largest, door);
    Fixture {
        folder,
        intake,
        budget,
        target: Target { batch, subject, kind: Kind::Candidate, sender: "ada".to_owned(), turn: None },
    }
}

impl Fixture {
    /// How many files are being written, or were left behind.
    pub(super) fn staged(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("tmp")).unwrap().count()
    }
}

/// A picture whose file takes three bytes for each pixel.
pub(super) fn bitmap(side: u32, seed: u8) -> Vec<u8> {
    let pixels = image::RgbImage::from_fn(side, side, |x, y| image::Rgb([seed, x as u8, y as u8]));
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, image::ImageFormat::Bmp).unwrap();
    bytes.into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_on_a_tiny_budget_all_come_in_and_never_lock_each_other_out() {
    let Fixture { folder: _folder, intake, budget, target } =
        fixture(16 << 20, 2 << 20, Duration::from_secs(120)).await;
    // Eleven of these fill the share of the files; what is left of the budget is too little to inspect a single one.
    let fates = join_all((0..40).map(|seed| {
        let (intake, target) = (&intake, &target);
        async move {
            let bytes = bitmap(600, seed);
            let length = if seed % 2 == 0 { Length::Said(bytes.len() as u64) } else { Length::AtMost(u64::MAX) };
            intake.take_from(target, "x.bmp", length, &bytes[..]).await.unwrap()
        }
    }))
    .await;
    assert!(fates.iter().all(|fate| matches!(fate, Fate::Added { .. })), "{fates:?}");
    let snapshot = budget.snapshot();
    assert_eq!((snapshot.used, snapshot.waiting), (0, 0));
    assert!(snapshot.peak <= snapshot.total);
    assert_eq!((intake.door().files, intake.door().bytes), (0, 0));
}

#[tokio::test]
async fn what_is_not_received_to_its_end_gives_all_back_and_leaves_nothing_behind() {
    let fixture = fixture(16 << 20, 2 << 20, Duration::from_secs(5)).await;
    let bytes = bitmap(600, 1);
    let incoming = fixture.intake.open(Length::AtMost(u64::MAX)).await.unwrap().write(&bytes[..900_000]).await.unwrap();
    assert_eq!((fixture.budget.snapshot().used, fixture.staged()), (2 << 20, 1));
    drop(incoming);
    assert_eq!((fixture.budget.snapshot().used, fixture.intake.door().bytes, fixture.staged()), (0, 0, 0));
}

#[tokio::test]
async fn a_sender_that_hangs_up_once_all_has_arrived_leaves_nothing_half_done() {
    let Fixture { folder: _folder, intake, budget, target } =
        fixture(16 << 20, 2 << 20, Duration::from_secs(120)).await;
    // Nobody is inspected as long as these have their turns.
    let (mut one, mut other) = (intake.door.admit(1).await.unwrap(), intake.door.admit(1).await.unwrap());
    let turns = (one.turn().await.unwrap(), other.turn().await.unwrap());
    let sender = tokio::spawn({
        let intake = intake.clone();
        async move { intake.take_from(&target, "x.bmp", Length::AtMost(u64::MAX), &bitmap(60, 1)[..]).await }
    });
    // It has its place and its share, and has given the bytes of the budget back: it waits for its turn.
    eventually(async || intake.door().files == 3 && intake.door().bytes < 1 << 20 && budget.snapshot().used == 0).await;
    sender.abort();
    assert!(sender.await.unwrap_err().is_cancelled());
    assert_eq!(intake.door().files, 3, "the file goes on, and so does its pass");
    drop(turns);
    drop((one, other));
    eventually(async || intake.store.originals().await.unwrap().len() == 1).await;
    assert_eq!((intake.door().files, intake.door().bytes), (0, 0));
}

#[tokio::test]
async fn a_file_that_is_longer_than_was_said_is_refused_and_so_is_one_over_the_limit() {
    let fixture = fixture(16 << 20, 1 << 20, Duration::from_secs(5)).await;
    let bytes = bitmap(600, 1);
    let refused =
        async |length| match fixture.intake.take_from(&fixture.target, "x.bmp", length, &bytes[..]).await.unwrap() {
            Fate::Refused { reason } => reason,
            other => panic!("{other:?}"),
        };
    assert!(refused(Length::Said(1000)).await.contains("longer than the 1000 B that were announced"));
    assert!(refused(Length::AtMost(u64::MAX)).await.contains("larger than the 1.0 MiB"));
    // That which is too large by what is said of it is not even waited for.
    let before = fixture.intake.door().admitted_total;
    assert!(refused(Length::Said(bytes.len() as u64)).await.contains("larger than the 1.0 MiB"));
    assert_eq!((fixture.intake.door().admitted_total, fixture.budget.snapshot().used), (before, 0));
}

#[tokio::test]
async fn a_file_that_there_is_no_room_for_is_not_received() {
    let fixture = fixture(16 << 20, 2 << 20, Duration::from_millis(50)).await;
    let _elsewhere = fixture.budget.reserve(16 << 20).await.unwrap();
    let mut read = Unread(false);
    let taken = fixture.intake.take_from(&fixture.target, "x.bmp", Length::Said(1), &mut read).await;
    assert!(matches!(taken, Err(IntakeError::Busy { .. })));
    assert_eq!((read.0, fixture.staged()), (false, 0));
}

async fn eventually(is_so: impl AsyncFn() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(120);
    while !is_so().await {
        assert!(tokio::time::Instant::now() < deadline, "it never came about");
        tokio::task::yield_now().await;
    }
}

/// Notes whether anybody read of it.
struct Unread(bool);

impl tokio::io::AsyncRead for Unread {
    fn poll_read(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        self.0 = true;
        std::task::Poll::Ready(Ok(()))
    }
}
