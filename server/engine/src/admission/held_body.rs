//! A response body that owns a slot.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::slots::SlotPermit;

pin_project! {
    /// Passes a body on unchanged and gives its slot back with the last frame, with an error, or when it is dropped.
    ///
    /// A transport that knows the length never polls a finished body again, so the slot goes as soon as the inner body
    /// says that it is at its end, not only when it answers `None`.
    #[derive(Debug)]
    pub struct HeldBody<B> {
        #[pin]
        inner: B,
        permit: Option<SlotPermit>,
    }
}

impl<B: Body> HeldBody<B> {
    /// Keeps `permit` until `inner` has ended; a body that has ended already gives it back at once.
    pub fn new(inner: B, permit: SlotPermit) -> Self {
        let permit = (!inner.is_end_stream()).then_some(permit);
        Self { inner, permit }
    }

    /// A body that holds nothing.
    pub fn free(inner: B) -> Self {
        Self { inner, permit: None }
    }
}

impl<B: Body> Body for HeldBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let mut this = self.project();
        let frame = ready!(this.inner.as_mut().poll_frame(cx));
        if !matches!(frame, Some(Ok(_))) || this.inner.is_end_stream() {
            this.permit.take();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests;
