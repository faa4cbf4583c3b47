//! `avatars gc`: frees what nobody needs, beside a running server, and never an original.

use std::{fs, path::Path, time::Duration};

use engine::pictures::Recipe;
use reqwest::StatusCode;
use serde_json::Value;

use crate::support::Studio;

/// Writes a file as if it had been there for a day.
fn old(path: &Path, bytes: usize) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, vec![1; bytes]).unwrap();
    let used = std::time::SystemTime::now() - Duration::from_secs(86_400);
    fs::File::options().write(true).open(path).unwrap().set_modified(used).unwrap();
}

/// Runs it with `--json`; each line by what it is about.
fn gc(studio: &Studio, flags: &[&str]) -> Vec<Value> {
    let printed = studio.ok(&[&["gc", "--json"], flags].concat());
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn files(lines: &[Value], what: &str) -> u64 {
    lines.iter().find(|line| line["what"] == what).unwrap()["files"].as_u64().unwrap()
}

#[tokio::test]
async fn leftovers_go_beside_a_running_server_and_originals_stay() {
    let studio = Studio::with_batch(3);
    let server = studio.serve(&[]);
    let client = server.client("rowan").await;
    let paths = client.thumbnails().await;
    let (renditions, stranger) = (studio.data().join("renditions"), "0".repeat(64));
    old(&studio.data().join("tmp/original-dead"), 11);
    old(&renditions.join(Recipe::THUMBNAIL.folder()).join("00/00").join(format!("{stranger}.webp")), 22);
    old(&renditions.join("thumbnail-v0/00/00").join(format!("{stranger}.webp")), 33);

    let told = gc(&studio, &["--dry-run"]);
    assert!(studio.data().join("tmp/original-dead").exists(), "only told");
    let done = gc(&studio, &[]);
    for lines in [&told, &done] {
        let counts = ["temporary", "orphaned", "outdated", "unused"].map(|what| files(lines, what));
        assert_eq!(counts, [1, 1, 1, 0]);
        let last = lines.last().unwrap();
        assert_eq!((last["files"].as_u64(), last["bytes"].as_u64()), (Some(3), Some(66)));
        assert_eq!(last["kept_files"], 3, "the thumbnails that the import has made");
    }
    assert!(!studio.data().join("tmp/original-dead").exists());
    for path in &paths {
        assert_eq!(client.get(path).await.status(), StatusCode::OK);
    }

    // Nothing may stay: everything is made again when it is asked for.
    assert_eq!(files(&gc(&studio, &["--cache-limit", "0B"]), "unused"), 3);
    for path in &paths {
        assert_eq!(client.get(path).await.status(), StatusCode::OK);
    }
    studio.ok(&["verify"]);
}

#[test]
fn people_are_told_in_words_and_a_wrong_limit_is_a_wrong_configuration() {
    let studio = Studio::with_batch(1);
    assert!(studio.ok(&["gc"]).contains("freed 0 files,"));
    assert!(studio.ok(&["gc", "--dry-run", "--cache-limit", "1B"]).contains("would free 1 file,"));
    assert_eq!(studio.run(&["gc", "--cache-limit", "much"]).code, Some(2));
}
