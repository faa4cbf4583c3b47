//! Uploads on a small budget: what waits, what is refused, what is given back.

use std::{collections::BTreeMap, fs};

use futures_util::future::join_all;
use image::ImageFormat;
use reqwest::{
    Method, Response, StatusCode,
    header::{CONTENT_LENGTH, HeaderMap},
    multipart::{Form, Part},
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{Client, Look, Server, Studio, eventually, picture, problem};

fn bitmap(side: u32, seed: u32) -> Vec<u8> {
    picture(Look { width: side, height: side, format: ImageFormat::Bmp, seed })
}

async fn path(client: &Client) -> String {
    format!("/api/batches/{}/assets", client.batch().await["id"].as_str().unwrap())
}

async fn upload(client: &Client, path: &str, files: Vec<Part>) -> Response {
    let form = Form::new().text("subject", "ida").text("kind", "candidate");
    let form = files.into_iter().fold(form, |form, file| form.part("file", file));
    client.request(Method::POST, path).multipart(form).send().await.unwrap()
}

fn part(bytes: Vec<u8>) -> Part {
    Part::bytes(bytes).file_name("x.bmp")
}

async fn told(response: Response) -> Vec<Value> {
    assert_eq!(response.status(), StatusCode::CREATED);
    response.json::<Value>().await.unwrap()["assets"].as_array().unwrap().clone()
}

/// What the server holds: bytes of the budget, files on their way in.
async fn held(server: &Server) -> (f64, f64) {
    let figures = server.stranger().get("/metrics").await.text().await.unwrap();
    let figures: BTreeMap<&str, &str> = figures.lines().filter_map(|line| line.split_once(' ')).collect();
    let figure = |name: &str| figures[name].parse().unwrap();
    (figure("avatars_memory_used_bytes"), figure("avatars_intake_files"))
}

/// Begins an upload of `length` bytes by hand, sends `bytes` of the file, and leaves it at that.
async fn begun(server: &Server, client: &Client, length: usize, bytes: &[u8]) -> TcpStream {
    let (cookie, path) = (server.stranger().session("ada").await, path(client).await);
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-length: {length}\r\n\
         content-type: multipart/form-data; boundary=b\r\n\r\n\
         --b\r\ncontent-disposition: form-data; name=\"subject\"\r\n\r\nida\r\n\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x.bmp\"\r\n\r\n",
        server.address()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.write_all(bytes).await.unwrap();
    socket
}

#[tokio::test]
async fn many_uploads_at_once_on_a_tiny_budget_all_come_in() {
    let studio = Studio::with_batch(1);
    let budget = [("AVATARS_MEMORY_BUDGET", "16MiB"), ("AVATARS_UPLOAD_LIMIT", "2MiB"), ("AVATARS_MEMORY_WAIT", "10m")];
    let server = studio.serve(&budget);
    let client = server.client("ada").await;
    let path = path(&client).await;
    let answers = join_all((0..24).map(|seed| upload(&client, &path, vec![part(bitmap(400, 100 + seed))]))).await;
    for answer in answers {
        assert_eq!(told(answer).await[0]["status"], "added");
    }
    eventually("all is given back", async || held(&server).await == (0.0, 0.0)).await;
    assert_eq!(fs::read_dir(studio.data().join("tmp")).unwrap().count(), 0);
}

#[tokio::test]
async fn an_upload_that_there_is_no_room_for_is_told_so_and_goes_in_once_there_is() {
    let studio = Studio::with_batch(1);
    let budget =
        [("AVATARS_MEMORY_BUDGET", "48MiB"), ("AVATARS_UPLOAD_LIMIT", "32MiB"), ("AVATARS_MEMORY_WAIT", "200ms")];
    let server = studio.serve(&budget);
    let client = server.client("ada").await;
    let path = path(&client).await;
    let file = bitmap(1500, 7);

    // Half-sent and silent, it holds room for all that it has announced.
    let slow = begun(&server, &client, 32 << 20, &file[..1 << 20]).await;
    eventually("it is let in", async || held(&server).await == (f64::from(32 << 20), 1.0)).await;
    // Nine MiB, of which the server reads none before it answers: the answer arrives all the same.
    for _ in 0..3 {
        let refused = upload(&client, &path, vec![part(file.clone())]).await;
        problem(refused, StatusCode::SERVICE_UNAVAILABLE, "unavailable").await;
    }
    assert_eq!(client.json("/api/health").await["status"], "ok");

    drop(slow);
    eventually("all is given back", async || held(&server).await == (0.0, 0.0)).await;
    assert_eq!(fs::read_dir(studio.data().join("tmp")).unwrap().count(), 0, "the half-sent file is gone");
    assert_eq!(told(upload(&client, &path, vec![part(file)]).await).await[0]["status"], "added");
}

#[tokio::test]
async fn a_file_that_lies_about_its_length_is_refused_and_those_behind_it_go_in() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[("AVATARS_UPLOAD_LIMIT", "1MiB"), ("AVATARS_MEMORY_BUDGET", "32MiB")]);
    let client = server.client("ada").await;
    let path = path(&client).await;
    let says = |bytes: Vec<u8>, length: usize| {
        let headers = HeaderMap::from_iter([(CONTENT_LENGTH, length.to_string().parse().unwrap())]);
        part(bytes).headers(headers)
    };
    let files = vec![
        says(bitmap(200, 1), 1000),
        says(bitmap(200, 2), 2 << 20),
        part(bitmap(800, 3)),
        says(bitmap(200, 4), bitmap(200, 4).len()),
        part(bitmap(200, 5)),
    ];
    let told = told(upload(&client, &path, files).await).await;
    let [longer, larger, large, honest, silent] = told.as_slice() else { panic!("{told:?}") };
    assert!(longer["reason"].as_str().unwrap().contains("longer than the 1000 B"), "{longer}");
    assert!(larger["reason"].as_str().unwrap().contains("larger than the 1.0 MiB"), "{larger}");
    assert!(large["reason"].as_str().unwrap().contains("larger than the 1.0 MiB"), "{large}");
    assert_eq!((&honest["status"], &silent["status"]), (&"added".into(), &"added".into()));
}

#[tokio::test]
async fn a_request_is_bounded_as_a_whole_and_between_its_files() {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[("AVATARS_UPLOAD_LIMIT", "64KiB")]);
    let client = server.client("ada").await;
    let path = path(&client).await;
    let many = (0..110).map(|_| part(vec![0; 64 << 10])).collect();
    problem(upload(&client, &path, many).await, StatusCode::PAYLOAD_TOO_LARGE, "too-large").await;

    let field = Form::new().text("subject", "i".repeat(1 << 20));
    let refused = client.request(Method::POST, &path).multipart(field).send().await.unwrap();
    problem(refused, StatusCode::UNPROCESSABLE_ENTITY, "invalid").await;

    // The head of a part that never ends would be held in memory as a whole.
    let mut socket = begun(&server, &client, 6 << 20, b"\r\n--b\r\nendless: ").await;
    let (mut read, mut write) = socket.split();
    let line = [b'a'; 64 << 10];
    let send = async {
        for _ in 0..80 {
            write.write_all(&line).await.unwrap();
        }
    };
    let mut answer = Vec::new();
    let receive = async {
        while !answer.ends_with(b"}") {
            assert!(read.read_buf(&mut answer).await.unwrap() > 0, "cut off");
        }
    };
    tokio::join!(send, receive);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("too much between two files"), "{answer}");
}
