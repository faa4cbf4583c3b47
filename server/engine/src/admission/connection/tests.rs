//! Over real sockets, so in real time; each waits for the thing itself.

use std::{io, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::StreamExt;
use http::{Response, StatusCode, request::Parts};
use http_body_util::{BodyExt, Empty, Full, StreamBody, combinators::BoxBody};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::{Instant, sleep, timeout},
};
use tower::{Layer, service_fn};

use super::*;
use crate::admission::{
    Class, MediaAdmissionLayer, Refusal, Slots, SlotsConfig, Ticket, accept::Drained, serve, slots::SlotsSnapshot,
};

const WRITE_IDLE: Duration = Duration::from_millis(500);
const IDLE: Duration = Duration::from_millis(700);
/// What a busy machine may add.
const SLACK: Duration = Duration::from_secs(3);
const LIMITS: ConnectionLimits = ConnectionLimits {
    connections: 100,
    write_idle: WRITE_IDLE,
    idle: IDLE,
    body_idle: Duration::from_secs(30),
    drain: Duration::from_secs(1),
};

type TestBody = BoxBody<Bytes, io::Error>;

struct Server {
    address: SocketAddr,
    slots: Slots,
    stop: Arc<Notify>,
    end: tokio::task::JoinHandle<io::Result<Drained>>,
}

/// `/media/large` is 64 MiB in pieces, `/media/small` eleven bytes, `/silent` says nothing for twice the write-idle limit.
fn answer(path: &str) -> TestBody {
    match path {
        "/media/large" => {
            let piece = Bytes::from(vec![7; 1 << 16]);
            let pieces = futures_util::stream::repeat(piece).take(1024).map(|piece| Ok(http_body::Frame::data(piece)));
            BodyExt::boxed(StreamBody::new(pieces))
        }
        "/silent" => {
            let words = futures_util::stream::once(async {
                sleep(2 * WRITE_IDLE).await;
                Ok(http_body::Frame::data(Bytes::from_static(b"at last")))
            });
            BodyExt::boxed(StreamBody::new(words))
        }
        "/empty" => Empty::new().map_err(io::Error::other).boxed(),
        _ => Full::new(Bytes::from_static(b"hello there")).map_err(io::Error::other).boxed(),
    }
}

async fn server(limits: ConnectionLimits, slots: usize) -> Server {
    let slots = Slots::new(SlotsConfig { slots, queue: 100, wait: Duration::from_secs(60) });
    let classify =
        |parts: &Parts| parts.uri.path().starts_with("/media/").then_some(Ticket { class: Class::Light, party: 0 });
    let refuse = |_: Refusal| {
        let mut response = Response::new(answer("/empty"));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response
    };
    let inner = service_fn(async |request: Request<PacedBody<Incoming>>| {
        assert!(request.extensions().get::<ConnectInfo<SocketAddr>>().is_some());
        let body = answer(request.uri().path());
        let read = request.into_body().collect().await;
        let status = if read.is_ok() { StatusCode::OK } else { StatusCode::REQUEST_TIMEOUT };
        Ok(Response::builder().status(status).body(body).unwrap())
    });
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = Arc::new(Notify::new());
    let stopped = stop.clone();
    let end = tokio::spawn(serve(listener, service, limits, async move { stopped.notified().await }));
    Server { address, slots, stop, end }
}

