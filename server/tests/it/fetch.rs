//! Pictures by address: asked for their size first, taken in like any other file, and never from where only the server can
//! reach.

use std::sync::{Arc, Mutex};

use image::ImageFormat;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::support::{Client, Look, Server, Studio, ZipEntry, picture, problem, zip};

fn png(seed: u32) -> Vec<u8> {
    picture(Look { width: 64, height: 48, format: ImageFormat::Png, seed })
}

/// A server somewhere, which writes down what it was asked.
struct Elsewhere {
    host: String,
    asked: Arc<Mutex<Vec<String>>>,
}

/// What it answers to a method and a path: the whole answer, as it goes over the line.
type Answers = fn(method: &str, path: &str) -> Vec<u8>;

impl Elsewhere {
    async fn start(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let heard = asked.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(answer(socket, answers, heard.clone()));
            }
        });
        Self { host, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn answer(socket: TcpStream, answers: Answers, asked: Arc<Mutex<Vec<String>>>) {
    let mut socket = BufReader::new(socket);
    let (mut request, mut line) = (String::new(), String::new());
    while socket.read_line(&mut line).await.is_ok_and(|count| count > 2) {
        request.push_str(&line);
        line.clear();
    }
    let mut words = request.split(' ');
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return };
    let secrets = request.to_lowercase();
    assert!(!secrets.contains("cookie") && !secrets.contains("authorization"), "nothing of the caller's goes along");
    asked.lock().unwrap().push(format!("{method} {path}"));
    // A client that stops half-way closes the socket.
    let _gone = socket.write_all(&answers(method, path)).await;
}

/// An answer with these headers; a HEAD has no body.
fn ok(method: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n{headers}\r\n").into_bytes();
    if method == "GET" {
        answer.extend_from_slice(body);
    }
    answer
}

fn whole(method: &str, body: &[u8]) -> Vec<u8> {
    ok(method, &format!("content-length: {}\r\n", body.len()), body)
}

fn pictures(method: &str, path: &str) -> Vec<u8> {
    match (method, path) {
        (_, "/a.png") => whole(method, &png(1)),
        (_, "/named") => {
            let named =
                format!("content-length: {}\r\ncontent-disposition: attachment; filename=\"b.png\"\r\n", png(2).len());
            ok(method, &named, &png(2))
        }
        (_, "/some.zip") => {
            whole(method, &zip(&[ZipEntry::new("c.png", &png(3)), ZipEntry::new("notes.txt", b"not a picture")]))
        }
        // It says nothing of its size, and ends where the connection does.
        ("HEAD", "/unannounced.png") => b"HTTP/1.1 405 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_vec(),
        (_, "/unannounced.png") => ok(method, "", &png(4)),
        // It announces less than it sends, or more than may come.
        ("HEAD", "/longer.png") => ok(method, "content-length: 10\r\n", b""),
        (_, "/longer.png") => whole(method, &png(5)),
        (_, "/large.png") => ok(method, "content-length: 999999999\r\n", b""),
        (_, "/endless.png") => ok(method, "", &vec![7; 3 << 20]),
        (_, "/words.png") => whole(method, b"not a picture"),
        (_, "/inside") => {
            b"HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: http://127.0.0.1:9/a.png\r\n\r\n".to_vec()
        }
        (_, "/metadata") => {
            b"HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: http://169.254.169.254/latest\r\n\r\n".to_vec()
        }
        (_, "/moved.png") => b"HTTP/1.1 301 Moved\r\nconnection: close\r\nlocation: /a.png\r\n\r\n".to_vec(),
        (_, "/round") => b"HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: /round\r\n\r\n".to_vec(),
        _ => b"HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_vec(),
    }
}

/// A studio that may fetch from elsewhere, with one batch; the path to fetch into.
async fn studio(elsewhere: &Elsewhere) -> (Studio, Server, Client, String) {
    let studio = Studio::with_batch(1);
    let server = studio.serve(&[("AVATARS_FETCH_HOSTS", &elsewhere.host), ("AVATARS_UPLOAD_LIMIT", "2MiB")]);
    let client = server.client("ada").await;
    let path = format!("/api/batches/{}/fetch", client.batch().await["id"].as_str().unwrap());
    (studio, server, client, path)
}

async fn fetch(client: &Client, path: &str, urls: &[String]) -> Vec<Value> {
    let answer = client.post(path, json!({ "subject": "ida", "urls": urls })).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    answer.json::<Value>().await.unwrap()["assets"].as_array().unwrap().clone()
}

