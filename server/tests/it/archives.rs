//! ZIP archives: what is in them goes in file by file, and what they claim is not believed.

use std::fs;

use image::ImageFormat;
use reqwest::{
    Method, StatusCode,
    multipart::{Form, Part},
};
use serde_json::Value;

use crate::support::{Look, Studio, ZipEntry, picture, zip};

fn png(seed: u32) -> Vec<u8> {
    picture(Look { width: 64, height: 48, format: ImageFormat::Png, seed })
}

/// Imports an archive; each line by its name, and the exit code.
fn import(studio: &Studio, archive: &[u8], flags: &[&str]) -> (Option<i32>, Vec<Value>) {
    let file = studio.path("pictures.bin");
    fs::write(&file, archive).unwrap();
    let words =
        ["import", file.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring", "--json"];
    let ran = studio.run(&[&words[..], flags].concat());
    (ran.code, ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The only line of an import that refuses everything.
fn refused(archive: &[u8], flags: &[&str]) -> String {
    let studio = Studio::new();
    let (code, told) = import(&studio, archive, flags);
    let [told] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((code, told["status"].as_str()), (Some(1), Some("refused")), "{told}");
    assert_eq!(studio.run(&["verify"]).code, Some(0), "nothing was kept");
    told["reason"].as_str().unwrap().to_owned()
}

#[test]
fn each_file_of_an_archive_meets_its_own_fate() {
    let studio = Studio::new();
    let inner = zip(&[ZipEntry::new("deep.png", &png(8))]);
    let archive = zip(&[
        ZipEntry::new("spring/a.png", &png(1)),
        ZipEntry::stored("spring/b.png", &png(2)),
        ZipEntry::stored("spring/", b""),
        ZipEntry::new("__MACOSX/spring/._a.png", b"resource"),
        ZipEntry::new("spring/.DS_Store", b"desktop"),
        ZipEntry::new("spring/notes.txt", b"not a picture"),
        ZipEntry::new("inner.zip", &inner),
        ZipEntry::new("../../escape.png", &png(3)),
        ZipEntry::new("/etc/escape.png", &png(3)),
        ZipEntry::new("C:\\escape.png", &png(3)),
        ZipEntry { mode: 0o120_777, ..ZipEntry::stored("link.png", b"/etc/passwd") },
        ZipEntry { flags: 1, ..ZipEntry::new("secret.png", &png(4)) },
        ZipEntry { method: 12, ..ZipEntry::new("bzip2.png", &png(4)) },
        ZipEntry { crc: 0, ..ZipEntry::new("sum.png", &png(5)) },
        ZipEntry::new("spring/again.png", &png(1)),
    ]);
    let (code, told) = import(&studio, &archive, &[]);
    assert_eq!(code, Some(1));
    let told: Vec<(&str, &str, &str)> = told
        .iter()
        .map(|told| {
            (
                told["name"].as_str().unwrap(),
                told["status"].as_str().unwrap(),
                told["reason"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    let expected = [
        ("spring/a.png", "added", ""),
        ("spring/b.png", "added", ""),
        ("spring/notes.txt", "refused", "a text, not a picture"),
        ("inner.zip", "refused", "archive in an archive"),
        ("../../escape.png", "refused", "leads out"),
        ("/etc/escape.png", "refused", "leads out"),
        ("C:\\escape.png", "refused", "leads out"),
        ("link.png", "refused", "symbolic link"),
        ("secret.png", "refused", "encrypted"),
        ("bzip2.png", "refused", "packed by BZIP2"),
        ("sum.png", "refused", "checksum"),
        ("spring/again.png", "duplicate", ""),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (told, expected) in told.iter().zip(expected) {
        assert_eq!((told.0, told.1), (expected.0, expected.1), "{told:?}");
        assert!(told.2.contains(expected.2), "{told:?}");
    }
    studio.ok(&["verify"]);
}

#[test]
fn an_archive_that_claims_what_is_not_so_ends_in_a_refusal() {
    let zeros = vec![0; 8 << 20];
    let honest_bomb = ZipEntry::new("bomb.bmp", &zeros);
    assert!(refused(&zip(std::slice::from_ref(&honest_bomb)), &[]).contains("200 times its size"));

    // It claims little and unpacks to much: cut off at the first byte too many.
    let lying = ZipEntry { unpacked: 1000, ..honest_bomb.clone() };
    let reason = refused(&zip(&[lying]), &[]);
    assert!(reason.contains("cannot be read") && reason.contains("size"), "{reason}");

    // It claims much and unpacks to little.
    let boasting = ZipEntry { unpacked: 900_000, ..ZipEntry::new("small.png", &png(1)) };
    assert!(refused(&zip(&[boasting]), &[]).contains("size"));

    let reason = refused(&zip(&[ZipEntry::stored("large.bmp", &zeros)]), &["--upload-limit", "1MiB"]);
    assert!(reason.contains("larger than the 1.0 MiB"), "{reason}");

    // Many names for the same bytes, as in the bombs that need no nesting.
    let picture = ZipEntry::stored("0.png", &png(1));
    let kernel =
        (1..50).map(|n| ZipEntry { path: format!("{n}.png").into_bytes(), offset: Some(0), ..picture.clone() });
    let overlapping: Vec<_> = std::iter::once(picture.clone()).chain(kernel).collect();
    assert!(refused(&zip(&overlapping), &[]).contains("overlap"));

    let empty = |n: u32| ZipEntry::stored(&format!("{n}/"), b"");
    assert!(refused(&zip(&(0..10_001).map(empty).collect::<Vec<_>>()), &[]).contains("10000 entries"));
    assert!(refused(&zip(&[empty(1)]), &[]).contains("no file"));
    let half: Vec<_> = (0..201).map(|n| ZipEntry::new(&format!("{n}.bmp"), &zeros[..1 << 20])).collect();
    assert!(refused(&zip(&half), &["--upload-limit", "1MiB"]).contains("200.0 MiB"));

    let torn = &zip(&[ZipEntry::new("a.png", &png(1))])[..60];
    assert!(refused(torn, &[]).contains("pack it again"));
}

#[tokio::test]
async fn an_archive_is_uploaded_as_a_file_is_and_memory_stays_flat_while_it_unpacks() {
    let studio = Studio::with_batch(1);
    let budget = [("AVATARS_MEMORY_BUDGET", "64MiB"), ("AVATARS_UPLOAD_LIMIT", "2MiB")];
    let server = studio.serve(&budget);
    let client = server.client("ada").await;
    let path = format!("/api/batches/{}/assets", client.batch().await["id"].as_str().unwrap());
    let upload = async |name: &str, bytes: Vec<u8>| {
        let form = Form::new().text("subject", "ida").part("file", Part::bytes(bytes).file_name(name.to_owned()));
        let answer = client.request(Method::POST, &path).multipart(form).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json::<Value>().await.unwrap()["assets"].as_array().unwrap().clone()
    };
    assert_eq!(upload("first.zip", zip(&[ZipEntry::new("a/b.png", &png(1))])).await[0]["name"], "a/b.png");
    let before = server.peak_memory();

    // A hundred MiB in an archive of a few KiB, whose name says that it is something else.
    let flat = |seed: u8| {
        let pixels = image::RgbImage::from_pixel(500, 500, image::Rgb([seed, 0, 0]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        pixels.write_to(&mut bytes, ImageFormat::Bmp).unwrap();
        bytes.into_inner()
    };
    let entries: Vec<_> = (0..140).map(|seed| ZipEntry::new(&format!("{seed}.bmp"), &flat(seed))).collect();
    let told = upload("pictures.png", zip(&entries)).await;
    assert_eq!(told.len(), 140);
    assert!(told.iter().all(|told| told["status"] == "added"), "{told:?}");
    let risen = server.peak_memory().saturating_sub(before);
    assert!(risen < 80 << 20, "{risen} bytes more at the peak than before");
    assert_eq!(fs::read_dir(studio.data().join("tmp")).unwrap().count(), 0);

    let told = upload("torn.zip", zip(&entries)[..2000].to_vec()).await;
    assert_eq!((told[0]["name"].as_str(), told[0]["status"].as_str()), (Some("torn.zip"), Some("refused")));
}
