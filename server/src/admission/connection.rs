//! One connection, from its accepted socket to its end, and the limits that keep a peer from owning more than a socket.
//!
//! * **Write idle.** A timer inside of a response's body cannot notice a peer that stops reading: hyper does not poll a body
//!   while the socket, or in HTTP/2 the stream's window, is full. So the socket and the frames of each body report to an
//!   [`Activity`], and a watch beside the connection ends it when something offered was not taken for the limit. Ending it
//!   drops its bodies, and with them slots and files.
//! * **Idle.** A connection without a request in flight ends after a while: one that never sends its first byte, one
//!   that drips a head, one that is kept alive for nothing.
//! * **Slow uploads.** A request's body must come at some pace ([`PacedBody`]).
//!
//! Whatever a peer does within these limits, it holds a place among the connections and some twenty kilobytes.

use std::{convert::Infallible, error::Error, net::SocketAddr, pin::pin, time::Duration};

use axum::extract::ConnectInfo;
use bytes::Buf;
use http::{Request, Response};
use http_body::Body;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{net::TcpStream, select, sync::watch};
use tower::{Service, ServiceExt};

use self::{
    activity::{Activity, Limits, Verdict},
    watched::{WatchedBody, WatchedSocket},
};
use super::accept::{ConnectionLimits, Phase};

mod activity;
mod paced_body;
mod watched;

pub(super) use paced_body::PacedBody;

/// What a peer has to answer an orderly goodbye.
const GOODBYE: Duration = Duration::from_secs(1);
/// The most that HTTP/1.1 buffers for a connection, of a head that comes in and of a body that goes out.
const BUFFER: usize = 64 * 1024;
/// Requests that one HTTP/2 connection may have in flight.
const STREAMS: u32 = 128;

/// Serves one connection until it ends, is ended by a limit, or is told to.
pub(super) async fn serve_connection<S, B>(
    stream: TcpStream,
    peer: SocketAddr,
    service: S,
    limits: ConnectionLimits,
    mut phase: watch::Receiver<Phase>,
) where
    S: Service<Request<PacedBody<Incoming>>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Body<Data: Buf + Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
{
    // Small answers leave at once; a failure here costs milliseconds, not the connection.
    let _ = stream.set_nodelay(true);
    let activity = Activity::new(Limits { write_idle: limits.write_idle, idle: limits.idle });
    let socket = TokioIo::new(WatchedSocket::new(stream, activity.clone()));
    let exchanges = activity.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let exchange = exchanges.begin();
        let response = service.clone().oneshot(request.map(|body| PacedBody::new(body, limits.body_idle)));
        async move { response.await.map(|response| response.map(|body| WatchedBody::new(body, exchange))) }
    });
    let builder = builder(&limits);
    let mut connection = pin!(builder.serve_connection_with_upgrades(socket, service));
    let mut leaving = false;
    loop {
        select! {
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%peer, error, "the connection broke");
                }
                return;
            }
            verdict = activity.verdict() => match verdict {
                Verdict::Stalled => {
                    tracing::debug!(%peer, "closed: the peer takes nothing");
                    return;
                }
                Verdict::Idle if leaving => return,
                Verdict::Idle => {
                    connection.as_mut().graceful_shutdown();
                    activity.restart_idle(GOODBYE);
                    leaving = true;
                }
            },
            changed = phase.changed() => {
                if changed.is_err() || *phase.borrow() == Phase::Cut {
                    return;
                }
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

fn builder(limits: &ConnectionLimits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().max_buf_size(BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        // A peer that has vanished without a word does not answer.
        .keep_alive_interval(limits.idle)
        .max_send_buf_size(BUFFER)
        .max_concurrent_streams(STREAMS);
    builder
}

#[cfg(test)]
mod tests;
