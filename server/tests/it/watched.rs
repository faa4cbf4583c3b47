//! Watched folders: what is put into one comes into its batch, whole and once.

use std::{fs, io::Write as _, time::Duration};

use image::ImageFormat;
use reqwest::StatusCode;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::support::{Client, Look, Studio, ZipEntry, eventually, picture, zip};

fn png(seed: u32) -> Vec<u8> {
    picture(Look { width: 640, height: 480, format: ImageFormat::Png, seed })
}

/// The names of all that the batch has, once there is one.
async fn names(client: &Client) -> Vec<String> {
    let assets = client.assets().await;
    let mut names: Vec<_> = assets.iter().map(|asset| asset["original_name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_file_written_in_slices_becomes_one_candidate_with_its_final_hash() {
    let studio = Studio::new();
    studio.account("ada", &["--admin"]);
    let folder = studio.path("incoming");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("early.png"), png(1)).unwrap();
    let watch = format!("{}=reed/ida/spring", folder.display());
    let server = studio.serve(&[("AVATARS_WATCH", &watch)]);
    let client = server.client("ada").await;

    let whole = png(2);
    let mut file = fs::File::create(folder.join("slow.png")).unwrap();
    for slice in whole.chunks(whole.len().div_ceil(5)) {
        file.write_all(slice).unwrap();
        file.flush().unwrap();
        // Somebody's camera or share takes its time, and so does this: the look goes by the clock of the file system.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    drop(file);
    fs::write(folder.join("notes.txt.part"), "still coming").unwrap();
    eventually("both are there", async || names(&client).await == ["early.png", "slow.png"]).await;
    let assets = client.assets().await;
    let slow = assets.iter().find(|asset| asset["original_name"] == "slow.png").unwrap();
    let hash: String = Sha256::digest(&whole).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(slow["sha256"], hash);

    // What goes from the folder stays in the batch; what comes in an archive comes file by file; what cannot be shown is told.
    fs::remove_file(folder.join("early.png")).unwrap();
    fs::create_dir(folder.join("more")).unwrap();
    fs::write(folder.join("more/some.zip"), zip(&[ZipEntry::new("a.png", &png(3)), ZipEntry::new("b.png", &png(4))]))
        .unwrap();
    fs::write(folder.join("words.png"), "not a picture").unwrap();
    eventually("four are there", async || names(&client).await.len() == 4).await;
    assert_eq!(names(&client).await, ["a.png", "b.png", "early.png", "slow.png"]);
    eventually("it is told", async || failing(&client).await.len() == 1).await;
    let refused = failing(&client).await;
    assert_eq!(
        (refused[0]["path"].as_str(), refused[0]["place"].as_str()),
        (Some("words.png"), Some("reed/ida/spring"))
    );
    let page = client.get("/failing").await.text().await.unwrap();
    assert!(page.contains("words.png") && page.contains("watched folders"), "{page}");
}

async fn failing(client: &Client) -> Vec<Value> {
    let answer = client.get("/api/failing").await;
    assert_eq!(answer.status(), StatusCode::OK);
    answer.json::<Value>().await.unwrap()["folders"].as_array().unwrap().clone()
}

#[tokio::test]
async fn after_a_restart_only_what_is_new_or_changed_is_read() {
    let studio = Studio::new();
    studio.account("ada", &["--admin"]);
    let folder = studio.path("incoming");
    fs::create_dir(&folder).unwrap();
    for seed in [1, 2] {
        fs::write(folder.join(format!("{seed}.png")), png(seed)).unwrap();
    }
    let watch = format!("{}=reed/ida/spring", folder.display());
    let server = studio.serve(&[("AVATARS_WATCH", &watch)]);
    let client = server.client("ada").await;
    eventually("two are there", async || names(&client).await.len() == 2).await;
    assert_eq!(server.terminate(), Some(0));

    fs::write(folder.join("1.png"), png(3)).unwrap();
    fs::write(folder.join("4.png"), png(4)).unwrap();
    let server = studio.serve(&[("AVATARS_WATCH", &watch)]);
    let client = server.client("ada").await;
    eventually("four are there", async || names(&client).await.len() == 4).await;
    assert_eq!(names(&client).await, ["1.png", "1.png", "2.png", "4.png"]);
    // Nothing came in twice, and nothing was even looked into twice.
    let metrics = client.get("/metrics").await.text().await.unwrap();
    assert!(metrics.lines().any(|line| line == "avatars_intake_admitted_total 2"), "{metrics}");
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_told_and_waited_for() {
    let studio = Studio::new();
    let watch = format!("{}=reed/ida/spring", studio.path("missing").display());
    let told = studio.run(&["doctor", "--watch", &watch]);
    assert_eq!(told.code, Some(1));
    assert!(told.stdout.contains("missing"), "{}", told.stdout);
    let wrong = studio.run(&["doctor", "--watch", "/srv=reed"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("folder") && wrong.stderr.contains("family/subject/batch"), "{}", wrong.stderr);
}
