//! What has no verdict is held, comes in when it has one, and is never lost.

use std::{fs, time::Duration};

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::{
    scanning::{infected, serve, small, upload},
    support::{Clamd, Client, FalseClamd, Manner, Studio, eventually, problem},
};

fn held_on_disk(studio: &Studio) -> usize {
    fs::read_dir(studio.data().join("quarantine")).unwrap().count()
}

async fn held(client: &Client) -> Vec<Value> {
    client.json("/api/quarantine").await["held"].as_array().unwrap().clone()
}

#[tokio::test]
async fn clamd_stops_in_the_middle_of_an_import_and_everything_comes_in_when_it_is_back() {
    let Some(mut clamd) = Clamd::start("") else { return };
    let studio = Studio::with_batch(1);
    let server = serve(&studio, &clamd.address(), &[]);
    let client = server.client("ada").await;
    let files = |seeds: std::ops::Range<u32>| seeds.map(|seed| (format!("{seed}.png"), small(seed))).collect();
    let first = upload(&client, files(100..110)).await;
    assert!(first.iter().all(|(_, status, _)| status == "added"), "{first:?}");

    clamd.stop();
    let second = upload(&client, files(110..120)).await;
    assert!(second.iter().all(|(_, status, _)| status == "held"), "{second:?}");
    // The same ones once more, and another by the command line: told alike, held once.
    upload(&client, files(110..120)).await;
    let file = studio.path("121.png");
    fs::write(&file, small(121)).unwrap();
    let address = clamd.address();
    let words = ["import", file.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring"];
    let ran = studio.run(&[&words[..], &["--json", "--scan", "clamd", "--clamd", &address]].concat());
    assert_eq!(ran.code, Some(0), "what is held is not refused: {ran:?}");
    let told: Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!((told["status"].as_str(), told["id"].as_str()), (Some("held"), None));
    assert_eq!(told["sha256"].as_str().unwrap().len(), 64);
    assert_eq!((held(&client).await.len(), held_on_disk(&studio)), (11, 11));
    assert_eq!(client.assets().await.len(), 11, "nobody sees what is held");

    clamd.start_again();
    eventually("the pictures come in", async || client.assets().await.len() == 22).await;
    eventually("nothing is held any more", async || held(&client).await.is_empty() && held_on_disk(&studio) == 0).await;
    studio.ok(&["verify"]);
}

#[tokio::test]
async fn what_is_held_survives_a_power_cut_and_meets_its_fate_after_it() {
    let Some(mut clamd) = Clamd::start("") else { return };
    let studio = Studio::with_batch(1);
    clamd.stop();
    let server = serve(&studio, &clamd.address(), &[]);
    let client = server.client("ada").await;
    let files = vec![
        ("clean.png".to_owned(), small(130)),
        ("infected.png".to_owned(), infected(131)),
        ("no-picture.png".to_owned(), b"but clean".to_vec()),
    ];
    let told = upload(&client, files).await;
    assert!(told.iter().all(|(_, status, _)| status == "held"), "{told:?}");
    server.kill();
    // What a cut in the middle of a move leaves behind.
    fs::write(studio.data().join("quarantine/left-behind"), b"?").unwrap();

    let server = serve(&studio, &clamd.address(), &[]);
    let client = server.client("ada").await;
    assert_eq!(held(&client).await.len(), 3);
    assert_eq!(client.assets().await.len(), 1);
    clamd.start_again();
    eventually("nothing is held any more", async || held(&client).await.is_empty()).await;
    eventually("nothing is held any more", async || held_on_disk(&studio) == 0).await;
    assert_eq!(client.assets().await.len(), 2);
    let overview = client.json("/api/quarantine").await;
    let refused = overview["refused"].as_array().unwrap();
    let reason = |name: &str| {
        let file = refused.iter().find(|refused| refused["name"] == name).unwrap();
        (file["signature"].as_str(), file["reason"].as_str().unwrap())
    };
    assert_eq!(reason("infected.png").0, Some("Avatars.Test.UNOFFICIAL"));
    assert!(reason("no-picture.png").1.contains("not a picture"), "{refused:?}");
    assert_eq!(refused.len(), 2);
    studio.ok(&["verify"]);
}

#[tokio::test]
async fn one_byte_over_the_scanners_limit_stays_held_until_it_is_thrown_away() {
    let Some(clamd) = Clamd::start("StreamMaxLength 100K") else { return };
    let studio = Studio::with_batch(1);
    let server = serve(&studio, &clamd.address(), &[]);
    let client = server.client("ada").await;
    let padded = |seed, bytes| {
        let mut file = small(seed);
        file.resize(bytes, 0);
        file
    };
    let limit = 100 << 10;
    let told = upload(
        &client,
        vec![("at.png".to_owned(), padded(140, limit)), ("over.png".to_owned(), padded(141, limit + 1))],
    )
    .await;
    assert_eq!((told[0].1.as_str(), told[0].2.as_str()), ("added", ""));
    assert_eq!(
        (told[1].1.as_str(), told[1].2.as_str()),
        ("held", "held back: it is larger than the scanner can check")
    );
    let ready = problem(client.get("/api/ready").await, StatusCode::SERVICE_UNAVAILABLE, "unavailable").await;
    assert!(ready["detail"].as_str().unwrap().contains("StreamMaxLength"), "{ready}");

    let [file] = held(&client).await.try_into().unwrap();
    assert_eq!(file["why"], "too-large");
    let path = format!("/api/quarantine/{}", file["id"].as_str().unwrap());
    let again = client.request(Method::POST, &format!("{path}/retry")).send().await.unwrap();
    let again: Value = again.json().await.unwrap();
    assert_eq!((again["status"].as_str(), again["asset"].as_str()), (Some("held"), None), "{again}");
    assert_eq!(client.assets().await.len(), 2);

    let discard = async |client: &Client| client.request(Method::DELETE, &path).send().await.unwrap();
    problem(discard(&server.client("rowan").await).await, StatusCode::FORBIDDEN, "forbidden").await;
    problem(discard(&server.stranger()).await, StatusCode::UNAUTHORIZED, "signed-out").await;
    assert_eq!(discard(&client).await.status(), StatusCode::NO_CONTENT);
    problem(discard(&client).await, StatusCode::NOT_FOUND, "not-found").await;
    assert_eq!((held(&client).await.len(), held_on_disk(&studio)), (0, 0));
}

#[tokio::test]
async fn a_held_file_is_tried_when_somebody_asks_for_it() {
    let clamd = FalseClamd::start(Manner::Says(b"stream: odd ERROR\0")).await;
    let studio = Studio::with_batch(1);
    studio.account("mia", &[]);
    studio.account("oak", &[]);
    studio.ok(&["grant", "mia", "manager", "reed"]);
    // Another family's manager.
    let file = studio.path("oak.png");
    fs::write(&file, small(150)).unwrap();
    studio.ok(&["import", file.to_str().unwrap(), "--family", "moss", "--subject", "tom", "--batch", "autumn"]);
    studio.ok(&["grant", "oak", "manager", "moss"]);
    let server = serve(&studio, &clamd.address, &[]);
    let (mia, oak) = (server.client("mia").await, server.client("oak").await);
    let told = upload(&mia, vec![("odd.png".to_owned(), small(151))]).await;
    assert_eq!(told[0].1, "held");
    assert!(held(&oak).await.is_empty());
    let [file] = held(&mia).await.try_into().unwrap();
    // Where the scanner is and what it says is for admins.
    assert_eq!(file["reason"], "the scanner has not come to a verdict yet");
    let admin = server.client("ada").await;
    assert_eq!(held(&admin).await[0]["reason"], "clamd says: stream: odd");

    let path = format!("/api/quarantine/{}/retry", file["id"].as_str().unwrap());
    problem(oak.post(&path, Value::Null).await, StatusCode::FORBIDDEN, "forbidden").await;
    clamd.now(Manner::Says(b"stream: OK\0"));
    let told: Value = mia.post(&path, Value::Null).await.json().await.unwrap();
    // Unless it came in by itself this very moment.
    if told.get("asset").is_some() {
        assert_eq!(told["status"], "added", "{told}");
        let asset = mia.json(&format!("/api/assets/{}", told["asset"].as_str().unwrap())).await;
        assert_eq!(asset["original_name"], "odd.png");
    }
    eventually("the pictures come in", async || mia.assets().await.len() == 2).await;
    problem(mia.post(&path, Value::Null).await, StatusCode::NOT_FOUND, "not-found").await;
}

#[tokio::test]
async fn a_clean_file_that_cannot_be_taken_in_is_not_lost() {
    let clamd = FalseClamd::start(Manner::Thinks).await;
    let studio = Studio::with_batch(1);
    let server = serve(&studio, &clamd.address, &[("AVATARS_SCAN_DEADLINE", "100ms")]);
    let client = server.client("ada").await;
    upload(&client, vec![("late.png".to_owned(), small(160))]).await;
    // The place where originals go is blocked for this one.
    let sha256 = held(&client).await[0]["sha256"].as_str().unwrap().to_owned();
    let blocked = studio.data().join("originals").join(&sha256[..2]);
    fs::write(&blocked, b"in the way").unwrap();
    clamd.now(Manner::Says(b"stream: OK\0"));
    eventually("it is clean but not taken in", async || held(&client).await[0]["why"] == "not-taken").await;
    assert_eq!(client.assets().await.len(), 1);
    fs::remove_file(&blocked).unwrap();
    eventually("the pictures come in", async || client.assets().await.len() == 2).await;
    assert!(held(&client).await.is_empty());
}

#[tokio::test]
async fn a_hundred_uploads_at_once_are_scanned_within_the_budget() {
    const BUDGET: u64 = 64 << 20;
    let Some(clamd) = Clamd::start("") else { return };
    let studio = Studio::with_batch(1);
    let settings = [("AVATARS_MEMORY_BUDGET", "64MiB"), ("AVATARS_UPLOAD_LIMIT", "8MiB")];
    let server = serve(&studio, &clamd.address(), &[&settings[..], &[("AVATARS_SCAN_DEADLINE", "120s")]].concat());
    let client = server.client("ada").await;
    let batch = client.batch().await["id"].as_str().unwrap().to_owned();
    // Not counted: what the program takes before the first upload, much of it the code of a debug build.
    let before = server.peak_memory();
    let mut uploads = tokio::task::JoinSet::new();
    for seed in 0..100 {
        let (client, batch) = (client.clone(), batch.clone());
        uploads.spawn(async move {
            let mut bytes = small(1000 + seed);
            bytes.resize(6 << 20, 7);
            let part = reqwest::multipart::Part::bytes(bytes).file_name(format!("{seed}.png"));
            let form =
                reqwest::multipart::Form::new().text("subject", "ida").text("kind", "candidate").part("file", part);
            let path = format!("/api/batches/{batch}/assets");
            let response = client.request(Method::POST, &path).multipart(form).send().await.unwrap();
            match response.status() {
                StatusCode::CREATED => {
                    let told: Value = response.json().await.unwrap();
                    assert_eq!(told["assets"][0]["status"], "added", "{told}");
                    true
                }
                status => {
                    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "no refusal but a told one");
                    false
                }
            }
        });
    }
    let mut taken = 0;
    while let Some(upload) = uploads.join_next().await {
        taken += usize::from(upload.unwrap());
    }
    assert!(taken > 0);
    assert_eq!(client.assets().await.len(), 1 + taken);
    let peak = server.peak_memory().saturating_sub(before);
    assert!(peak <= BUDGET + (100 << 20), "{} MiB", peak >> 20);
    let metrics = client.get("/metrics").await.text().await.unwrap();
    assert!(metrics.lines().any(|line| line == "avatars_memory_used_bytes 0"), "{metrics}");
    eprintln!("{taken} of 100 taken, {} MiB at the most", peak >> 20);
}

#[tokio::test]
async fn with_scanning_off_nothing_that_is_held_gets_through() {
    let studio = Studio::with_batch(1);
    let server = serve(&studio, "unix:///nowhere/at/all", &[]);
    let client = server.client("ada").await;
    upload(&client, vec![("held.png".to_owned(), small(170))]).await;
    assert_eq!(server.terminate(), Some(0));
    let server = studio.serve(&[]);
    let client = server.client("ada").await;
    let [file] = held(&client).await.try_into().unwrap();
    let path = format!("/api/quarantine/{}", file["id"].as_str().unwrap());
    problem(client.post(&format!("{path}/retry"), Value::Null).await, StatusCode::UNPROCESSABLE_ENTITY, "invalid")
        .await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!((client.assets().await.len(), held(&client).await.len()), (1, 1));
    assert_eq!(client.request(Method::DELETE, &path).send().await.unwrap().status(), StatusCode::NO_CONTENT);
}