#[tokio::test]
async fn addresses_are_asked_for_their_size_and_taken_in_like_files() {
    let elsewhere = Elsewhere::start(pictures).await;
    let (studio, _server, client, path) = studio(&elsewhere).await;
    let urls = ["/a.png", "/named", "/some.zip", "/unannounced.png", "/words.png", "/gone.png"];
    let mut told = fetch(&client, &path, &urls.map(|path| elsewhere.url(path))).await;
    told.extend(fetch(&client, &path, &[elsewhere.url("/moved.png")]).await);
    let lines: Vec<_> =
        told.iter().map(|told| (told["name"].as_str().unwrap(), told["status"].as_str().unwrap())).collect();
    assert_eq!(
        lines,
        [
            ("a.png", "added"),
            ("b.png", "added"),
            ("c.png", "added"),
            ("notes.txt", "refused"),
            ("unannounced.png", "added"),
            ("words.png", "refused"),
            ("gone.png", "refused"),
            ("moved.png", "duplicate"),
        ]
    );
    assert!(told[6]["reason"].as_str().unwrap().contains("404"), "{}", told[6]);
    let asked = elsewhere.asked();
    let place = |line: &str| asked.iter().position(|asked| asked == line).unwrap();
    assert!(place("HEAD /a.png") < place("GET /a.png"), "{asked:?}");
    studio.ok(&["verify"]);
}

#[tokio::test]
async fn what_is_longer_than_it_says_or_larger_than_may_come_is_stopped() {
    let elsewhere = Elsewhere::start(pictures).await;
    let (studio, _server, client, path) = studio(&elsewhere).await;
    let urls = ["/longer.png", "/large.png", "/endless.png", "/round"];
    let told = fetch(&client, &path, &urls.map(|path| elsewhere.url(path))).await;
    let reasons: Vec<_> = told.iter().map(|told| told["reason"].as_str().unwrap()).collect();
    assert!(reasons[0].contains("longer than"), "{reasons:?}");
    assert!(reasons[1].contains("larger than"), "{reasons:?}");
    assert!(reasons[2].contains("larger than"), "{reasons:?}");
    assert!(reasons[3].contains("five times"), "{reasons:?}");
    assert!(!elsewhere.asked().contains(&"GET /large.png".to_owned()), "its size was enough");
    let left = std::fs::read_dir(studio.data().join("tmp")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing is left of what was stopped");
}

#[tokio::test]
async fn nothing_is_fetched_from_inside_by_whatever_way_an_address_leads_there() {
    let elsewhere = Elsewhere::start(pictures).await;
    let other = Elsewhere::start(pictures).await;
    let (_studio, _server, client, path) = studio(&elsewhere).await;
    let port = other.host.rsplit(':').next().unwrap();
    let urls = [
        elsewhere.url("/inside"),
        elsewhere.url("/metadata"),
        other.url("/a.png"),
        format!("http://localhost:{port}/a.png"),
        format!("http://[::1]:{port}/a.png"),
        format!("http://[::ffff:127.0.0.1]:{port}/a.png"),
        format!("http://2130706433:{port}/a.png"),
        "http://10.0.0.1/a.png".to_owned(),
        "http://ada:secret@example.org/a.png".to_owned(),
        "file:///etc/passwd".to_owned(),
        "ftp://example.org/a.png".to_owned(),
    ];
    let told = fetch(&client, &path, &urls).await;
    assert!(told.iter().all(|told| told["status"] == "refused"), "{told:?}");
    for told in &told[..8] {
        assert!(told["reason"].as_str().unwrap().contains("not on the public internet"), "{told}");
    }
    assert!(other.asked().is_empty(), "{:?}", other.asked());
}

#[tokio::test]
async fn only_who_may_import_fetches_and_no_more_than_a_hundred_at_once() {
    let elsewhere = Elsewhere::start(pictures).await;
    let (_studio, server, client, path) = studio(&elsewhere).await;
    let many = vec![elsewhere.url("/a.png"); 101];
    let answer = client.post(&path, json!({ "subject": "ida", "urls": many })).await;
    problem(answer, StatusCode::UNPROCESSABLE_ENTITY, "invalid").await;
    let answer = client.post(&path, json!({ "subject": "ida", "urls": [] })).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let rowan = server.client("rowan").await;
    let answer = rowan.post(&path, json!({ "subject": "ida", "urls": [elsewhere.url("/a.png")] })).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    assert!(elsewhere.asked().is_empty());
}
