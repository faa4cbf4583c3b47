//! What once broke: a gallery that asks for everything at once, on few open files, and a power cut in the middle.

use std::io::Cursor;

use futures_util::future::join_all;
use reqwest::StatusCode;

use crate::support::{Client, Studio};

/// Asks for all at once; every answer must be a whole, valid thumbnail.
async fn gallery(client: &Client, paths: &[String]) {
    let answers = join_all(paths.iter().map(async |path| {
        let response = client.get(path).await;
        let status = response.status();
        (status, response.bytes().await.unwrap_or_default())
    }))
    .await;
    let valid = answers.iter().filter(|(status, body)| *status == StatusCode::OK && is_thumbnail(body)).count();
    assert_eq!(
        valid,
        paths.len(),
        "{:?}",
        answers.iter().map(|(status, body)| (status.as_u16(), body.len())).collect::<Vec<_>>()
    );
}

fn is_thumbnail(bytes: &[u8]) -> bool {
    image::ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::WebP)
        .decode()
        .is_ok_and(|picture| picture.width().max(picture.height()) == 440)
}

/// Waits until the server has given back what a storm took.
async fn settled(server: &crate::support::Server, baseline: usize) {
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    while server.open_files() > baseline {
        assert!(tokio::time::Instant::now() < deadline, "{} open files, {baseline} before", server.open_files());
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_hundred_and_fifty_thumbnails_at_once_on_256_open_files() {
    let studio = Studio::with_batch(150);
    // Every rendition is made anew: the import has made some.
    std::fs::remove_dir_all(studio.data().join("renditions")).unwrap();
    let server = studio.serve_with_open_files(256, &[]);
    let client = server.client("rowan").await;
    let paths = client.thumbnails().await;
    assert_eq!(paths.len(), 150);
    assert_eq!(client.json("/api/ready").await["status"], "ready");
    drop(client);
    let baseline = server.open_files();

    for _cold_then_warm in 0..2 {
        let client = server.client("rowan").await;
        gallery(&client, &paths).await;
        drop(client);
        settled(&server, baseline).await;
    }
    assert_eq!(server.stranger().json("/api/ready").await["status"], "ready");
}

#[tokio::test]
async fn after_a_power_cut_in_a_cold_gallery_every_thumbnail_is_whole() {
    let studio = Studio::with_batch(40);
    for cut_after in [1, 5, 12] {
        std::fs::remove_dir_all(studio.data().join("renditions")).unwrap();
        let server = studio.serve(&[]);
        let client = server.client("rowan").await;
        let paths = client.thumbnails().await;
        let mut asked = tokio::task::JoinSet::new();
        for path in paths.clone() {
            let client = client.clone();
            asked.spawn(async move { client.try_get(&path).await });
        }
        for _ in 0..cut_after {
            asked.join_next().await;
        }
        server.kill();
        drop(asked);

        let server = studio.serve(&[]);
        gallery(&server.client("rowan").await, &paths).await;
        assert_eq!(studio.run(&["verify"]).code, Some(0));
    }
}
