//! Videos that nobody would write: real ones, broken in every way that a seed leads to. Whatever comes of it, there is a
//! picture or a reason that lasts; nothing panics, and nothing is put down to this machine.
//!
//! `FUZZ_ROUNDS` makes it longer (some ten a second) and `FUZZ_SEED` begins elsewhere. What fails is written to
//! `target/tmp`.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panic")]

#[path = "mutations/mutate.rs"]
mod mutate;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use engine::video::{Container, HEAD, Tools, VideoError, VideoLimits, Videos};
use image::ImageFormat;
use mutate::{Chance, mutated};

const KINDS: [(&str, &[&str]); 5] = [
    ("plain.mp4", &["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]),
    ("in-pieces.mp4", &["-c:v", "libx264", "-preset", "ultrafast", "-movflags", "frag_keyframe+empty_moov"]),
    ("vp9.mp4", &["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
    ("vp8.webm", &["-c:v", "libvpx", "-deadline", "realtime"]),
    ("vp9.webm", &["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
];

/// Half a second of each kind, as small as a file can be, so that its tables are hit as often as its pictures.
fn originals(folder: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let make = |(name, words): &(&'static str, &[&str])| {
        let path = folder.join(name);
        let made = Command::new("ffmpeg")
            .args(["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc=s=64x48:r=8:d=0.5"])
            .args(*words)
            .arg(&path)
            .status()
            .expect("ffmpeg is installed: scripts/setup test");
        assert!(made.success(), "{name}");
        (*name, fs::read(path).unwrap())
    };
    KINDS.iter().map(make).collect()
}

/// Whether there was a picture; an error where something went wrong that must not.
async fn shown(videos: &Videos, path: &Path, bytes: &[u8]) -> Result<bool, String> {
    let Some(container) = Container::of(&bytes[..bytes.len().min(HEAD)]) else { return Ok(false) };
    fs::write(path, bytes).unwrap();
    let picture = async {
        let video = videos.probe(path, container).await?;
        let frame = videos.frame(path, &video).await?;
        Ok::<_, VideoError>((video, frame))
    };
    match picture.await {
        Ok((video, frame)) => {
            let picture = image::load_from_memory_with_format(&frame, ImageFormat::Png);
            let size = picture.map_err(|error| format!("its picture: {error}"))?.into_rgb8().dimensions();
            if size == (video.width, video.height) { Ok(true) } else { Err(format!("its picture is {size:?}")) }
        }
        Err(VideoError::TooSlow(limit)) => Err(format!("it took more than {limit:?}")),
        Err(error) if error.lasting() => Ok(false),
        Err(error) => Err(error.to_string()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_video_gives_a_picture_or_a_reason_that_lasts() {
    let number = |name, default| env::var(name).ok().map_or(default, |value: String| value.parse().unwrap());
    let (rounds, seed): (u64, u64) = (number("FUZZ_ROUNDS", 40), number("FUZZ_SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let originals = originals(folder.path());
    let videos = Videos::new(Ok(Tools::find().await.unwrap()), VideoLimits { pixels: 4_000_000, ..Default::default() });
    let path = folder.path().join("broken");
    let mut failures = Vec::new();
    let mut pictures = 0;
    for (name, bytes) in &originals {
        assert_eq!(shown(&videos, &path, bytes).await, Ok(true), "{name}");
    }
    for round in seed..seed + rounds {
        let mut chance = Chance::new(round);
        let (name, file) = chance.one_of(&originals);
        let (_, other) = chance.one_of(&originals);
        let broken = mutated(file, other, &mut chance);
        match shown(&videos, &path, &broken).await {
            Ok(seen) => pictures += u64::from(seen),
            Err(failure) => {
                let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{round}-{name}"));
                fs::write(&kept, &broken).unwrap();
                failures.push(format!("{}: {failure}", kept.display()));
            }
        }
    }
    println!("{rounds} tries, {pictures} pictures");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(pictures > 0, "none gets as far as its pictures");
}
