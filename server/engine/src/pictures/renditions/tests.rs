use std::{fs, path::Path, time::Duration};

use image::ImageFormat;
use tempfile::TempDir;

use super::{RenderError, Rendition, Renditions, Sha256Hex, Source};
use crate::{
    admission::ByteBudget,
    pictures::{
        Limits, Recipe,
        fixtures::{encoded, scene, seen},
    },
};

const BUDGET: u64 = 512 << 20;

fn open(folder: &Path) -> Renditions {
    let budget = ByteBudget::new(BUDGET, Duration::from_secs(60));
    Renditions::open(folder.join("cache"), Limits::default(), 1, budget).unwrap()
}

fn source(folder: &Path, bytes: &[u8]) -> Source {
    let path = folder.join("original");
    fs::write(&path, bytes).unwrap();
    Source { sha256: "5f".repeat(32).parse().unwrap(), path }
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("cache").join(Recipe::THUMBNAIL.folder()).join("5f/5f").join(format!("{}.webp", "5f".repeat(32)))
}

fn bytes(rendition: Rendition) -> Vec<u8> {
    match rendition {
        Rendition::Memory(bytes) => bytes.to_vec(),
        Rendition::File { mut file, .. } => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
            bytes
        }
    }
}

#[tokio::test]
async fn a_rendition_is_made_once_and_served_from_its_file_afterwards() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) =
        (open(folder.path()), source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png)));
    let first = bytes(renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap());
    assert_eq!(seen(&first).dimensions(), (440, 293));
    assert_eq!(fs::read(file(folder.path())).unwrap(), first);
    // Without the original it can only come from the file.
    fs::remove_file(&source.path).unwrap();
    assert_eq!(bytes(renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap()), first);
}

#[tokio::test]
async fn all_who_ask_at_once_share_one_render_even_if_the_first_leaves() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) =
        (open(folder.path()), source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png)));
    // While somebody else has the only permit, all seven find the same render waiting.
    let permit = renditions.shared.permits.clone().acquire_owned().await.unwrap();
    let asking: Vec<_> = (0..7)
        .map(|_| {
            let (renditions, source) = (renditions.clone(), source.clone());
            tokio::spawn(async move { renditions.get(&source, &Recipe::THUMBNAIL).await })
        })
        .collect();
    while renditions.seats() < 7 {
        tokio::task::yield_now().await;
    }
    assert_eq!(renditions.in_flight(), 1);
    let mut asking = asking.into_iter();
    let first = asking.next().unwrap();
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    drop(permit);
    let mut answers = Vec::new();
    for answer in asking {
        answers.push(bytes(answer.await.unwrap().unwrap()));
    }
    assert_eq!(answers.len(), 6);
    assert!(answers.iter().all(|answer| answer == &answers[0]));
    assert_eq!((renditions.in_flight(), renditions.rendered()), (0, 1));
}

#[tokio::test]
async fn a_render_that_nobody_waits_for_any_more_is_given_up_before_its_turn() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) =
        (open(folder.path()), source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png)));
    let permit = renditions.shared.permits.clone().acquire_owned().await.unwrap();
    let asking = tokio::spawn({
        let (renditions, source) = (renditions.clone(), source.clone());
        async move { renditions.get(&source, &Recipe::THUMBNAIL).await.map(|_| ()) }
    });
    while renditions.seats() < 1 {
        tokio::task::yield_now().await;
    }
    asking.abort();
    while renditions.in_flight() > 0 {
        tokio::task::yield_now().await;
    }
    drop(permit);
    assert_eq!(renditions.rendered(), 0);
    // Whoever asks next is answered all the same.
    renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap();
}

#[tokio::test]
async fn a_torn_or_empty_or_zeroed_file_is_rendered_again() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) =
        (open(folder.path()), source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png)));
    let whole = bytes(renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap());
    let torn_tail = [&whole[..whole.len() - 64], &[0; 64]].concat();
    for torn in [&whole[..whole.len() / 2], &[], &vec![0; whole.len()], &torn_tail] {
        fs::write(file(folder.path()), torn).unwrap();
        assert_eq!(bytes(renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap()), whole);
        assert_eq!(fs::read(file(folder.path())).unwrap(), whole);
    }
}

#[tokio::test]
async fn what_a_crash_left_half_written_is_swept_at_the_start() {
    let folder = TempDir::new().unwrap();
    let nested = folder.path().join("cache").join(Recipe::THUMBNAIL.folder()).join("5f/5f");
    fs::create_dir_all(&nested).unwrap();
    fs::write(nested.join(".tmp-abc"), "half").unwrap();
    open(folder.path());
    assert_eq!(fs::read_dir(nested).unwrap().count(), 0);
}

#[tokio::test]
async fn a_disk_that_takes_nothing_still_serves_from_memory() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) =
        (open(folder.path()), source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png)));
    // A file where the folder should be: no user, not even root, can write below it.
    fs::write(folder.path().join("cache").join(Recipe::THUMBNAIL.folder()), "in the way").unwrap();
    let rendition = renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap();
    assert!(rendition.length() > 0);
    assert_eq!(seen(&bytes(rendition)).dimensions(), (440, 293));
}

#[tokio::test]
async fn a_broken_original_fails_for_all_and_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let whole = encoded(scene(900, 600), ImageFormat::Png);
    let (renditions, source) = (open(folder.path()), source(folder.path(), &whole[..whole.len() / 2]));
    let error = renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err();
    assert!(matches!(error, RenderError::Unreadable(_)), "{error}");
    assert_eq!(renditions.in_flight(), 0);
    assert!(!file(folder.path()).exists());
    assert_eq!(renditions.shared.permits.available_permits(), 1);
}

