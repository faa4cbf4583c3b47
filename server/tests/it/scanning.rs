//! Only what is clean comes in; what is infected leaves nothing but its record.

use std::{fs, path::Path};

use image::ImageFormat;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{Clamd, Client, FalseClamd, Look, MARK, Manner, Server, Studio, eventually, picture, problem};

pub(crate) fn small(seed: u32) -> Vec<u8> {
    picture(Look { width: 64, height: 48, format: ImageFormat::Png, seed })
}

/// A picture with the mark behind it: every viewer shows it.
pub(crate) fn infected(seed: u32) -> Vec<u8> {
    [small(seed), MARK.to_vec()].concat()
}

pub(crate) fn serve(studio: &Studio, clamd: &str, more: &[(&str, &str)]) -> Server {
    studio.serve(&[&[("AVATARS_SCAN", "clamd"), ("AVATARS_CLAMD", clamd)], more].concat())
}

/// Uploads into the only batch; each file's name, status and reason.
pub(crate) async fn upload(client: &Client, files: Vec<(String, Vec<u8>)>) -> Vec<(String, String, String)> {
    let batch = client.batch().await;
    let mut form = reqwest::multipart::Form::new().text("subject", "ida").text("kind", "candidate");
    for (name, bytes) in files {
        form = form.part("file", reqwest::multipart::Part::bytes(bytes).file_name(name));
    }
    let path = format!("/api/batches/{}/assets", batch["id"].as_str().unwrap());
    let response = client.request(Method::POST, &path).multipart(form).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::CREATED);
    let told: Value = response.json().await.unwrap();
    let text = |told: &Value, key: &str| told[key].as_str().unwrap_or_default().to_owned();
    let told = told["assets"].as_array().unwrap().iter();
    told.map(|told| (text(told, "name"), text(told, "status"), text(told, "reason"))).collect()
}

fn files_below(folder: &Path) -> usize {
    walk(folder).unwrap_or_default()
}

fn walk(folder: &Path) -> std::io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        count += if path.is_dir() { walk(&path)? } else { 1 };
    }
    Ok(count)
}

