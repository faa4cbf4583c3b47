//! The door: accepts sockets, and closes in an orderly way.
//!
//! There are never more connections than the limit says: the right to one is taken *before* a socket is accepted, so that
//! whoever is one too many waits in the kernel's backlog and costs no descriptor here. An accept that fails for want of
//! descriptors or memory is tried again after a pause; it must never end the loop.

use std::{convert::Infallible, error::Error, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use bytes::Buf;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{sleep, timeout},
};
use tower::Service;

use super::connection::{PacedBody, serve_connection};

/// The first pause after an accept that failed, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_secs(1));

/// What connections may take.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Connections open at once.
    pub connections: usize,
    /// A connection that takes no byte of a pending response for so long is closed.
    pub write_idle: Duration,
    /// The longest time without a request in flight, and so the longest that a request's head may take to arrive.
    pub idle: Duration,
    /// The longest silence within a request's body.
    pub body_idle: Duration,
    /// How long bodies in flight may take to finish once the shutdown has begun.
    pub drain: Duration,
}

/// How serving came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Connections that had to be cut because they did not finish in time.
    pub cut: usize,
}

/// What all connections are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Serving,
    /// Finish what is in flight, then end.
    Draining,
    /// End now.
    Cut,
}

/// Serves `service` on `listener`, in HTTP/1.1 and HTTP/2, until `shutdown`; then finishes what is in flight.
///
/// Each request carries the peer's address as a [`ConnectInfo<SocketAddr>`](axum::extract::ConnectInfo) extension.
/// Dropping the future cuts every connection.
///
/// # Errors
/// Only if the listener itself is broken.
pub async fn serve<S, B>(
    listener: TcpListener,
    service: S,
    limits: ConnectionLimits,
    shutdown: impl Future<Output = ()>,
) -> io::Result<Drained>
where
    S: Service<Request<PacedBody<Incoming>>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data: Buf + Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(limits.connections));
    let (phase, told) = watch::channel(Phase::Serving);
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer, place) = select! {
            biased;
            () = &mut shutdown => break,
            accepted = accept(&listener, &places) => accepted?,
        };
        let connection = serve_connection(stream, peer, service.clone(), limits, told.clone());
        tokio::spawn(async move {
            connection.await;
            drop(place);
        });
    }
    // From here on the kernel refuses newcomers.
    drop((listener, told));
    phase.send_replace(Phase::Draining);
    if timeout(limits.drain, phase.closed()).await.is_ok() {
        return Ok(Drained { cut: 0 });
    }
    let cut = limits.connections - places.available_permits();
    phase.send_replace(Phase::Cut);
    phase.closed().await;
    Ok(Drained { cut })
}

/// The next socket, and the right to have it open.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
    let mut pause = PAUSES.0;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return Ok((stream, peer, place)),
            Err(error) => match error.kind() {
                // The client had gone before it was accepted.
                io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset => {}
                io::ErrorKind::InvalidInput => return Err(error),
                _ => {
                    tracing::warn!(%error, "cannot accept a connection; trying again");
                    sleep(pause).await;
                    pause = PAUSES.1.min(pause * 2);
                }
            },
        }
    }
}
