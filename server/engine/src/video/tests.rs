//! Real videos, made by ffmpeg itself, and files that pretend to be some.

use std::{
    fs,
    io::Read as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use image::{ImageFormat, RgbImage};
use tempfile::TempDir;

use super::*;

/// Makes a video from ffmpeg's own test pictures, with these words for the output.
pub(crate) fn make(folder: &Path, name: &str, picture: &str, words: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", picture])
        .args(words)
        .arg(&path)
        .status()
        .expect("ffmpeg is installed: scripts/setup test");
    assert!(made.success());
    path
}

const H264: [&str; 6] = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const VP8: [&str; 6] = ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "200k"];

async fn videos(limits: VideoLimits) -> Videos {
    Videos::new(Ok(Tools::find().await.unwrap()), limits)
}

async fn probed(path: &Path, container: Container) -> Result<Video, VideoError> {
    videos(VideoLimits::default()).await.probe(path, container).await
}

fn sniffed(path: &Path) -> Option<Container> {
    let mut head = Vec::new();
    fs::File::open(path).unwrap().take(HEAD as u64).read_to_end(&mut head).unwrap();
    Container::of(&head)
}

/// The picture of a video, as anybody sees it.
async fn seen(path: &Path, container: Container) -> RgbImage {
    let videos = videos(VideoLimits::default()).await;
    let video = videos.probe(path, container).await.unwrap();
    let frame = videos.frame(path, &video).await.unwrap();
    let picture = image::load_from_memory_with_format(&frame, ImageFormat::Png).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (video.width, video.height));
    picture
}

fn near(found: &image::Rgb<u8>, expected: [u8; 3]) -> bool {
    found.0.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) < 12)
}

#[tokio::test]
async fn mp4_and_webm_are_told_by_their_bytes_and_give_a_picture() {
    let folder = TempDir::new().unwrap();
    let colour = "color=0xc83214:s=320x240:r=10:d=2";
    for (name, words, container) in [("a.mp4", &H264[..], Container::Mp4), ("b.webm", &VP8[..], Container::WebM)] {
        let path = make(folder.path(), name, colour, words);
        assert_eq!(sniffed(&path), Some(container));
        let video = probed(&path, container).await.unwrap();
        assert_eq!((video.width, video.height, video.duration.as_secs()), (320, 240, 2));
        let picture = seen(&path, container).await;
        assert!(near(picture.get_pixel(160, 120), [0xc8, 0x32, 0x14]), "{name}: {:?}", picture.get_pixel(160, 120));
    }
}

#[tokio::test]
async fn the_picture_is_upright_and_its_pixels_are_square() {
    let folder = TempDir::new().unwrap();
    // Blue above red; a player turns it by a quarter.
    let halves = "color=red:s=320x240:r=10:d=1,drawbox=x=0:y=0:w=320:h=120:color=blue:t=fill";
    let plain = make(folder.path(), "plain.mp4", halves, &H264);
    let turned = folder.path().join("turned.mp4");
    let copied = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y", "-i"])
        .arg(&plain)
        .args(["-c", "copy", "-metadata:s:v:0", "rotate=90"])
        .arg(&turned)
        .status();
    assert!(copied.unwrap().success());
    let picture = seen(&turned, Container::Mp4).await;
    if picture.dimensions() == (240, 320) {
        let (left, right) = (picture.get_pixel(20, 160), picture.get_pixel(220, 160));
        assert_ne!(near(left, [0, 0, 254]), near(right, [0, 0, 254]), "{left:?} {right:?}");
    } else {
        // Newer ones turn by another word, and take no notice of this one.
        assert_eq!(picture.dimensions(), (320, 240));
    }

    let wide = make(folder.path(), "wide.mp4", &format!("{halves},setsar=2/1"), &H264);
    assert_eq!(seen(&wide, Container::Mp4).await.dimensions(), (640, 240));
}

#[tokio::test]
async fn large_pictures_that_do_not_say_so_are_of_the_newer_colours() {
    let folder = TempDir::new().unwrap();
    // Coded by the newer convention, and untold: as most cameras and generators write it.
    let words = [&["-vf", "scale=out_color_matrix=bt709"][..], &H264].concat();
    let path = make(folder.path(), "hd.mp4", "color=0x20c040:s=1280x720:r=5:d=1", &words);
    let picture = seen(&path, Container::Mp4).await;
    assert!(near(picture.get_pixel(600, 300), [0x20, 0xc0, 0x40]), "{:?}", picture.get_pixel(600, 300));
}