#[tokio::test]
async fn an_import_takes_what_is_clean_and_records_what_is_infected() {
    let Some(clamd) = Clamd::start("") else { return };
    let studio = Studio::with_batch(1);
    let before = files_below(&studio.data().join("originals"));
    let folder = studio.path("more");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.png"), small(1)).unwrap();
    fs::write(folder.join("b.png"), infected(2)).unwrap();
    fs::write(folder.join("c.txt"), b"no picture").unwrap();
    let words = ["import", folder.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring"];
    let address = clamd.tcp_address();
    let ran = studio.run(&[&words[..], &["--json", "--scan", "clamd", "--clamd", &address]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let statuses: Vec<_> = told.iter().map(|told| told["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["added", "refused", "refused"]);
    assert_eq!(told[1]["reason"], "it is infected: Avatars.Test.UNOFFICIAL");
    assert_eq!(files_below(&studio.data().join("originals")), before + 1);
    assert_eq!(files_below(&studio.data().join("quarantine")) + files_below(&studio.data().join("tmp")), 0);
    studio.ok(&["verify"]);

    let server = serve(&studio, &address, &[]);
    let admin = server.client("ada").await;
    assert_eq!(admin.assets().await.len(), 2);
    let overview = admin.json("/api/quarantine").await;
    let [refused] = overview["refused"].as_array().unwrap().as_slice() else { panic!("{overview}") };
    assert_eq!(refused["signature"], "Avatars.Test.UNOFFICIAL");
    assert_eq!((refused["name"].as_str(), refused["by"].as_str()), (Some("b.png"), Some("avatars import")));
    assert_eq!((refused["family"].as_str(), refused["subject"].as_str()), (Some("reed"), Some("ida")));
    assert_eq!(refused["sha256"].as_str().unwrap().len(), 64);
    // Neither as an original nor in any other way.
    problem(
        admin.get(&format!("/api/assets/{}/file", refused["id"].as_str().unwrap())).await,
        StatusCode::NOT_FOUND,
        "not-found",
    )
    .await;
}

#[tokio::test]
async fn an_infected_file_in_the_middle_of_twenty_uploads_keeps_none_of_the_others_out() {
    let Some(clamd) = Clamd::start("") else { return };
    let studio = Studio::with_batch(1);
    let server = serve(&studio, &clamd.address(), &[]);
    let client = server.client("ada").await;
    let files = (10..30).map(|seed| (format!("{seed}.png"), if seed == 20 { infected(seed) } else { small(seed) }));
    let told = upload(&client, files.collect()).await;
    assert_eq!(told.len(), 20);
    for (name, status, reason) in told {
        if name == "20.png" {
            assert_eq!((status.as_str(), reason.as_str()), ("refused", "it is infected: Avatars.Test.UNOFFICIAL"));
        } else {
            assert_eq!(status, "added", "{name}: {reason}");
        }
    }
    assert_eq!(client.assets().await.len(), 20);
    let overview = client.json("/api/quarantine").await;
    assert_eq!(overview["refused"][0]["by"], "ada");
    assert_eq!(overview["held"], serde_json::json!([]));
    let metrics = client.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("avatars_scans_total{verdict=\"infected\"} 1"), "{metrics}");
}

#[tokio::test]
async fn answers_that_are_cut_off_or_garbled_let_nothing_through() {
    let clamd = FalseClamd::start(Manner::Says(b"stream: O")).await;
    let studio = Studio::with_batch(1);
    let server = serve(&studio, &clamd.address, &[]);
    let client = server.client("ada").await;
    for (seed, answer) in
        (40..).zip([&b"stream: O"[..], b"stream: OK", b"OK\0", b"", b"stream: OK\0\0", b"stream: odd ERROR\0"])
    {
        clamd.now(Manner::Says(answer));
        let told = upload(&client, vec![("x.png".to_owned(), small(seed))]).await;
        assert_eq!((told[0].1.as_str(), told[0].2.as_str()), ("held", "held back, still checking"), "{answer:?}");
    }
    assert_eq!(client.assets().await.len(), 1);
    clamd.now(Manner::Says(b"stream: OK\0"));
    eventually("the pictures come in", async || client.assets().await.len() == 7).await;
}

#[tokio::test]
async fn past_the_deadline_the_sender_is_told_and_the_file_comes_later() {
    let clamd = FalseClamd::start(Manner::Thinks).await;
    let studio = Studio::with_batch(1);
    let server = serve(&studio, &clamd.address, &[("AVATARS_SCAN_DEADLINE", "200ms")]);
    eventually("readiness tells it", async || server.stranger().get("/api/ready").await.status() == StatusCode::OK)
        .await;
    let client = server.client("ada").await;
    let mut events = client.get("/api/events").await;
    let told = upload(&client, vec![("slow.png".to_owned(), small(50))]).await;
    assert_eq!((told[0].1.as_str(), told[0].2.as_str()), ("held", "held back, still checking"));
    assert_eq!(client.assets().await.len(), 1);
    let held = client.json("/api/quarantine").await["held"][0].clone();
    assert_eq!((held["name"].as_str(), held["by"].as_str()), (Some("slow.png"), Some("ada")));

    clamd.now(Manner::Says(b"stream: OK\0"));
    eventually("the pictures come in", async || client.assets().await.len() == 2).await;
    let event = String::from_utf8(events.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(event.contains("event: settled") && event.contains(r#""status":"added""#), "{event}");
    assert!(event.contains(held["id"].as_str().unwrap()), "{event}");
    assert_eq!(client.json("/api/quarantine").await["held"], serde_json::json!([]));
    assert_eq!(files_below(&studio.data().join("quarantine")), 0);
}

#[tokio::test]
async fn doctor_and_readiness_tell_how_the_scanner_stands() {
    let Some(mut clamd) = Clamd::start("") else { return };
    let studio = Studio::with_batch(1);
    let address = clamd.address();
    let doctor = || studio.run(&["doctor", "--scan", "clamd", "--clamd", &address, "--upload-limit", "8MiB"]);
    let ran = doctor();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("finds EICAR alone and at the end of 8.0 MiB"), "{}", ran.stdout);
    assert!(ran.stdout.contains("ClamAV 1.") && ran.stdout.contains("scanner and quarantine"), "{}", ran.stdout);

    clamd.stop();
    let ran = doctor();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("cannot connect to clamd at unix://"), "{}", ran.stdout);
    // It serves all the same, and says so.
    let server = serve(&studio, &address, &[]);
    let told = async || {
        let told = server.stranger().get("/api/ready").await;
        (told.status(), told.text().await.unwrap())
    };
    assert_eq!(told().await.0, StatusCode::SERVICE_UNAVAILABLE);
    eventually("readiness tells it", async || told().await.1.contains("cannot connect to clamd")).await;
    assert_eq!(server.stranger().json("/api/health").await["status"], "ok");
    clamd.start_again();
    eventually("readiness tells it", async || told().await.0 == StatusCode::OK).await;
}

#[tokio::test]
async fn signatures_and_their_age_are_for_admins() {
    let clamd = FalseClamd::start(Manner::Says(b"stream: OK\0")).await;
    let studio = Studio::with_batch(1);
    studio.account("mia", &[]);
    studio.ok(&["grant", "mia", "manager", "reed"]);
    let server = serve(&studio, &clamd.address, &[]);
    let scanner = server.client("ada").await.json("/api/quarantine").await["scanner"].clone();
    assert_eq!((scanner["version"].as_str(), scanner["on"].as_bool()), (Some("ClamAV 9.9.9"), Some(true)));
    assert_eq!(scanner["signatures"]["version"], "12345");
    assert!(scanner["signatures"]["age_seconds"].as_u64().unwrap() > 0);
    assert_eq!(server.client("mia").await.json("/api/quarantine").await["scanner"], Value::Null);
    problem(server.client("rowan").await.get("/api/quarantine").await, StatusCode::FORBIDDEN, "forbidden").await;
}

#[tokio::test]
async fn what_is_held_back_takes_no_more_of_the_disk_than_it_may_and_has_arrived() {
    let studio = Studio::with_batch(1);
    // Nobody listens there.
    let limit = (small(1).len() + small(2).len()).to_string();
    let server = serve(&studio, "tcp://127.0.0.1:9", &[("AVATARS_QUARANTINE_LIMIT", &limit)]);
    let client = server.client("ada").await;
    let told = upload(&client, vec![("1.png".to_owned(), small(1)), ("2.png".to_owned(), small(2))]).await;
    assert!(told.iter().all(|(_, status, _)| status == "held"), "{told:?}");

    let path = format!("/api/batches/{}", client.batch().await["id"].as_str().unwrap());
    let form = reqwest::multipart::Form::new()
        .text("subject", "ida")
        .part("file", reqwest::multipart::Part::bytes(small(3)).file_name("3.png"));
    let response = client.request(Method::POST, &format!("{path}/assets")).multipart(form).send().await.unwrap();
    assert_eq!(response.headers()["retry-after"], "60");
    problem(response, StatusCode::SERVICE_UNAVAILABLE, "unavailable").await;
    assert_eq!(files_below(&studio.data().join("quarantine")), 2);
    assert_eq!(files_below(&studio.data().join("tmp")), 0, "nothing is left of what was not held");

    // What is held need not be sent again.
    let hash = |seed| hex(&Sha256::digest(small(seed)));
    let asked = json!({ "subject": "ida", "kind": "candidate", "sha256": [hash(1), hash(2), hash(3)] });
    let missing: Value = client.post(&format!("{path}/missing"), asked).await.json().await.unwrap();
    assert_eq!(missing["missing"], json!([hash(3)]));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