impl Server {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// A connection on which `path` has been asked for.
    async fn ask(&self, path: &str) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes()).await.unwrap();
        stream
    }

    /// Waits until the slots look like that.
    async fn until(&self, condition: impl Fn(SlotsSnapshot) -> bool) {
        let reached = async {
            while !condition(self.slots.snapshot()) {
                sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(Duration::from_secs(10), reached).await.unwrap();
    }
}

/// How long it took until the server closed.
async fn closed(mut stream: TcpStream, started: Instant) -> Duration {
    let mut rest = vec![];
    // A reset is a close, too.
    let _ = timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await.unwrap();
    started.elapsed()
}

#[tokio::test]
async fn a_client_that_disconnects_in_the_middle_of_a_body_frees_its_slot_for_the_next() {
    let server = server(ConnectionLimits { write_idle: Duration::from_secs(600), ..LIMITS }, 1).await;
    let mut first = server.ask("/media/large").await;
    first.read_exact(&mut [0; 1024]).await.unwrap();
    let mut second = server.ask("/media/small").await;
    server.until(|slots| slots.waiting == 1).await;

    let mut health = server.ask("/health").await;
    health.read_exact(&mut [0; 12]).await.unwrap();
    assert_eq!(server.slots.snapshot().waiting, 1, "health has passed, media waits");

    drop(first);
    let mut head = [0; 15];
    second.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200 OK");
}

#[tokio::test]
async fn a_waiter_that_disconnects_leaves_the_queue() {
    let server = server(LIMITS, 1).await;
    let mut first = server.ask("/media/large").await;
    first.read_exact(&mut [0; 1024]).await.unwrap();
    let second = server.ask("/media/small").await;
    server.until(|slots| slots.waiting == 1).await;
    drop(second);
    server.until(|slots| slots.waiting == 0 && slots.abandoned_total == 1).await;
}

#[tokio::test]
async fn a_reader_that_stops_is_closed_at_the_write_idle_limit() {
    let server = server(LIMITS, 1).await;
    let mut stream = server.ask("/media/large").await;
    stream.read_exact(&mut [0; 1024]).await.unwrap();
    let started = Instant::now();
    server.until(|slots| slots.in_use == 0).await;
    let time = started.elapsed();
    assert!(time > WRITE_IDLE / 2 && time < WRITE_IDLE + SLACK, "{time:?}");
}

#[tokio::test]
async fn a_reader_that_is_slow_but_takes_something_is_served_to_the_end() {
    let server = server(LIMITS, 1).await;
    let mut stream = server.ask("/media/large").await;
    let started = Instant::now();
    let mut piece = vec![0; 8 << 20];
    for _ in 0..8 {
        stream.read_exact(&mut piece).await.unwrap();
        sleep(WRITE_IDLE / 3).await;
    }
    assert!(started.elapsed() > 2 * WRITE_IDLE);
    server.until(|slots| slots.in_use == 0 && slots.held_total == 1).await;
}

#[tokio::test]
async fn a_producer_may_be_silent_for_longer_than_the_write_idle_limit() {
    let server = server(LIMITS, 1).await;
    let mut stream = server.ask("/silent").await;
    let mut said = vec![];
    while !said.ends_with(b"at last\r\n0\r\n\r\n") {
        assert!(stream.read_buf(&mut said).await.unwrap() > 0, "closed too soon");
    }
}

#[tokio::test]
async fn a_closed_window_is_a_stopped_reader_however_lively_the_connection() {
    let server = server(LIMITS, 1).await;
    let stream = server.connect().await;
    let (mut client, mut connection) =
        h2::client::Builder::new().initial_window_size(0).handshake::<_, Bytes>(stream).await.unwrap();
    let mut pings = connection.ping_pong().unwrap();
    let connection = tokio::spawn(connection);
    let pinging = tokio::spawn(async move { while pings.ping(h2::Ping::opaque()).await.is_ok() {} });
    let request = Request::get("http://a/media/large").body(()).unwrap();
    let response = client.send_request(request, true).unwrap().0.await.unwrap();
    assert_eq!((response.status(), server.slots.snapshot().in_use), (StatusCode::OK, 1));

    let started = Instant::now();
    server.until(|slots| slots.in_use == 0).await;
    let time = started.elapsed();
    assert!(time > WRITE_IDLE / 2 && time < WRITE_IDLE + SLACK, "{time:?}");
    // The connection is closed: nothing is left in the transport's own buffers either.
    let _ = timeout(Duration::from_secs(10), connection).await.unwrap();
    pinging.abort();
}

#[tokio::test]
async fn a_reset_stream_frees_its_slot_and_the_connection_lives_on() {
    let server = server(LIMITS, 1).await;
    let (client, connection) = h2::client::handshake(server.connect().await).await.unwrap();
    tokio::spawn(connection);
    let ask = async |path: &str| {
        let request = Request::get(format!("http://a{path}")).body(()).unwrap();
        client.clone().ready().await.unwrap().send_request(request, true).unwrap().0.await.unwrap()
    };
    let large = ask("/media/large").await;
    assert_eq!(server.slots.snapshot().in_use, 1);
    drop(large);
    assert_eq!(ask("/media/small").await.into_body().data().await.unwrap().unwrap(), "hello there");
}

#[tokio::test]
async fn whoever_never_finishes_a_head_is_closed_at_the_idle_limit() {
    let server = server(LIMITS, 1).await;
    for beginning in ["", "PRI * HTTP/2.0\r\n", "GET / HTTP/1.1\r\nhost: a\r\nx: "] {
        let (started, mut stream) = (Instant::now(), server.connect().await);
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let (reading, mut writing) = stream.into_split();
        let drip = tokio::spawn(async move {
            // A byte every now and then does not help. An empty beginning stays silent.
            while !beginning.is_empty() && !beginning.starts_with("PRI") && writing.write_all(b"a").await.is_ok() {
                sleep(IDLE / 10).await;
            }
            writing
        });
        let mut rest = vec![];
        let mut reading = reading;
        let _ = timeout(Duration::from_secs(10), reading.read_to_end(&mut rest)).await.unwrap();
        let time = started.elapsed();
        assert!(time >= IDLE && time < IDLE + SLACK, "{beginning:?}: {time:?}");
        drip.abort();
    }
}

#[tokio::test]
async fn a_connection_kept_alive_for_nothing_is_closed() {
    let server = server(LIMITS, 1).await;
    let mut stream = server.ask("/health").await;
    stream.read_exact(&mut [0; 15]).await.unwrap();
    let started = Instant::now();
    let time = closed(stream, started).await;
    assert!(time > IDLE / 2 && time < IDLE + SLACK, "{time:?}");
}

#[tokio::test]
async fn an_upload_that_drips_is_broken_off() {
    let server = server(ConnectionLimits { body_idle: Duration::from_millis(300), ..LIMITS }, 1).await;
    let mut stream = server.connect().await;
    stream.write_all(b"POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n").await.unwrap();
    let (mut reading, mut writing) = stream.into_split();
    let drip = tokio::spawn(async move {
        while writing.write_all(b"a").await.is_ok() {
            sleep(Duration::from_millis(50)).await;
        }
    });
    let mut head = [0; 12];
    timeout(Duration::from_secs(10), reading.read_exact(&mut head)).await.unwrap().unwrap();
    assert_eq!(&head, b"HTTP/1.1 408");
    drip.abort();
}

#[tokio::test]
async fn a_connection_is_kept_after_head_and_body_and_lengths_are_told() {
    let server = server(LIMITS, 1).await;
    let mut stream = server.connect().await;
    let mut read = vec![];
    for (request, end) in [
        ("HEAD /media/small HTTP/1.1", "\r\n\r\n"),
        ("GET /media/small HTTP/1.1", "hello there"),
        ("GET /empty HTTP/1.1", "\r\n\r\n"),
        ("GET /media/small HTTP/1.1", "hello there"),
    ] {
        stream.write_all(format!("{request}\r\nhost: a\r\n\r\n").as_bytes()).await.unwrap();
        read.clear();
        while !read.ends_with(end.as_bytes()) {
            assert!(stream.read_buf(&mut read).await.unwrap() > 0, "closed after {request}");
        }
        let head = String::from_utf8_lossy(&read).into_owned();
        let length = if request.contains("small") { "content-length: 11\r\n" } else { "content-length: 0\r\n" };
        assert!(head.starts_with("HTTP/1.1 200 OK") && head.contains(length), "{head}");
        server.until(|slots| slots.in_use == 0).await;
    }
}

#[tokio::test]
async fn bodies_in_flight_finish_after_the_shutdown_has_begun() {
    let server =
        server(ConnectionLimits { idle: Duration::from_secs(60), drain: Duration::from_secs(10), ..LIMITS }, 1).await;
    let mut large = server.ask("/media/large").await;
    large.read_exact(&mut [0; 1024]).await.unwrap();
    let mut kept_alive = server.ask("/health").await;
    kept_alive.read_exact(&mut [0; 15]).await.unwrap();
    server.stop.notify_one();

    let mut rest = vec![];
    kept_alive.read_to_end(&mut rest).await.unwrap();
    assert!(TcpStream::connect(server.address).await.is_err(), "newcomers are refused");
    large.read_to_end(&mut rest).await.unwrap();
    assert!(rest.len() > 64 << 20);
    assert_eq!(server.end.await.unwrap().unwrap(), Drained { cut: 0 });
}

#[tokio::test]
async fn whoever_does_not_finish_in_time_is_cut() {
    let server = server(ConnectionLimits { write_idle: Duration::from_secs(60), ..LIMITS }, 1).await;
    let mut large = server.ask("/media/large").await;
    large.read_exact(&mut [0; 1024]).await.unwrap();
    server.stop.notify_one();
    assert_eq!(server.end.await.unwrap().unwrap(), Drained { cut: 1 });
    assert_eq!(server.slots.snapshot().in_use, 0);
}

#[tokio::test]
async fn one_connection_too_many_waits_outside() {
    let server = server(ConnectionLimits { connections: 2, idle: Duration::from_secs(60), ..LIMITS }, 1).await;
    let first = server.ask("/health").await;
    let mut second = server.ask("/health").await;
    second.read_exact(&mut [0; 15]).await.unwrap();
    let mut third = server.ask("/health").await;
    let answered = timeout(Duration::from_millis(200), third.read_exact(&mut [0; 15])).await;
    assert!(answered.is_err(), "it was let in");
    drop(first);
    timeout(Duration::from_secs(10), third.read_exact(&mut [0; 15])).await.unwrap().unwrap();
}
