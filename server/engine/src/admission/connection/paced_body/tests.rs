use std::{convert::Infallible, iter};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, StreamBody};
use tokio::time::sleep;

use super::*;

const IDLE: Duration = Duration::from_secs(30);

/// A body of `count` frames of `size` bytes, one each `pause`.
fn drip(count: usize, size: usize, pause: Duration) -> PacedBody<impl Body<Data = Bytes, Error = Infallible>> {
    let frames = futures_util::stream::unfold(0, move |sent| async move {
        sleep(pause).await;
        (sent < count).then(|| (Ok(Frame::data(Bytes::from(vec![0; size]))), sent + 1))
    });
    PacedBody::new(StreamBody::new(frames), IDLE)
}

/// How much came, when it ended, and whether well.
async fn read(body: PacedBody<impl Body<Data = Bytes, Error = Infallible>>) -> (usize, Duration, bool) {
    let mut body = std::pin::pin!(body);
    let (started, mut bytes) = (Instant::now(), 0);
    loop {
        match body.frame().await {
            Some(Ok(frame)) => bytes += frame.into_data().unwrap().len(),
            Some(Err(error)) => {
                assert!(error.is::<TooSlow>());
                assert!(body.is_end_stream() && body.frame().await.is_none(), "broken off for good");
                return (bytes, started.elapsed(), false);
            }
            None => return (bytes, started.elapsed(), true),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_byte_a_second_is_too_slow() {
    let (bytes, time, well) = read(drip(1000, 1, Duration::from_secs(1))).await;
    assert!(bytes <= 30);
    assert_eq!((time.as_secs(), well), (30, false));
}

#[tokio::test(start_paused = true)]
async fn a_slow_line_may_take_an_hour() {
    let (bytes, time, well) = read(drip(3600, 2048, Duration::from_secs(1))).await;
    assert_eq!((bytes, time.as_secs(), well), (3600 * 2048, 3601, true));
}

#[tokio::test(start_paused = true)]
async fn what_came_fast_buys_no_long_silence() {
    let fast = iter::once(Ok::<_, Infallible>(Frame::data(Bytes::from(vec![0; 10 << 20]))));
    let silent = futures_util::StreamExt::chain(futures_util::stream::iter(fast), futures_util::stream::pending());
    let (bytes, time, well) = read(PacedBody::new(StreamBody::new(silent), IDLE)).await;
    assert_eq!((bytes, time, well), (10 << 20, IDLE, false));
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_is_not_held_against_the_sender() {
    let mut body = PacedBody::new(Full::new(Bytes::from_static(b"all at once")), IDLE);
    sleep(10 * IDLE).await;
    assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "all at once");
}
