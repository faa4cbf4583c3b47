//! The mistake that this engine exists for, beside its cure: downloads of one file under a limit, with the permit given
//! back when the headers are ready (`headers`), or held to the last byte of the body (`body`).
//!
//! `limited_downloads headers|body LIMIT FILE` serves the file on a free port of this machine and prints the address. How
//! many times it has the file open can be seen from outside; `end2end/load` does. Never a part of the program itself.

use std::{convert::Infallible, error::Error, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use axum::{body::Body, response::IntoResponse as _};
use engine::admission::{Class, ConnectionLimits, MediaAdmissionLayer, Slots, SlotsConfig, Ticket, serve};
use http::{Request, Response, StatusCode, request::Parts};
use tokio::{fs::File, net::TcpListener, sync::Semaphore};
use tokio_util::io::ReaderStream;
use tower::{Layer as _, service_fn};

const LIMITS: ConnectionLimits = ConnectionLimits {
    connections: 64,
    write_idle: Duration::from_secs(15),
    idle: Duration::from_secs(30),
    body_idle: Duration::from_secs(30),
    drain: Duration::from_secs(1),
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [held_until, limit, file] = words.as_slice() else {
        return Err("usage: limited_downloads headers|body LIMIT FILE".into());
    };
    let (limit, file) = (limit.parse()?, PathBuf::from(file));
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    println!("http://{}", listener.local_addr()?);
    let never = std::future::pending();
    if held_until == "body" {
        // A light ticket: of two slots, originals might hold only one.
        let slots = Slots::new(SlotsConfig { slots: limit, queue: 64, wait: Duration::from_secs(60) });
        let ticket = |_: &Parts| Some(Ticket { class: Class::Light, party: 0 });
        let admission = MediaAdmissionLayer::new(slots, ticket, |_| StatusCode::SERVICE_UNAVAILABLE.into_response());
        let service = admission.layer(service_fn(move |_: Request<_>| download(file.clone())));
        serve(listener, service, LIMITS, never).await?;
    } else {
        // What a limit of concurrent requests does when it is put around a handler.
        let permits = Arc::new(Semaphore::new(limit));
        let service = service_fn(move |_: Request<_>| {
            let (permits, file) = (permits.clone(), file.clone());
            async move {
                let _permit = permits.acquire_owned().await;
                download(file).await
            }
        });
        serve(listener, service, LIMITS, never).await?;
    }
    Ok(())
}

async fn download(file: PathBuf) -> Result<Response<Body>, Infallible> {
    Ok(match File::open(&file).await {
        Ok(file) => Body::from_stream(ReaderStream::with_capacity(file, 64 << 10)).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    })
}
