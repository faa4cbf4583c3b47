//! Renditions on demand: from the cache's file, or rendered once for all who ask at the same time.
//!
//! Rendering happens on a thread that owns its render permit and its share of the byte budget; both go back when
//! its work ends, however it ends. Nobody's leaving takes a rendition from those who stay.

mod background;
mod cache;
mod error;
mod estimates;
mod failing;
mod flights;
mod prepared;

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use tokio::sync::Semaphore;

pub(super) use self::prepared::Prepared;
use self::{
    background::Background,
    cache::Cache,
    estimates::Estimates,
    failing::Failures,
    flights::{Flights, Landing},
};
use super::{Limits, Recipe, recipe::Fit, render};
use crate::{
    admission::ByteBudget,
    video::{NoTools, VideoLimits, Videos},
};

pub use self::{
    cache::{Collected, Evicted, Freed, GRACE, Wanted, collect},
    error::RenderError,
    estimates::Spread,
    failing::Failing,
};

/// The SHA-256 of an original, as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sha256Hex(String);

/// A text that is no SHA-256 in lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a SHA-256 of 64 lower-case hexadecimal digits")]
pub struct NotASha256(String);

impl FromStr for Sha256Hex {
    type Err = NotASha256;
    fn from_str(text: &str) -> Result<Self, NotASha256> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() == 64 && digits { Ok(Self(text.to_owned())) } else { Err(NotASha256(text.to_owned())) }
    }
}

impl From<crate::originals::Sha256> for Sha256Hex {
    fn from(sha256: crate::originals::Sha256) -> Self {
        Self(sha256.to_string())
    }
}

impl Sha256Hex {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An original: its hash, and where its bytes are.
#[derive(Clone, Debug)]
pub struct Source {
    pub sha256: Sha256Hex,
    pub path: PathBuf,
}

/// A rendition ready to be sent.
#[derive(Debug)]
pub enum Rendition {
    /// Rendered just now, or small: no descriptor is held while it is sent.
    Memory(Bytes),
    /// A file of the cache, open at its beginning.
    File { file: File, bytes: u64 },
}

impl Rendition {
    /// How many bytes will be sent.
    pub fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { bytes, .. } => *bytes,
        }
    }
}

/// All renditions of all originals. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Renditions {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    cache: Cache,
    flights: Flights,
    failures: Failures,
    limits: Limits,
    permits: Arc<Semaphore>,
    background: Background,
    budget: ByteBudget,
    videos: Videos,
    rendered: AtomicU64,
    estimates: Estimates,
}

impl Renditions {
    /// Opens the cache folder, creates it where it is missing and sweeps away what a crash left half-written.
    /// `renders` is how many may decode and encode at once: about the number of cores. Of videos nothing is read.
    pub fn open(folder: PathBuf, limits: Limits, renders: usize, budget: ByteBudget) -> io::Result<Self> {
        let videos = Videos::new(Err(NoTools::Missing("ffmpeg")), VideoLimits::default());
        Self::open_with_videos(folder, limits, renders, budget, videos)
    }

