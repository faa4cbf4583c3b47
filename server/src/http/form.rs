//! A multipart form whose size is bounded part by part, and whose end is waited for even when it is refused.

use std::{
    error::Error,
    mem,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{
        FromRequest as _, Multipart, Request,
        multipart::{Field, MultipartError},
    },
};
use futures_util::StreamExt as _;
use http::{StatusCode, header::CONTENT_LENGTH};
use http_body::{Frame, SizeHint};

use super::problem::Problem;

/// What may come between two files, fields of text included. The parser holds it in memory, and so may be given the
/// beginning of the next file with it, a few hundred KiB at the most.
const BETWEEN_FILES: u64 = 2 << 20;
/// The longest text of a field, in bytes.
const TEXT: usize = 1 << 10;
/// How long a refused form is read on, so that its sender gets to see the answer.
const LINGER: Duration = Duration::from_secs(10);

/// A form that is being received.
pub(super) struct Form {
    parts: Multipart,
    source: Arc<Source>,
    length: Option<u64>,
}

/// The body that the parser reads, and the form may take away from it.
struct Source {
    body: Mutex<Body>,
    received: AtomicU64,
    /// How much may have been received by now.
    most: AtomicU64,
}

impl Form {
    /// Begins to receive a form; its first byte is read by [`Self::next`].
    pub(super) async fn open(request: Request) -> Result<Self, Problem> {
        let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let (head, body) = request.into_parts();
        let source = Arc::new(Source { body: Mutex::new(body), received: AtomicU64::new(0), most: AtomicU64::new(0) });
        let request = Request::from_parts(head, Body::new(Paced(source.clone())));
        let parts = Multipart::from_request(request, &()).await.map_err(|rejection| broken(&rejection.body_text()))?;
        Ok(Self { parts, source, length })
    }

    /// How long the whole form is, where it was said.
    pub(super) fn length(&self) -> Option<u64> {
        self.length
    }

    /// The next part.
    pub(super) async fn next(&mut self) -> Result<Option<Field<'_>>, Problem> {
        self.source.allow(BETWEEN_FILES);
        let part = self.parts.next_field().await.map_err(|error| unread(&error))?;
        if part.as_ref().is_some_and(|part| part.name() == Some("file")) {
            // Whoever reads the file bounds it.
            self.source.allow(u64::MAX);
        }
        Ok(part)
    }

    /// Reads on to the end and throws it away, for a while and behind the answer's back: a connection that is closed
    /// while its peer still sends is reset, and the answer lost with it.
    pub(super) fn linger(self) {
        let mut rest = mem::take(&mut *self.source.lock()).into_data_stream();
        drop(self);
        tokio::spawn(tokio::time::timeout(LINGER, async move { while let Some(Ok(_)) = rest.next().await {} }));
    }
}

/// The text of a short field.
pub(super) async fn text(mut field: Field<'_>) -> Result<String, Problem> {
    let mut text = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|error| unread(&error))? {
        text.extend_from_slice(&piece);
        if text.len() > TEXT {
            return Err(broken("a field other than `file` is too long"));
        }
    }
    String::from_utf8(text).map_err(|_| broken("a field is no text"))
}

pub(super) fn unread(error: &MultipartError) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail = "All files of one request together are more than it may carry: send fewer at a time.";
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Too large", detail);
    }
    // The outer ones say only that reading failed.
    let mut root: &dyn Error = error;
    while let Some(source) = root.source() {
        root = source;
    }
    broken(&root.to_string())
}

pub(super) fn broken(reason: &str) -> Problem {
    Problem::invalid(format!("This upload cannot be read: {reason}."))
}

impl Source {
    /// Lets so many more bytes come.
    fn allow(&self, bytes: u64) {
        self.most.store(self.received.load(Ordering::Relaxed).saturating_add(bytes), Ordering::Relaxed);
    }

    fn take(&self, bytes: u64) -> Result<(), axum::Error> {
        let received = self.received.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if received > self.most.load(Ordering::Relaxed) {
            return Err(axum::Error::new("there is too much between two files"));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Body> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body as the parser sees it.
struct Paced(Arc<Source>);

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut *self.0.lock()).poll_frame(context));
        let Some(Ok(frame)) = frame else { return Poll::Ready(frame) };
        let data = frame.data_ref().map_or(0, |data| data.len() as u64);
        Poll::Ready(Some(self.0.take(data).map(|()| frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().size_hint()
    }
}
