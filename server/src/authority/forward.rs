//! An authority elsewhere, asked over HTTP in the forward-auth convention: 2xx allows, 401 and 403 refuse.
//!
//! Every decision is one exchange. Never more exchanges at once than there are connections, all callers together, and
//! each counts until its answer is read. A caller's own cookies and credentials go on that caller's question alone: the
//! client has no cookie jar and no default headers. What does not answer, or not in time, refuses; nothing is remembered.

mod breaker;
mod question;

use std::time::Duration;

use app::studio::Caller;
use async_trait::async_trait;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::{HeaderMap, StatusCode};
use reqwest::{Client, Response, Url, redirect::Policy};
use tokio::sync::{Semaphore, SemaphorePermit};

use self::{breaker::Breaker, question::headers};
use super::{Action, Authority, Denial, Principal};
use crate::store::{Place, Scope, Store};

/// The longest that one exchange may take, from asking for a connection to the last byte of the answer.
const DEADLINE: Duration = Duration::from_secs(5);
/// What of an answer's body is read. Nothing in it is used: it is read so that its connection can be used again.
const BODY: usize = 64 << 10;
/// The groups, as `Remote-Groups` names them, whose members may do everything.
const ADMINS: [&str; 2] = ["admin", "admins"];

/// Decides by asking an address.
#[derive(Debug)]
pub(crate) struct Forward {
    client: Client,
    url: Url,
    connections: Semaphore,
    breaker: Breaker,
    store: Store,
}

/// Why the authority cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("the client for the authority cannot be set up: {0}")]
pub(crate) struct NoClient(#[from] reqwest::Error);

/// What the authority said.
enum Verdict {
    Allowed(Principal),
    Refused,
    SignedOut,
}

impl Forward {
    /// Asks `url`, over at most so many connections at once. The store tells which places there are to ask about.
    pub(crate) fn new(url: Url, connections: usize, store: Store) -> Result<Self, NoClient> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(DEADLINE)
            .pool_max_idle_per_host(connections)
            .user_agent(concat!("avatars/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, url, connections: Semaphore::new(connections), breaker: Breaker::default(), store })
    }

    async fn ask(&self, caller: &Caller, action: &str, place: Option<&Place>) -> Result<Verdict, Denial> {
        let pass = self.breaker.pass().map_err(|wait| Denial::Unavailable {
            reason: "it has not answered for a while".to_owned(),
            retry_after: wait,
        })?;
        let answer = tokio::time::timeout(DEADLINE, self.exchange(caller, action, place)).await;
        match answer.unwrap_or_else(|_| Err("it did not answer in time".to_owned())) {
            Ok(verdict) => {
                pass.succeeded();
                Ok(verdict)
            }
            Err(reason) => {
                pass.failed();
                tracing::warn!(request_id = caller.request_id, reason, "the authority did not answer");
                Err(Denial::Unavailable { reason, retry_after: Duration::from_secs(2) })
            }
        }
    }

    async fn exchange(&self, caller: &Caller, action: &str, place: Option<&Place>) -> Result<Verdict, String> {
        let _connection: SemaphorePermit = self.connections.acquire().await.map_err(|error| error.to_string())?;
        let headers = headers(caller, action, place);
        let asked = self.client.get(self.url.clone()).headers(headers).send().await;
        let mut answer = asked.map_err(|error| error.without_url().to_string())?;
        let verdict = verdict(&answer);
        drain(&mut answer).await.map_err(|error| error.without_url().to_string())?;
        verdict
    }

    /// The part of a family that the caller may do this in.
    async fn within(
        &self,
        caller: &Caller,
        action: Action,
        family: Place,
        subjects: Vec<Place>,
    ) -> Result<Vec<Place>, Denial> {
        if let Verdict::Allowed(_) = self.ask(caller, word(action), Some(&family)).await? {
            return Ok(vec![family]);
        }
        let asked = stream::iter(subjects).then(async |subject| {
            let verdict = self.ask(caller, word(action), Some(&subject)).await?;
            Ok::<_, Denial>(matches!(verdict, Verdict::Allowed(_)).then_some(subject))
        });
        asked.try_filter_map(async |allowed| Ok(allowed)).try_collect().await
    }
}

#[async_trait]
impl Authority for Forward {
    async fn identify(&self, caller: &Caller) -> Result<Principal, Denial> {
        self.ask(caller, "identify", None).await?.allowed()
    }

    async fn check(&self, caller: &Caller, action: Action, place: &Place) -> Result<Principal, Denial> {
        self.ask(caller, word(action), Some(place)).await?.allowed()
    }

    async fn scope(&self, caller: &Caller, action: Action) -> Result<(Principal, Scope), Denial> {
        let principal = self.identify(caller).await?;
        if principal.admin {
            return Ok((principal, Scope::All));
        }
        let families = self.store.families().await?;
        let places = stream::iter(families)
            .map(|(family, subjects)| self.within(caller, action, family, subjects))
            .buffered(self.connections.available_permits().max(1))
            .try_collect::<Vec<_>>()
            .await?;
        Ok((principal, Scope::Only(places.concat())))
    }

    /// Any answer will do: nobody asks, so it is hardly a yes.
    async fn probe(&self) -> Result<String, String> {
        let answer = self.client.get(self.url.clone()).send().await;
        answer.map(|answer| format!("answers ({})", answer.status())).map_err(|error| error.without_url().to_string())
    }
}

impl Verdict {
    fn allowed(self) -> Result<Principal, Denial> {
        match self {
            Self::Allowed(principal) => Ok(principal),
            Self::Refused => Err(Denial::Refused),
            Self::SignedOut => Err(Denial::SignedOut),
        }
    }
}

/// The word of an action in `X-Avatars-Action`.
fn word(action: Action) -> &'static str {
    match action {
        Action::View => "view",
        Action::Decide => "decide",
        Action::Manage => "manage",
    }
}

/// A redirect is how a forward-auth service leads to its sign-in: it is a refusal for want of a session.
fn verdict(answer: &Response) -> Result<Verdict, String> {
    match answer.status() {
        status if status.is_success() => Ok(Verdict::Allowed(principal(answer.headers()))),
        status if status == StatusCode::UNAUTHORIZED || status.is_redirection() => Ok(Verdict::SignedOut),
        StatusCode::FORBIDDEN => Ok(Verdict::Refused),
        other => Err(format!("it answered {other}")),
    }
}

fn principal(headers: &HeaderMap) -> Principal {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = match text("remote-user") {
        "" => "somebody",
        name => name,
    };
    let admin = text("remote-groups").split([',', ' ']).any(|group| ADMINS.contains(&group.trim()));
    Principal { account: None, name: name.to_owned(), admin, unnoted: false }
}

async fn drain(answer: &mut Response) -> reqwest::Result<()> {
    let mut read = 0;
    while let Some(piece) = answer.chunk().await? {
        read += piece.len();
        if read > BODY {
            break;
        }
    }
    Ok(())
}
