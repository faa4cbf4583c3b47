use std::{convert::Infallible, sync::Mutex, time::Duration};

use bytes::Bytes;
use http_body::Frame;
use http_body_util::{BodyExt, Empty, Full, StreamBody, combinators::BoxBody};
use tokio::sync::mpsc;
use tower::{ServiceExt, service_fn};

use super::{super::SlotsConfig, *};
use crate::admission::Class;

type TestBody = BoxBody<Bytes, Infallible>;

fn slots(slots: usize, queue: usize) -> Slots {
    Slots::new(SlotsConfig { slots, queue, wait: Duration::from_secs(60) })
}

/// Everything below `/media/` is light media of one party.
fn classify(parts: &Parts) -> Option<Ticket> {
    parts.uri.path().starts_with("/media/").then_some(Ticket { class: Class::Light, party: 1 })
}

fn refuse(refusal: Refusal) -> Response<TestBody> {
    Response::builder()
        .status(StatusCode::SERVICE_UNAVAILABLE)
        .header("retry-after", refusal.retry_after().as_secs())
        .body(Empty::new().boxed())
        .unwrap()
}

fn get(path: &str) -> Request<()> {
    Request::get(path).body(()).unwrap()
}

/// The far end of a body: frames go in, and closing it ends the body.
type Tap = mpsc::UnboundedSender<Frame<Bytes>>;

/// A service that sends its headers at once and its body as the test says. It hands each body's tap to the test.
fn taps() -> (
    impl Service<Request<()>, Response = Response<TestBody>, Error = Infallible, Future: Send> + Clone,
    mpsc::UnboundedReceiver<Tap>,
) {
    let (hand, taps) = mpsc::unbounded_channel();
    let service = service_fn(move |_: Request<()>| {
        let (tap, mut frames) = mpsc::unbounded_channel::<Frame<Bytes>>();
        hand.send(tap).unwrap();
        let body = StreamBody::new(futures_util::stream::poll_fn(move |cx| {
            frames.poll_recv(cx).map(|frame| frame.map(Ok::<_, Infallible>))
        }));
        std::future::ready(Ok(Response::new(body.boxed())))
    });
    (service, taps)
}

fn data(bytes: &'static str) -> Frame<Bytes> {
    Frame::data(Bytes::from_static(bytes.as_bytes()))
}

#[tokio::test(start_paused = true)]
async fn a_second_thumbnail_waits_until_the_first_body_ends() {
    let (inner, mut bodies) = taps();
    let slots = slots(1, 10);
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);

    let mut first = service.clone().oneshot(get("/media/1")).await.unwrap().into_body();
    let tap = bodies.recv().await.unwrap();
    tap.send(data("half")).unwrap();
    first.frame().await.unwrap().unwrap();

    let second = tokio::spawn(service.clone().oneshot(get("/media/2")));
    tokio::task::yield_now().await;
    assert_eq!(slots.snapshot().waiting, 1);
    assert!(bodies.try_recv().is_err(), "the second must not have reached the service");

    service.clone().oneshot(get("/api/health")).await.unwrap();
    bodies.recv().await.unwrap();

    drop(tap);
    assert!(first.frame().await.is_none());
    second.await.unwrap().unwrap();
    bodies.recv().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_dropped_half_way_gives_its_slot_to_the_next() {
    let (inner, mut bodies) = taps();
    let slots = slots(1, 10);
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);

    let first = service.clone().oneshot(get("/media/1")).await.unwrap();
    let second = tokio::spawn(service.clone().oneshot(get("/media/2")));
    tokio::task::yield_now().await;
    assert_eq!((slots.snapshot().in_use, slots.snapshot().waiting), (1, 1));

    drop(first);
    let second = second.await.unwrap().unwrap();
    assert_eq!((slots.snapshot().in_use, slots.snapshot().waiting), (1, 0));
    drop(second);
    assert_eq!(slots.snapshot().in_use, 0);
    drop(bodies.recv().await);
}

#[tokio::test(start_paused = true)]
async fn a_waiter_that_goes_away_never_reaches_the_service() {
    let (inner, mut bodies) = taps();
    let slots = slots(1, 10);
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);

    let first = service.clone().oneshot(get("/media/1")).await.unwrap();
    let gone = service.clone().oneshot(get("/media/2"));
    let stays = tokio::spawn(service.clone().oneshot(get("/media/3")));
    tokio::task::yield_now().await;
    assert_eq!(slots.snapshot().waiting, 1, "a request that nobody polls has not called the service yet");
    drop((gone, first));
    stays.await.unwrap().unwrap();
    assert_eq!(
        (bodies.recv().await.is_some(), bodies.recv().await.is_some(), bodies.try_recv().is_err()),
        (true, true, true)
    );
}

