//! A request's body that must arrive at a human pace.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Buf;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep_until};

/// What a client must send on average, in bytes a second, once its allowance is used up.
const SLOWEST: u64 = 1024;

/// The client sent its body too slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request's body came too slowly")]
struct TooSlow;

pin_project! {
    /// Breaks off a body whose sender is silent for longer than `idle`, or drips: the time spent waiting for it may be
    /// `idle` in all, and a second more for each [`SLOWEST`] bytes that came.
    ///
    /// Only waiting counts. What the server takes to work on a frame is not held against the client.
    #[derive(Debug)]
    pub struct PacedBody<B> {
        #[pin]
        inner: B,
        idle: Duration,
        waited: Duration,
        received: u64,
        wait: Option<Wait>,
        broken: bool,
    }
}

#[derive(Debug)]
struct Wait {
    since: Instant,
    deadline: Pin<Box<Sleep>>,
}

impl<B> PacedBody<B> {
    pub(super) fn new(inner: B, idle: Duration) -> Self {
        Self { inner, idle, waited: Duration::ZERO, received: 0, wait: None, broken: false }
    }
}

impl<B> Body for PacedBody<B>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    type Data = B::Data;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, Self::Error>>> {
        let this = self.project();
        if *this.broken {
            return Poll::Ready(None);
        }
        if let Poll::Ready(frame) = this.inner.poll_frame(cx) {
            if let Some(wait) = this.wait.take() {
                *this.waited += wait.since.elapsed();
            }
            if let Some(data) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
                *this.received += data.remaining() as u64;
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let wait = this.wait.get_or_insert_with(|| {
            let since = Instant::now();
            let allowance = *this.idle + Duration::from_secs(*this.received / SLOWEST);
            let rest = allowance.saturating_sub(*this.waited).min(*this.idle);
            Wait { since, deadline: Box::pin(sleep_until(since + rest)) }
        });
        if wait.deadline.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        *this.broken = true;
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.broken || self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests;
