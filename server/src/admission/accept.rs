//! The door: accepts sockets, serves them, and closes them in an orderly way.
//!
//! There are never more connections than the limit says: the right to one is taken *before* a socket is accepted, so that
//! whoever is one too many waits in the kernel's backlog and costs no descriptor here. An accept that fails for want of
//! descriptors or memory is tried again after a pause; it must never end the loop.

use std::{convert::Infallible, error::Error, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::extract::ConnectInfo;
use bytes::Buf;
use http::{Request, Response};
use http_body::Body;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{Instant, sleep, timeout_at},
};
use tower::{Service, ServiceExt};

/// The pause after an accept that failed for want of descriptors: some are given back at any moment.
const PAUSE: Duration = Duration::from_millis(50);

/// What connections may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// Connections open at once.
    pub(crate) connections: usize,
    /// The longest time from the first byte of a request's head to its last, and between two requests.
    pub(crate) header_read: Duration,
    /// How long bodies in flight may take to finish once the shutdown has begun.
    pub(crate) drain: Duration,
}

/// How serving came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drained {
    /// Connections that had to be cut because they did not finish in time.
    pub(crate) cut: usize,
}

/// Serves `service` on `listener`, in HTTP/1.1 and HTTP/2, until `shutdown`; then finishes what is in flight.
///
/// Each request carries the peer's address as an [`ConnectInfo<SocketAddr>`] extension.
///
/// # Errors
/// Only if the listener itself is broken.
pub(crate) async fn serve<S, B>(
    listener: TcpListener,
    service: S,
    limits: ConnectionLimits,
    shutdown: impl Future<Output = ()>,
) -> io::Result<Drained>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data: Buf + Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(limits.connections));
    let (stop, stopping) = watch::channel(());
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer, place) = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = accept(&listener, &places) => accepted?,
        };
        tokio::spawn(connection(stream, peer, place, service.clone(), limits, stopping.clone()));
    }
    // The kernel refuses newcomers from here on.
    drop(listener);
    stop.send_replace(());
    drop(stopping);
    let finished = timeout_at(Instant::now() + limits.drain, stop.closed()).await;
    let cut = if finished.is_ok() { 0 } else { limits.connections - places.available_permits() };
    Ok(Drained { cut })
}

/// The next socket, and the right to have it open.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return Ok((stream, peer, place)),
            Err(error) => match error.kind() {
                // The client had gone before it was accepted.
                io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset => {}
                io::ErrorKind::InvalidInput => return Err(error),
                _ => {
                    tracing::warn!(%error, "cannot accept a connection; trying again");
                    sleep(PAUSE).await;
                }
            },
        }
    }
}

async fn connection<S, B>(
    stream: TcpStream,
    peer: SocketAddr,
    place: OwnedSemaphorePermit,
    service: S,
    limits: ConnectionLimits,
    mut stopping: watch::Receiver<()>,
) where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data: Buf + Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
{
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        service.clone().oneshot(request)
    });
    // Small answers leave at once; a failure here costs milliseconds, not the connection.
    let _ = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.header_read);
    builder.http2().timer(TokioTimer::new());
    let mut connection = pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), service));
    let result = tokio::select! {
        result = connection.as_mut() => result,
        _ = stopping.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%peer, error, "connection ended");
    }
    drop(place);
}
