//! What happens, as it happens: server-sent events of what the caller may see.

use std::convert::Infallible;

use app::{
    model::{BatchId, Decided, Refusal},
    studio::Caller,
};
use axum::{
    extract::State,
    response::sse::{Event as Message, KeepAlive, Sse},
};
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{
    http::{problem::Problem, request::Asker, state::AppState},
    review::Event,
    store::Place,
};

/// The data of a `decided` event.
#[derive(Serialize)]
struct Decisions {
    batch: BatchId,
    assets: Vec<Decided>,
}

/// One listener.
struct Listener {
    state: AppState,
    caller: Caller,
    events: Receiver<Event>,
}

/// Listen: `decided` carries `{"batch", "assets"}`; `job` tells of work such as fetching by address,
/// `{"job", "batch", "done", "total", "ended"}`; `missed` says that events were lost and what is shown must be
/// asked for again. The stream ends with the session, and with the server.
#[utoipa::path(get, path = "/api/events", tag = "events", responses(
    (status = 200, description = "text/event-stream"), (status = 401, description = "Not signed in")))]
pub(crate) async fn stream_events(
    State(state): State<AppState>,
    Asker(caller): Asker,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    state.studio.principal(&caller).await?;
    let ending = state.ending.clone().cancelled_owned();
    let listener = Listener { events: state.studio.events(), state, caller };
    let messages = stream::unfold(listener, async |mut listener| {
        let message = listener.next().await?;
        Some((Ok(message), listener))
    });
    Ok(Sse::new(futures_util::StreamExt::take_until(messages, ending)).keep_alive(KeepAlive::default()))
}

impl Listener {
    /// The next message for this caller; none when the session has ended. Each event is authorized by itself.
    async fn next(&mut self) -> Option<Message> {
        loop {
            let event = match self.events.recv().await {
                Ok(event) => event,
                Err(RecvError::Lagged(_)) => return Some(Message::default().event("missed").data("")),
                Err(RecvError::Closed) => return None,
            };
            match self.state.studio.may_see(&self.caller, place(&event)).await {
                Ok(true) => return message(event).ok(),
                Ok(false) => {}
                Err(Refusal::SignedOut) => return None,
                // What could not be authorized is not told, but that something was missed is.
                Err(_) => return Some(Message::default().event("missed").data("")),
            }
        }
    }
}

fn place(event: &Event) -> &Place {
    match event {
        Event::Decided { place, .. } | Event::Job { place, .. } => place,
    }
}

fn message(event: Event) -> Result<Message, axum::Error> {
    match event {
        Event::Decided { batch, assets, .. } => {
            Message::default().event("decided").json_data(Decisions { batch, assets })
        }
        Event::Job { progress, .. } => Message::default().event("job").json_data(progress),
    }
}
