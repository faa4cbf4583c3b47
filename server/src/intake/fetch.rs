//! Pictures by address: asked for over HTTP, and taken in as any other file.
//!
//! Whoever may import names the address, so it is not to be trusted: [`reach`] says where a request may go, and holds at
//! the address, on every redirect and when the connection is made. Nothing of a caller's goes along, and nothing is kept
//! between two requests.

mod error;
mod name;
mod reach;

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt as _, stream};
use http::{HeaderMap, StatusCode, header::CONTENT_LENGTH};
use reqwest::{Client, Response, Url, redirect::Policy};
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};

pub(crate) use self::reach::InsideHost;
use self::{error::FetchError, name::name, reach::Reach};
use super::{Fate, Incoming, Intake, Length, Target, Told};

/// Addresses that are fetched at once, all callers together.
pub(crate) const FETCHES: usize = 4;
/// Connections that one of them may hold at once: two kinds of address may be tried at the same time.
pub(crate) const CONNECTIONS_OF_A_FETCH: usize = 2;
/// The most addresses of one request.
pub(crate) const ADDRESSES: usize = 100;
/// The longest that one request may take; addresses that it has not come to by then are refused.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// The longest way to a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// The longest silence.
const SILENCE: Duration = Duration::from_secs(15);
/// The longest that one file may take.
const TOTAL: Duration = Duration::from_secs(2 * 60);
/// The longest wait for what a file is like.
const HEAD: Duration = Duration::from_secs(10);
const REDIRECTS: usize = 5;

/// Fetches; clones share its limits.
#[derive(Clone, Debug)]
pub(crate) struct Fetcher {
    client: Client,
    reach: Arc<Reach>,
    permits: Arc<Semaphore>,
}

/// Why nothing can be fetched at all.
#[derive(Debug, thiserror::Error)]
#[error("the client for fetching by address cannot be set up: {0}")]
pub(crate) struct NoClient(#[from] reqwest::Error);

impl Fetcher {
    /// `inside` are the hosts of one's own network that may be fetched from.
    pub(crate) fn new(inside: Vec<InsideHost>) -> Result<Self, NoClient> {
        let reach = Arc::new(Reach::new(inside));
        let on_redirect = reach.clone();
        let client = Client::builder()
            .redirect(Policy::custom(move |attempt| {
                if attempt.previous().len() > REDIRECTS {
                    return attempt.error(FetchError::Redirects);
                }
                match on_redirect.check(attempt.url()) {
                    Ok(()) => attempt.follow(),
                    Err(error) => attempt.error(error),
                }
            }))
            .dns_resolver(reach.clone())
            .no_proxy()
            .referer(false)
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .timeout(TOTAL)
            .pool_max_idle_per_host(0)
            .user_agent(concat!("avatars/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, reach, permits: Arc::new(Semaphore::new(FETCHES)) })
    }

    /// Takes in what is at each address; the lines in the order of the addresses. `done` is called after each.
    pub(crate) async fn fetch(
        &self,
        intake: &Intake,
        target: &Target,
        addresses: Vec<String>,
        done: impl Fn() + Sync,
    ) -> Vec<Told> {
        let deadline = Instant::now() + PATIENCE;
        let done = &done;
        let told = stream::iter(addresses).map(async |address| {
            let fetched = timeout_at(deadline, self.fetch_one(intake, target, &address)).await;
            let told = match fetched.unwrap_or(Err(FetchError::NoTime)) {
                Ok(told) => told,
                Err(error) => {
                    let name = address.parse().map_or(address, |url| name(&HeaderMap::new(), &url, &url));
                    vec![Fate::Refused { reason: error.to_string() }.told(name)]
                }
            };
            done();
            told
        });
        told.buffered(FETCHES).concat().await
    }

    async fn fetch_one(&self, intake: &Intake, target: &Target, address: &str) -> Result<Vec<Told>, FetchError> {
        let url: Url = address.parse().map_err(|_| FetchError::NotAnAddress)?;
        self.reach.check(&url)?;
        let (name, incoming) = {
            let _permit = self.permits.acquire().await.map_err(|_| FetchError::NoTime)?;
            self.receive(intake, &url).await?
        };
        intake.take_all(target, name, incoming, Arc::new(|_| {})).await.map_err(FetchError::from)
    }

    /// Asks how long it is, makes room for that, and only then asks for it.
    async fn receive(&self, intake: &Intake, url: &Url) -> Result<(String, Incoming), FetchError> {
        let length = match self.client.head(url.clone()).timeout(HEAD).send().await {
            Ok(head) => announced(&head),
            Err(error) => match FetchError::from(error) {
                // Some break the connection off when they are asked a question that they do not know.
                FetchError::Broken(_) => Length::UNKNOWN,
                error => return Err(error),
            },
        };
        let mut incoming = intake.open(length).await?;
        let mut answer = self.client.get(url.clone()).send().await?;
        // Only this says: here is all of it.
        if answer.status() != StatusCode::OK {
            return Err(FetchError::Answered(answer.status()));
        }
        let name = name(answer.headers(), url, answer.url());
        while let Some(piece) = answer.chunk().await? {
            incoming = incoming.write(&piece).await?;
        }
        Ok((name, incoming))
    }
}

/// How long the file is. Where the question itself is refused, or answered with nothing, nothing is known.
fn announced(head: &Response) -> Length {
    let length = head.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    match length {
        Some(length) if length > 0 && head.status().is_success() => Length::Said(length),
        _ => Length::UNKNOWN,
    }
}
