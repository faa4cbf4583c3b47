//! Originals that could not be rendered, remembered for a while: asking again would only cost the same work again.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use tokio::time::Instant;

use super::{Key, RenderError, Sha256Hex};

/// How long a failure is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);
/// How many are remembered at once; the oldest are forgotten first.
const MOST: usize = 1024;

/// An original that cannot be rendered, for admins to look at.
#[derive(Clone, Debug)]
pub struct Failing {
    /// Of the original, as 64 hexadecimal digits.
    pub sha256: String,
    pub recipe: String,
    pub reason: String,
    pub since: SystemTime,
}

/// The failures that are remembered.
#[derive(Debug, Default)]
pub(super) struct Failures {
    entries: Mutex<HashMap<Key, Failure>>,
}

#[derive(Debug)]
struct Failure {
    error: RenderError,
    at: Instant,
    since: SystemTime,
}

impl Failures {
    /// Why the last render of this failed, if that is still remembered.
    pub(super) fn of(&self, key: &Key) -> Option<RenderError> {
        let mut entries = self.lock();
        let failure = entries.get(key)?;
        if failure.at.elapsed() < REMEMBERED {
            return Some(failure.error.clone());
        }
        entries.remove(key);
        None
    }

    /// Remembers a failure, if it is one that asking again cannot mend.
    pub(super) fn note(&self, key: &Key, error: &RenderError) {
        if !error.lasting() {
            return;
        }
        let mut entries = self.lock();
        if entries.len() >= MOST
            && let Some(oldest) = entries.iter().min_by_key(|(_, failure)| failure.at).map(|(key, _)| key.clone())
        {
            entries.remove(&oldest);
        }
        let failure = Failure { error: error.clone(), at: Instant::now(), since: SystemTime::now() };
        entries.insert(key.clone(), failure);
    }

    /// All that is remembered, the newest first.
    pub(super) fn list(&self) -> Vec<Failing> {
        let mut entries = self.lock();
        entries.retain(|_, failure| failure.at.elapsed() < REMEMBERED);
        let failing = |(key, failure): (&Key, &Failure)| Failing {
            sha256: key.sha256.as_str().to_owned(),
            recipe: key.recipe.name().to_owned(),
            reason: failure.error.to_string(),
            since: failure.since,
        };
        let mut list: Vec<Failing> = entries.iter().map(failing).collect();
        list.sort_by_key(|failing| std::cmp::Reverse(failing.since));
        list
    }

    /// Forgets all failures of an original; whether there were any.
    pub(super) fn forget(&self, sha256: &Sha256Hex) -> bool {
        let mut entries = self.lock();
        let before = entries.len();
        entries.retain(|key, _| key.sha256 != *sha256);
        entries.len() < before
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Failure>> {
        // Nothing panics while it is held, and a map is whole after every call.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