#[tokio::test]
async fn a_video_that_is_cut_off_is_refused() {
    let folder = TempDir::new().unwrap();
    let picture = "testsrc2=s=320x240:r=25:d=2";
    let front = [&H264[..], &["-movflags", "faststart"]].concat();
    for (name, words, container) in [
        ("index-behind.mp4", &H264[..], Container::Mp4),
        ("index-in-front.mp4", &front, Container::Mp4),
        ("a.webm", &VP8, Container::WebM),
    ] {
        let path = make(folder.path(), name, picture, words);
        let whole = fs::read(&path).unwrap();
        for part in [whole.len() - 1, whole.len() / 2, 300, 60] {
            fs::write(&path, &whole[..part]).unwrap();
            let refusal = probed(&path, container).await.unwrap_err();
            assert!(matches!(refusal, VideoError::Truncated { .. }), "{name} {part}: {refusal}");
        }
        // What follows the end is no harm.
        fs::write(&path, [&whole[..], &[0; 5000]].concat()).unwrap();
        assert!(probed(&path, container).await.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn a_file_that_names_others_makes_nobody_read_them() {
    let folder = TempDir::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}/secret", listener.local_addr().unwrap());
    let secret = make(folder.path(), "secret.mp4", "color=red:s=64x64:r=5:d=1", &H264);
    let path = folder.path().join("hostile");
    let lists = [
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{address}\n#EXT-X-ENDLIST\n"),
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{}\n#EXT-X-ENDLIST\n", secret.display()),
        format!("ffconcat version 1.0\nfile '{}'\nfile '{address}'\n", secret.display()),
        format!("<?xml version=\"1.0\"?><MPD><Period><BaseURL>{address}</BaseURL></Period></MPD>"),
    ];
    for list in lists {
        fs::write(&path, &list).unwrap();
        assert_eq!(sniffed(&path), None, "a text is no video");
        // Even where somebody takes it for one, and where it begins like one.
        for bytes in [list.clone().into_bytes(), [b"\0\0\0\x10ftypisom\0\0\0\0", list.as_bytes()].concat()] {
            fs::write(&path, bytes).unwrap();
            for container in [Container::Mp4, Container::WebM] {
                assert!(probed(&path, container).await.is_err());
            }
        }
    }
    // A real video whose pictures are said to be elsewhere.
    let mut bytes = fs::read(&secret).unwrap();
    let reference = bytes.windows(8).position(|part| part == b"url \0\0\0\x01").unwrap();
    bytes[reference + 7] = 0;
    fs::write(&path, bytes).unwrap();
    let _ = seen_or_not(&path).await;
    assert!(listener.accept().is_err(), "nobody asked");
}

async fn seen_or_not(path: &Path) -> Result<Vec<u8>, VideoError> {
    let videos = videos(VideoLimits::default()).await;
    let video = videos.probe(path, Container::Mp4).await?;
    videos.frame(path, &video).await
}

#[tokio::test]
async fn what_browsers_do_not_play_or_what_does_not_move_is_refused() {
    let folder = TempDir::new().unwrap();
    let old = make(folder.path(), "old.mp4", "color=red:s=64x64:r=5:d=1", &["-c:v", "mpeg4"]);
    assert!(matches!(probed(&old, Container::Mp4).await, Err(VideoError::Codec { codec, .. }) if codec == "mpeg4"));
    let sound = make(folder.path(), "sound.mp4", "sine=d=1", &["-c:a", "aac"]);
    assert_eq!(probed(&sound, Container::Mp4).await, Err(VideoError::NoPictures));
}

#[tokio::test]
async fn the_limits_of_time_and_size_hold_before_anything_is_decoded() {
    let folder = TempDir::new().unwrap();
    let path = make(folder.path(), "a.mp4", "color=red:s=320x240:r=5:d=3", &H264);
    let ask = async |limits| videos(limits).await.probe(&path, Container::Mp4).await;
    let all = VideoLimits::default();
    assert!(ask(all).await.is_ok());
    let short = VideoLimits { duration: Duration::from_secs(2), ..all };
    assert!(matches!(ask(short).await, Err(VideoError::TooLong { .. })));
    let none = VideoLimits { duration: Duration::ZERO, ..all };
    assert_eq!(ask(none).await, Err(VideoError::Unwanted));
    let small = VideoLimits { pixels: 320 * 240 - 1, ..all };
    assert!(matches!(ask(small).await, Err(VideoError::TooManyPixels { .. })));
    let hasty = VideoLimits { deadline: Duration::from_millis(1), ..all };
    assert_eq!(ask(hasty).await, Err(VideoError::TooSlow(hasty.deadline)));
}

#[tokio::test]
async fn an_index_that_would_fill_the_memory_does_not() {
    let folder = TempDir::new().unwrap();
    let path = make(folder.path(), "a.mp4", "color=red:s=64x64:r=5:d=1", &H264);
    let mut bytes = fs::read(&path).unwrap();
    // A thousand million pictures of one byte each, in one piece.
    let mut set = |name: &[u8; 4], at: usize, value: u32| {
        let found = bytes.windows(4).position(|part| part == name).unwrap() + 4 + at;
        bytes[found..found + 4].copy_from_slice(&value.to_be_bytes());
    };
    set(b"stsz", 4, 1);
    set(b"stsz", 8, 1_000_000_000);
    set(b"stts", 8, 1_000_000_000);
    set(b"stsc", 12, 1_000_000_000);
    fs::write(&path, bytes).unwrap();
    // Some versions of ffmpeg believe the index and are stopped at the limit; others do not read that far.
    let probed = probed(&path, Container::Mp4).await;
    assert!(
        matches!(probed, Ok(_) | Err(VideoError::Damaged { .. } | VideoError::TooMuch | VideoError::TooLong { .. })),
        "{probed:?}"
    );
}

#[tokio::test]
async fn without_the_programs_the_reason_is_named() {
    let folder = TempDir::new().unwrap();
    let path = make(folder.path(), "a.mp4", "color=red:s=64x64:r=5:d=1", &H264);
    let videos = Videos::new(Err(NoTools::Missing("ffmpeg")), VideoLimits::default());
    let refusal = videos.probe(&path, Container::Mp4).await.unwrap_err();
    assert!(refusal.to_string().ends_with("ffmpeg is not installed on the server"), "{refusal}");
}
