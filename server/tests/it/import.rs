//! `avatars import`: each file's fate, whatever the files are.

use std::{fs, os::unix::fs::PermissionsExt as _};

use image::ImageFormat;
use serde_json::Value;

use crate::support::{Look, Studio, picture};

const LOOK: Look = Look { width: 64, height: 48, format: ImageFormat::Png, seed: 1 };

/// Runs an import with `--json`; returns its exit code and each line by file name.
fn import(studio: &Studio, path: &str) -> (Option<i32>, Vec<(String, Value)>) {
    let words = ["import", path, "--family", "reed", "--subject", "ida", "--batch", "spring", "--json"];
    let ran = studio.run(&words);
    let lines = ran.stdout.lines().map(|line| {
        let told: Value = serde_json::from_str(line).unwrap();
        let name = told["name"].as_str().unwrap();
        (name.rsplit('/').next().unwrap().to_owned(), told)
    });
    (ran.code, lines.collect())
}

#[test]
fn each_file_of_a_folder_meets_its_own_fate() {
    let studio = Studio::new();
    let folder = studio.path("incoming");
    fs::create_dir_all(folder.join("deeper")).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    for (seed, (name, format)) in [
        ("a.png", ImageFormat::Png),
        ("b.jpg", ImageFormat::Jpeg),
        ("c.webp", ImageFormat::WebP),
        ("d.gif", ImageFormat::Gif),
        ("e.tiff", ImageFormat::Tiff),
        ("f.bmp", ImageFormat::Bmp),
        ("deeper/wrong-ending.txt", ImageFormat::Png),
    ]
    .into_iter()
    .enumerate()
    {
        write(name, &picture(Look { format, seed: u32::try_from(seed).unwrap(), ..LOOK }));
    }
    write("empty.png", b"");
    write("text.png", b"not a picture at all");
    write("torn.jpg", &picture(Look { format: ImageFormat::Jpeg, width: 400, height: 400, seed: 9 })[..2000]);
    write("vector.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    write("z-again.png", &fs::read(folder.join("a.png")).unwrap());

    let (code, told) = import(&studio, folder.to_str().unwrap());
    assert_eq!(code, Some(1), "some were refused");
    let status = |name: &str| {
        let (_, told) = told.iter().find(|(told, _)| told == name).unwrap_or_else(|| panic!("{name} in {told:?}"));
        let reason = told["reason"].as_str();
        assert_eq!(reason.is_some(), told["status"] == "refused", "{told}");
        assert_eq!(told["sha256"].is_string(), told["status"] != "refused", "{told}");
        told["status"].as_str().unwrap().to_owned()
    };
    for name in ["a.png", "b.jpg", "c.webp", "d.gif", "e.tiff", "f.bmp", "wrong-ending.txt"] {
        assert_eq!(status(name), "added", "{name}");
    }
    for name in ["empty.png", "text.png", "torn.jpg", "vector.svg"] {
        assert_eq!(status(name), "refused", "{name}");
    }
    assert_eq!(status("z-again.png"), "duplicate");
    assert_eq!(told.len(), 12);

    // All of it again: nothing is new, and nothing that was refused has left anything behind.
    let (_, again) = import(&studio, folder.to_str().unwrap());
    assert!(again.iter().all(|(_, told)| told["status"] != "added"));
    studio.ok(&["verify"]);
}

#[test]
fn a_clean_import_ends_with_zero() {
    let studio = Studio::new();
    let file = studio.path("one.png");
    fs::write(&file, picture(LOOK)).unwrap();
    let (code, told) = import(&studio, file.to_str().unwrap());
    assert_eq!((code, told[0].1["status"].as_str()), (Some(0), Some("added")));
}

#[test]
fn what_cannot_be_read_is_refused_and_the_rest_goes_in() {
    let studio = Studio::new();
    let folder = studio.path("incoming");
    fs::create_dir_all(folder.join("closed")).unwrap();
    fs::write(folder.join("a.png"), picture(LOOK)).unwrap();
    fs::write(folder.join("closed/b.png"), picture(LOOK)).unwrap();
    fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();

    let missing = folder.join("missing");
    let paths = [folder.to_str().unwrap(), missing.to_str().unwrap()];
    let words = [&["import"], &paths[..], &["--family", "reed", "--subject", "ida", "--batch", "spring"]].concat();
    let ran = studio.run(&words);
    fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("added"), "{ran:?}");
    assert!(ran.stdout.lines().any(|line| line.starts_with("refused") && line.contains("missing")), "{ran:?}");
    // Root reads everything; anybody else is told of the closed folder.
    if !rustix::process::geteuid().is_root() {
        assert!(ran.stdout.lines().any(|line| line.starts_with("refused") && line.contains("closed")), "{ran:?}");
    }
}

#[test]
fn a_file_over_the_limit_is_refused_with_the_limit() {
    let studio = Studio::new();
    let file = studio.path("large.bmp");
    fs::write(&file, picture(Look { format: ImageFormat::Bmp, width: 400, height: 400, seed: 1 })).unwrap();
    let words = ["import", file.to_str().unwrap(), "--family", "f", "--subject", "s", "--batch", "b", "--json"];
    let ran = studio.run(&[&words[..], &["--upload-limit", "100KiB"]].concat());
    assert_eq!(ran.code, Some(1));
    let told: Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(told["status"], "refused");
    assert!(told["reason"].as_str().unwrap().contains("100"), "{told}");
}

#[tokio::test]
async fn the_displayed_size_and_the_name_are_recorded() {
    let studio = Studio::new();
    let file = studio.path("Ida, laughing.png");
    fs::write(&file, picture(LOOK)).unwrap();
    assert_eq!(import(&studio, file.to_str().unwrap()).0, Some(0));
    studio.account("ada", &["--admin"]);
    let server = studio.serve(&[]);
    let [asset] = server.client("ada").await.assets().await.try_into().unwrap();
    assert_eq!((asset["width"].as_u64(), asset["height"].as_u64()), (Some(64), Some(48)));
    assert_eq!(asset["mime"], "image/png");
    assert_eq!(asset["original_name"], "Ida, laughing.png");
    assert_eq!(asset["bytes"], fs::metadata(&file).unwrap().len());
}

#[tokio::test]
async fn an_upload_tells_the_same_fates_as_an_import() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[]);
    let client = server.client("ada").await;
    let path = format!("/api/batches/{}/assets", client.batch().await["id"].as_str().unwrap());
    let part = |name: &str, bytes: Vec<u8>| reqwest::multipart::Part::bytes(bytes).file_name(name.to_owned());
    let form = || {
        reqwest::multipart::Form::new()
            .text("subject", "ida")
            .text("kind", "candidate")
            .part("file", part("new.png", picture(LOOK)))
            .part("file", part("text.png", b"no".to_vec()))
    };
    let statuses = async |client: &crate::support::Client| {
        let response = client.request(reqwest::Method::POST, &path).multipart(form()).send().await.unwrap();
        let status = response.status();
        let told: Value = response.json().await.unwrap();
        let told = told["assets"].as_array().cloned().unwrap_or_default();
        (status.as_u16(), told.iter().map(|told| told["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(statuses(&client).await, (201, vec!["added".to_owned(), "refused".to_owned()]));
    assert_eq!(statuses(&client).await, (201, vec!["duplicate".to_owned(), "refused".to_owned()]));
    assert_eq!(statuses(&server.client("rowan").await).await.0, 403, "a reviewer imports nothing");
}
