//! The two places at which a peer can be seen to take what it is offered: the socket, and the frames of a body.
//!
//! The socket alone would do for HTTP/1.1. In HTTP/2 a peer may close the window of one stream and keep the connection
//! lively with pings, so what counts there is whether the frames of each body move.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::activity::{Activity, Exchange, InTransit};

/// A socket that notes when it takes nothing of a write.
#[derive(Debug)]
pub(super) struct WatchedSocket {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl WatchedSocket {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self { stream, activity }
    }

    fn note(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending => self.activity.write_blocked(),
            Poll::Ready(_) => self.activity.write_progressed(),
        }
        written
    }
}

impl Drop for WatchedSocket {
    fn drop(&mut self) {
        if self.activity.is_blocked() {
            // What the peer would not take is thrown away. An orderly close would leave it in the kernel's memory.
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for WatchedSocket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for WatchedSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

pin_project! {
    /// A response's body that notes whose turn it is.
    #[derive(Debug)]
    pub(super) struct WatchedBody<B> {
        #[pin]
        inner: B,
        exchange: Exchange,
    }
}

impl<B> WatchedBody<B> {
    pub(super) fn new(inner: B, exchange: Exchange) -> Self {
        exchange.offer();
        Self { inner, exchange }
    }
}

impl<B: Body> Body for WatchedBody<B> {
    type Data = WatchedBuf<B::Data>;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Self::Data>, B::Error>>> {
        let this = self.project();
        let frame = this.inner.poll_frame(cx);
        if frame.is_pending() {
            this.exchange.work();
        }
        frame.map_ok(|frame| frame.map_data(|inner| WatchedBuf { inner, transit: this.exchange.hand_over() }))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The bytes of a frame on their way through the transport.
#[derive(Debug)]
pub(super) struct WatchedBuf<D> {
    inner: D,
    transit: InTransit,
}

impl<D: Buf> Buf for WatchedBuf<D> {
    fn remaining(&self) -> usize {
        self.inner.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.inner.chunk()
    }

    fn chunks_vectored<'a>(&'a self, dst: &mut [IoSlice<'a>]) -> usize {
        self.inner.chunks_vectored(dst)
    }

    fn advance(&mut self, count: usize) {
        self.inner.advance(count);
        self.transit.moved();
    }

    fn copy_to_bytes(&mut self, count: usize) -> Bytes {
        self.transit.moved();
        self.inner.copy_to_bytes(count)
    }
}
