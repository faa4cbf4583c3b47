use std::{convert::Infallible, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use http_body_util::{BodyExt, Full, StreamBody};

use super::*;
use crate::admission::{Class, Slots, SlotsConfig, Ticket};

fn one_slot() -> Slots {
    Slots::new(SlotsConfig { slots: 1, queue: 0, wait: Duration::ZERO })
}

async fn hold<B: Body>(slots: &Slots, body: B) -> HeldBody<B> {
    HeldBody::new(body, slots.acquire(Ticket { class: Class::Light, party: 0 }).await.unwrap())
}

#[tokio::test]
async fn the_slot_goes_with_the_last_frame_of_a_body_that_knows_its_end() {
    let slots = one_slot();
    let mut body = hold(&slots, Full::new(Bytes::from_static(b"picture"))).await;
    assert_eq!((slots.snapshot().in_use, body.size_hint().exact(), body.is_end_stream()), (1, Some(7), false));

    let frame = body.frame().await.unwrap().unwrap();
    assert_eq!(frame.into_data().unwrap(), "picture");
    assert_eq!((slots.snapshot().in_use, body.is_end_stream()), (0, true));
}

#[tokio::test]
async fn trailers_pass_and_the_slot_stays_until_the_stream_says_that_it_is_over() {
    let slots = one_slot();
    let trailers = HeaderMap::from_iter([(http::header::ETAG, HeaderValue::from_static("\"a\""))]);
    let frames =
        [Ok::<_, Infallible>(Frame::data(Bytes::from_static(b"picture"))), Ok(Frame::trailers(trailers.clone()))];
    let mut body = hold(&slots, StreamBody::new(futures_util::stream::iter(frames))).await;

    assert!(body.frame().await.unwrap().unwrap().is_data());
    assert_eq!(body.frame().await.unwrap().unwrap().into_trailers().unwrap(), trailers);
    assert_eq!(slots.snapshot().in_use, 1);
    assert!(body.frame().await.is_none());
    assert_eq!(slots.snapshot().in_use, 0);
}

#[tokio::test]
async fn a_body_that_breaks_gives_its_slot_back() {
    let slots = one_slot();
    let frames = [Err::<Frame<Bytes>, _>("disk")];
    let mut body = hold(&slots, StreamBody::new(futures_util::stream::iter(frames))).await;
    assert_eq!(body.frame().await.unwrap().unwrap_err(), "disk");
    assert_eq!(slots.snapshot().in_use, 0);
}
