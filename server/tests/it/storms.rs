//! What once broke: a gallery that asks for everything at once, on few open files, and a power cut in the middle.

use std::io::Cursor;

use futures_util::future::join_all;
use reqwest::StatusCode;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{Client, Look, Studio, picture, problem, write_pictures};

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
    is_thumbnail_of(bytes, 440)
}

/// Whether it is a whole WebP whose longer side is so many pixels.
pub(crate) fn is_thumbnail_of(bytes: &[u8], longer: u32) -> bool {
    image::ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::WebP)
        .decode()
        .is_ok_and(|picture| picture.width().max(picture.height()) == longer)
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
async fn two_galleries_of_a_hundred_and_fifty_at_once_on_256_open_files() {
    let studio = Studio::with_batch(150);
    let second = studio.path("second");
    write_pictures(&second, 150..300);
    studio.ok(&["import", second.to_str().unwrap(), "--family", "moss", "--subject", "tom", "--batch", "winter"]);
    // Every rendition is made anew: the import has made some.
    std::fs::remove_dir_all(studio.data().join("renditions")).unwrap();
    let server = studio.serve_with_open_files(256, &[]);
    let client = server.client("ada").await;
    let paths = client.thumbnails().await;
    assert_eq!(paths.len(), 300);
    assert_eq!(client.json("/api/ready").await["status"], "ready");
    drop(client);
    let baseline = server.open_files();

    for _cold_then_warm in 0..2 {
        let client = server.client("ada").await;
        for batch in paths.chunks(150) {
            gallery(&client, batch).await;
        }
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

#[tokio::test]
async fn readers_that_stop_hold_up_no_thumbnail_and_lose_their_slots() {
    let studio = Studio::with_batch(1);
    let large = studio.path("large.bmp");
    let look = Look { width: 2000, height: 1500, format: image::ImageFormat::Bmp, seed: 7 };
    std::fs::write(&large, picture(look)).unwrap();
    studio.ok(&["import", large.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring"]);
    let server = studio.serve(&[("AVATARS_WRITE_IDLE", "2s")]);
    let client = server.client("rowan").await;
    let [thumbnail, large] = client.thumbnails().await.try_into().unwrap();
    let large = large.replace("thumbnail", "file");
    drop(client);
    let baseline = server.open_files();

    // As many as there are slots; each reads a little and then stops, its socket open.
    let cookie = server.stranger().session("rowan").await;
    let mut stopped = Vec::new();
    for _ in 0..8 {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        let head = format!("GET {large} HTTP/1.1\r\nhost: studio\r\ncookie: {cookie}\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        stopped.push(socket);
    }
    let mut start = [0; 1024];
    stopped[0].read_exact(&mut start).await.unwrap();
    assert!(start.starts_with(b"HTTP/1.1 200"));

    let client = server.client("rowan").await;
    assert!(is_thumbnail(&client.try_get(&thumbnail).await.unwrap()));
    // An original has to wait, until the first of those who stopped is closed.
    assert_eq!(
        client.get(&large).await.bytes().await.unwrap().len(),
        std::fs::metadata(studio.path("large.bmp")).unwrap().len() as usize
    );
    drop(client);
    settled(&server, baseline).await;
    drop(stopped);
}

#[tokio::test]
async fn on_128_open_files_a_gallery_still_comes_whole() {
    let studio = Studio::with_batch(60);
    let server = studio.serve_with_open_files(128, &[]);
    let client = server.client("rowan").await;
    gallery(&client, &client.thumbnails().await).await;
}

#[tokio::test]
async fn a_full_queue_and_a_long_wait_are_told_with_when_to_come_again() {
    let studio = Studio::with_batch(30);
    std::fs::remove_dir_all(studio.data().join("renditions")).unwrap();
    let server = studio.serve(&[("AVATARS_MEDIA_CONCURRENCY", "1"), ("AVATARS_MEDIA_QUEUE", "2")]);
    let client = server.client("rowan").await;
    let answers = join_all(client.thumbnails().await.iter().map(async |path| client.get(path).await)).await;
    let (mut whole, mut refused) = (0, 0);
    for answer in answers {
        if answer.status() == StatusCode::OK {
            whole += 1;
        } else {
            problem(answer, StatusCode::SERVICE_UNAVAILABLE, "unavailable").await;
            refused += 1;
        }
    }
    assert!(whole > 0 && refused > 0, "{whole} whole, {refused} refused");
    // The refusals cost nothing that would be missing now.
    let paths = client.thumbnails().await;
    assert!(is_thumbnail(&client.try_get(&paths[0]).await.unwrap()));
}
