//! What happens, as it happens: server-sent events of what the caller may see.

use std::convert::Infallible;

use app::{
    model::{AssetId, BatchId, Decided, HeldId, Refusal},
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
    intake::{Settled, Told},
    review::Event,
};

/// The data of a `decided` event.
#[derive(Serialize)]
struct Decisions {
    batch: BatchId,
    assets: Vec<Decided>,
}

/// The data of a `settled` event: a held file was scanned.
#[derive(Serialize)]
struct Scanned {
    batch: BatchId,
    held: HeldId,
    name: String,
    status: &'static str,
    id: Option<AssetId>,
    reason: Option<String>,
}

/// One listener.
struct Listener {
    state: AppState,
    caller: Caller,
    events: Receiver<Event>,
}

/// Listen: `decided` carries `{"batch", "assets"}`; `job` tells how far work such as fetching by address is, with
/// `{"job", "batch", "done", "total", "ended"}`; `settled` tells that a file which was held back has met its fate, with
/// `{"batch", "held", "name", "status", "id", "reason"}`; `missed` says that events were lost and what is shown must be
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
            let (action, place) = event.audience();
            match self.state.studio.may(&self.caller, action, place).await {
                Ok(true) => return message(event).ok(),
                Ok(false) => {}
                Err(Refusal::SignedOut) => return None,
                // What could not be authorized is not told, but that something was missed is.
                Err(_) => return Some(Message::default().event("missed").data("")),
            }
        }
    }
}

fn message(event: Event) -> Result<Message, axum::Error> {
    match event {
        Event::Decided { batch, assets, .. } => {
            Message::default().event("decided").json_data(Decisions { batch, assets })
        }
        Event::Job { progress, .. } => Message::default().event("job").json_data(progress),
        Event::Settled(Settled { id: held, batch, name, fate, .. }) => {
            let Told { name, status, id, reason, .. } = fate.told(name);
            Message::default().event("settled").json_data(Scanned { batch, held, name, status, id, reason })
        }
    }
}