    /// As [`Self::open`], with somebody who reads videos.
    pub fn open_with_videos(
        folder: PathBuf,
        limits: Limits,
        renders: usize,
        budget: ByteBudget,
        videos: Videos,
    ) -> io::Result<Self> {
        let cache = Cache::open(folder, limits.cache)?;
        let renders = renders.max(1);
        let shared = Shared {
            cache,
            flights: Flights::default(),
            failures: Failures::default(),
            limits,
            permits: Arc::new(Semaphore::new(renders)),
            background: Background::new(renders)?,
            budget,
            videos,
            rendered: AtomicU64::new(0),
            estimates: Estimates::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The rendition of an original. Where it has to be rendered, all who ask meanwhile get the same one.
    pub async fn get(&self, source: &Source, recipe: &Recipe) -> Result<Rendition, RenderError> {
        let key = Key { sha256: source.sha256.clone(), recipe: recipe.clone() };
        if let Some(rendition) = self.shared.cached(&key).await? {
            return Ok(rendition);
        }
        if let Some(error) = self.shared.failures.of(&key) {
            return Err(error);
        }
        let landing = self.shared.flights.join(key, |key, departure| {
            let (shared, path) = (self.shared.clone(), source.path.clone());
            tokio::spawn(async move {
                // Everybody may leave while the render waits for its turn; then nobody needs it. Once it has begun it
                // goes on to the end: the next to ask would begin it again.
                let prepared = tokio::select! {
                    biased;
                    () = departure.deserted() => return,
                    prepared = shared.prepare(&path, key.recipe.fit) => prepared,
                };
                let outcome = match prepared {
                    Ok(prepared) => shared.render(&key, prepared).await,
                    Err(error) => Err(error),
                };
                if let Err(error) = &outcome {
                    shared.failures.note(&key, error);
                }
                departure.land(outcome);
            });
        });
        match landing.outcome().await {
            Some(outcome) => outcome.map(Rendition::Memory),
            None => Err(RenderError::Interrupted),
        }
    }

    pub(super) async fn prepare(&self, path: &Path, fit: Fit) -> Result<Prepared, RenderError> {
        self.shared.prepare(path, fit).await
    }

    /// Runs `work` on a thread that renders; it owns what [`Self::prepare`] gave.
    pub(super) async fn in_background<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RenderError> {
        self.shared.background.run(work).await
    }

    pub(super) fn store(&self, sha256: &Sha256Hex, recipe: &Recipe, encoded: &[u8]) {
        self.shared.cache.write(&Key { sha256: sha256.clone(), recipe: recipe.clone() }, encoded);
    }

    /// The originals that could not be rendered lately, with the reasons.
    pub fn failing(&self) -> Vec<Failing> {
        self.shared.failures.list()
    }

    /// Forgets that an original could not be rendered: whoever asks next has it tried again. Whether it was remembered.
    pub fn forget(&self, sha256: &Sha256Hex) -> bool {
        self.shared.failures.forget(sha256)
    }

    /// Removes the renditions that were not asked for longest, until all together are within their bound, or within
    /// `bound` bytes where one is given.
    pub async fn tidy(&self, bound: Option<u64>) -> io::Result<Evicted> {
        let shared = self.shared.clone();
        let evict = move || shared.cache.evict(bound.unwrap_or(shared.limits.cache));
        tokio::task::spawn_blocking(evict).await.map_err(io::Error::other)?
    }

    /// Renders in flight: none when nobody waits.
    pub fn in_flight(&self) -> usize {
        self.shared.flights.len()
    }

    /// Renditions made since the start.
    pub fn rendered(&self) -> u64 {
        self.shared.rendered.load(Ordering::Relaxed)
    }

    /// How much memory the decodes since the start were expected to take.
    pub fn estimates(&self) -> Spread {
        self.shared.estimates.spread()
    }

    #[cfg(test)]
    fn seats(&self) -> usize {
        self.shared.flights.seats()
    }
}

/// What one rendition is made of, and where it lies in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    sha256: Sha256Hex,
    recipe: Recipe,
}

impl Shared {
    async fn cached(self: &Arc<Self>, key: &Key) -> Result<Option<Rendition>, RenderError> {
        if let Some(rendition) = self.cache.at_hand(key) {
            return Ok(Some(rendition));
        }
        let (shared, key) = (self.clone(), key.clone());
        blocking(move || shared.cache.read(&key)).await
    }

    /// Renders and stores. At the deadline only the waiting ends: the task cannot be stopped, and keeps its permit and its
    /// bytes to its end.
    async fn render(self: &Arc<Self>, key: &Key, prepared: Prepared) -> Landing {
        let (shared, key) = (self.clone(), key.clone());
        let work = self.background.run(move || {
            // Another process, or a flight that ended between the look and the departure, may have been faster.
            if let Some(Rendition::Memory(bytes)) = shared.cache.read(&key) {
                return Ok(bytes);
            }
            let encoded = render::render(prepared.decode()?, &key.recipe)?;
            shared.rendered.fetch_add(1, Ordering::Relaxed);
            shared.cache.write(&key, &encoded);
            Ok(Bytes::from(encoded))
        });
        let deadline = self.limits.deadline;
        tokio::time::timeout(deadline, work).await.unwrap_or(Err(RenderError::TooSlow(deadline)))?
    }
}

/// Runs `work` where blocking is allowed. A panic in it comes back as an error; what it owned is dropped.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, RenderError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        if error.is_panic() {
            tracing::error!(%error, "rendering panicked");
            RenderError::Panicked
        } else {
            RenderError::Interrupted
        }
    })
}

#[cfg(test)]
mod tests;