#[tokio::test]
async fn what_is_heavier_than_the_whole_budget_is_refused_at_once() {
    let folder = TempDir::new().unwrap();
    let source = source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png));
    let budget = ByteBudget::new(1 << 20, Duration::from_secs(60));
    let renditions = Renditions::open(folder.path().join("cache"), Limits::default(), 1, budget).unwrap();
    let error = renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err();
    assert!(matches!(error, RenderError::TooHeavy { total: 1_048_576, .. }), "{error}");
}

#[tokio::test]
async fn an_inspected_picture_has_its_thumbnail_already() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) =
        (open(folder.path()), source(folder.path(), &encoded(scene(900, 600), ImageFormat::Jpeg)));
    let inspected = renditions.inspect(&source.path, Some(source.sha256.clone())).await.unwrap();
    assert_eq!((inspected.mime, inspected.width, inspected.height), ("image/jpeg", 900, 600));
    assert!(!inspected.animated && inspected.damaged.is_none());
    assert_eq!(inspected.placeholder.unwrap().len(), 7);
    assert_eq!(seen(&fs::read(file(folder.path())).unwrap()).dimensions(), (440, 293));
}

#[test]
fn a_hash_is_64_lower_case_hexadecimal_digits() {
    assert!("ab".repeat(32).parse::<Sha256Hex>().is_ok());
    for text in ["", "ab", &"AB".repeat(32), &"g0".repeat(32), &"../".repeat(21)] {
        assert!(text.parse::<Sha256Hex>().is_err(), "{text}");
    }
}

#[tokio::test]
async fn a_picture_that_cannot_be_rendered_is_remembered_with_its_reason() {
    let folder = TempDir::new().unwrap();
    let whole = encoded(scene(900, 600), ImageFormat::Png);
    let (renditions, source) = (open(folder.path()), source(folder.path(), &whole[..whole.len() / 2]));
    let first = renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err();
    // Even though the original is whole by now, it is not tried again at once.
    fs::write(&source.path, &whole).unwrap();
    assert_eq!(renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err(), first);
    let failing = renditions.failing();
    assert_eq!((failing.len(), failing[0].reason.as_str()), (1, first.to_string().as_str()));
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_forgotten_after_a_while() {
    let folder = TempDir::new().unwrap();
    let (renditions, source) = (open(folder.path()), source(folder.path(), b"no picture"));
    renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err();
    fs::write(&source.path, encoded(scene(90, 60), ImageFormat::Png)).unwrap();
    tokio::time::advance(Duration::from_secs(599)).await;
    renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err();
    tokio::time::advance(Duration::from_secs(2)).await;
    // The runtime does not see the threads that render: while they work, a clock that stands jumps to the deadline.
    tokio::time::resume();
    renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap();
    assert!(renditions.failing().is_empty());
}

#[tokio::test]
async fn a_render_that_takes_too_long_is_not_waited_for_and_gives_everything_back_at_its_end() {
    let folder = TempDir::new().unwrap();
    let source = source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png));
    let limits = Limits { deadline: Duration::ZERO, ..Limits::default() };
    let budget = ByteBudget::new(BUDGET, Duration::from_secs(60));
    let renditions = Renditions::open(folder.path().join("cache"), limits, 1, budget).unwrap();
    let error = renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap_err();
    assert_eq!(error, RenderError::TooSlow(Duration::ZERO));
    assert_eq!((renditions.in_flight(), renditions.failing().len()), (0, 1));
    // The permit comes back when the task has ended.
    drop(renditions.shared.permits.acquire().await.unwrap());
}

#[tokio::test]
async fn what_was_not_used_for_longest_makes_room() {
    let folder = TempDir::new().unwrap();
    let renditions = open(folder.path());
    let path = |digit: char| {
        let hash = digit.to_string().repeat(64);
        folder
            .path()
            .join("cache")
            .join(Recipe::THUMBNAIL.folder())
            .join(&hash[..2])
            .join(&hash[..2])
            .join(format!("{hash}.webp"))
    };
    for (days, digit) in ['a', 'b', 'c', 'd'].into_iter().enumerate() {
        fs::create_dir_all(path(digit).parent().unwrap()).unwrap();
        fs::write(path(digit), [0; 1000]).unwrap();
        let used = std::time::SystemTime::now() - Duration::from_secs(86_400 * (4 - days as u64));
        fs::File::options().write(true).open(path(digit)).unwrap().set_modified(used).unwrap();
    }
    let evicted = renditions.tidy(Some(2500)).await.unwrap();
    assert_eq!((evicted.files, evicted.bytes, evicted.kept), (2, 2000, 2000));
    assert_eq!(['a', 'b', 'c', 'd'].map(|digit| path(digit).exists()), [false, false, true, true]);
}

#[tokio::test]
async fn a_full_cache_makes_room_by_itself() {
    let folder = TempDir::new().unwrap();
    let source = source(folder.path(), &encoded(scene(900, 600), ImageFormat::Png));
    let old = folder.path().join("cache/old");
    fs::create_dir_all(&old).unwrap();
    fs::write(old.join("picture.webp"), vec![0; 90_000]).unwrap();
    fs::File::options()
        .write(true)
        .open(old.join("picture.webp"))
        .unwrap()
        .set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    let limits = Limits { cache: 91_000, ..Limits::default() };
    let budget = ByteBudget::new(BUDGET, Duration::from_secs(60));
    let renditions = Renditions::open(folder.path().join("cache"), limits, 1, budget).unwrap();
    renditions.get(&source, &Recipe::THUMBNAIL).await.unwrap();
    assert!(!old.join("picture.webp").exists());
    assert!(file(folder.path()).exists());
}
