//! Videos: taken in where ffmpeg is, shown by one of their pictures, played in ranges.

use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
    process::Command,
};

use image::{GenericImageView as _, ImageFormat};
use reqwest::{Method, StatusCode, header};
use serde_json::Value;

use crate::support::{Client, Studio, problem};

/// A video of two seconds, 640 by 360.
fn video(folder: &Path, name: &str) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let codec: &[&str] = match name.ends_with(".webm") {
        true => &["-c:v", "libvpx", "-deadline", "realtime"],
        false => &["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "faststart"],
    };
    let path = folder.join(name);
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=12:d=2"])
        .args(codec)
        .arg(&path)
        .status()
        .expect("ffmpeg is installed: scripts/setup test");
    assert!(made.success());
    path
}

fn import<'a>(path: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["import", path.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring"];
    [&words[..], more].concat()
}

async fn size(client: &Client, path: &str) -> (u32, u32) {
    let response = client.get(path).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let bytes = response.bytes().await.unwrap();
    image::ImageReader::with_format(Cursor::new(bytes), ImageFormat::WebP).decode().unwrap().dimensions()
}

#[tokio::test]
async fn videos_are_taken_in_shown_and_played_in_ranges() {
    let studio = Studio::new();
    let folder = studio.path("incoming");
    let files = [(video(&folder, "a.mp4"), "video/mp4"), (video(&folder, "b.webm"), "video/webm")];
    studio.ok(&import(&folder, &[]));
    studio.account("ada", &["--admin"]);
    // What the import has made is gone: everything comes from the video itself.
    fs::remove_dir_all(studio.data().join("renditions")).unwrap();
    let server = studio.serve(&[]);
    let client = server.client("ada").await;
    let assets = client.assets().await;
    for (file, mime) in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let asset = assets.iter().find(|asset| asset["original_name"] == name).unwrap();
        assert_eq!(asset["mime"], *mime);
        assert_eq!((asset["width"].as_u64(), asset["height"].as_u64()), (Some(640), Some(360)));
        assert!(asset["duration_ms"].as_u64().unwrap().abs_diff(2000) < 200, "{asset}");
        assert_eq!(asset["placeholder"].as_str().unwrap().len(), 7);
        let media = |what: &str| format!("/api/assets/{}/{what}", asset["id"].as_str().unwrap());
        assert_eq!(size(&client, &media("thumbnail")).await, (440, 248));
        assert_eq!(size(&client, &media("preview")).await, (640, 360));
        assert_eq!(size(&client, &media("export/square-64")).await, (64, 64));

        let poster = client.get(&media("poster")).await;
        assert_eq!(
            (poster.status(), &poster.headers()[header::ACCEPT_RANGES]),
            (StatusCode::OK, &"bytes".parse().unwrap())
        );
        let poster = poster.bytes().await.unwrap();
        let bytes = fs::read(file).unwrap();
        for (what, whole) in [("poster", &poster[..]), ("file", &bytes[..])] {
            let asked = client.request(Method::GET, &media(what)).header(header::RANGE, "bytes=100-199");
            let part = asked.send().await.unwrap();
            assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
            assert_eq!(part.headers()[header::CONTENT_RANGE], format!("bytes 100-199/{}", whole.len()));
            assert_eq!(part.bytes().await.unwrap(), whole[100..200]);
            let asked = client.request(Method::GET, &media(what)).header(header::RANGE, "bytes=99999999-");
            problem(asked.send().await.unwrap(), StatusCode::RANGE_NOT_SATISFIABLE, "no-such-range").await;
        }
        assert_eq!(client.get(&media("file")).await.headers()[header::CONTENT_TYPE], *mime);
    }
    studio.ok(&["verify"]);
}

#[test]
fn without_ffmpeg_videos_are_refused_with_that_reason_and_pictures_go_in() {
    let studio = Studio::new();
    let folder = studio.path("incoming");
    video(&folder, "a.mp4");
    crate::support::write_pictures(&folder, 0..1);
    let ran = studio.run_alone(&import(&folder, &["--json"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!([&told[0]["status"], &told[1]["status"]], ["added", "refused"]);
    assert!(told[1]["reason"].as_str().unwrap().contains("ffmpeg is not installed on the server"), "{ran:?}");
    assert!(studio.run_alone(&["doctor"]).stdout.contains("videos are refused: ffmpeg is not installed"));
    assert!(studio.ok(&["doctor"]).contains("ffmpeg version"));
    // The same, where it is there.
    studio.ok(&import(&folder, &[]));
}

#[test]
fn a_video_that_is_too_long_or_cut_off_is_refused() {
    let studio = Studio::new();
    let path = video(&studio.path("incoming"), "a.mp4");
    let refused = |more: &[&str]| {
        let ran = studio.run(&import(&path, more));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.stdout
    };
    assert!(refused(&["--duration-limit", "1s"]).contains("it lasts 2 s, more than the 1 s"));
    assert!(refused(&["--duration-limit", "0s"]).contains("videos are not taken in here"));
    assert!(refused(&["--pixel-limit", "100000"]).contains("more than the 100000 that may be decoded"));
    assert!(refused(&["--memory-budget", "100MiB"]).contains("bytes of memory"));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() * 6 / 10]).unwrap();
    assert!(refused(&[]).contains("the MP4 file is cut off"));
}