/// An inner service that answers with what the test gives it, once.
fn answers(
    response: Response<TestBody>,
) -> impl Service<Request<()>, Response = Response<TestBody>, Error = Infallible, Future: Send> + Clone {
    let response = std::sync::Arc::new(Mutex::new(Some(response)));
    service_fn(move |request: Request<()>| {
        assert!(request.extensions().get::<Admitted>().is_some());
        let response = response.lock().unwrap().take().unwrap();
        std::future::ready(Ok(response))
    })
}

async fn held_after_headers(request: Request<()>, response: Response<TestBody>) -> usize {
    let slots = slots(1, 10);
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(answers(response));
    let _response = service.oneshot(request).await.unwrap();
    slots.snapshot().in_use
}

#[tokio::test]
async fn what_has_no_body_to_send_holds_its_slot_for_the_headers_only() {
    let full = || Full::new(Bytes::from_static(b"picture")).boxed();
    let with = |status: u16, body| Response::builder().status(status).body(body).unwrap();
    let head = Request::head("/media/1").body(()).unwrap();

    assert_eq!(held_after_headers(get("/media/1"), with(200, full())).await, 1);
    assert_eq!(held_after_headers(get("/media/1"), with(206, full())).await, 1);
    assert_eq!(held_after_headers(head, with(200, full())).await, 0);
    assert_eq!(held_after_headers(get("/media/1"), with(200, Empty::new().boxed())).await, 0);
    for status in [304, 403, 404, 416, 500, 503] {
        assert_eq!(held_after_headers(get("/media/1"), with(status, full())).await, 0, "{status}");
    }
}

#[tokio::test]
async fn an_error_gives_the_slot_back() {
    let slots = slots(1, 10);
    let inner = service_fn(|_: Request<()>| std::future::ready(Err::<Response<TestBody>, _>("broken")));
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);
    assert_eq!(service.oneshot(get("/media/1")).await.err(), Some("broken"));
    assert_eq!(slots.snapshot().in_use, 0);
}

#[tokio::test]
async fn a_panic_gives_the_slot_back() {
    let slots = slots(1, 10);
    let broken = || -> Result<Response<TestBody>, Infallible> { panic!("decoder") };
    let inner = service_fn(move |_: Request<()>| async move { broken() });
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);
    assert!(tokio::spawn(service.oneshot(get("/media/1"))).await.unwrap_err().is_panic());
    assert_eq!(slots.snapshot().in_use, 0);
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_at_once_and_a_long_wait_in_the_end() {
    let (inner, _bodies) = taps();
    let slots = slots(1, 1);
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);

    let _first = service.clone().oneshot(get("/media/1")).await.unwrap();
    let second = tokio::spawn(service.clone().oneshot(get("/media/2")));
    tokio::task::yield_now().await;

    let third = service.clone().oneshot(get("/media/3")).await.unwrap();
    assert_eq!(third.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(third.headers()["retry-after"], "60", "nothing was measured yet, so the longest wait is the guess");

    let second = second.await.unwrap().unwrap();
    assert_eq!(second.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!((slots.snapshot().waiting, slots.snapshot().refused_late_total), (0, 1));
}

#[tokio::test]
async fn ten_slow_downloads_hold_two_slots_to_the_last_byte() {
    let (inner, mut bodies) = taps();
    let slots = slots(2, 10);
    let service = MediaAdmissionLayer::new(slots.clone(), classify, refuse).layer(inner);
    let readers = (0..10).map(|n| {
        let response = service.clone().oneshot(get(&format!("/media/{n}")));
        tokio::spawn(async move { response.await.unwrap().into_body().collect().await.unwrap().to_bytes() })
    });
    let readers = futures_util::future::join_all(readers.collect::<Vec<_>>());
    let writer = async {
        for _ in 0..10 {
            let tap = bodies.recv().await.unwrap();
            assert!(slots.snapshot().in_use <= 2);
            tap.send(data("slow")).unwrap();
            tokio::task::yield_now().await;
        }
    };
    let (bodies, ()) = tokio::join!(readers, writer);
    assert!(bodies.into_iter().all(|body| body.unwrap() == "slow"));
    assert_eq!(slots.snapshot().in_use, 0);
}
