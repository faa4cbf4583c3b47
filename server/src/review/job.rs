//! A piece of work of which those who listen are told how far it is: often enough to be seen to move, and no oftener.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use app::model::BatchId;
use tokio::{sync::broadcast, time::Instant};
use uuid::Uuid;

use super::events::{Event, Progress};
use crate::store::Place;

/// Between two words about the same job: a listener is told of what others do as well.
const PAUSE: Duration = Duration::from_millis(250);

/// Work in hand. Dropping it tells that it has ended, however it ended.
#[derive(Debug)]
pub(crate) struct Job {
    events: broadcast::Sender<Event>,
    place: Place,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    progress: Progress,
    told: Instant,
}

impl Job {
    pub(super) fn begin(events: broadcast::Sender<Event>, batch: BatchId, place: Place, total: usize) -> Self {
        let progress = Progress { job: Uuid::now_v7(), batch, done: 0, total, ended: false };
        let job = Self { events, place, state: Mutex::new(State { progress, told: Instant::now() }) };
        job.tell(&mut job.lock());
        job
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let mut state = self.lock();
        state.progress.done += 1;
        if state.told.elapsed() >= PAUSE {
            self.tell(&mut state);
        }
    }

    fn tell(&self, state: &mut State) {
        state.told = Instant::now();
        let _listeners = self.events.send(Event::Job { place: self.place.clone(), progress: state.progress.clone() });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut state = self.lock();
        state.progress.ended = true;
        self.tell(&mut state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(listener: &mut broadcast::Receiver<Event>) -> Vec<(usize, usize, bool)> {
        let next = || match listener.try_recv() {
            Ok(Event::Job { progress: Progress { done, total, ended, .. }, .. }) => Some((done, total, ended)),
            _ => None,
        };
        std::iter::from_fn(next).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_tells_that_it_begins_moves_and_ends_and_does_not_chatter() {
        let (events, mut listener) = broadcast::channel(64);
        let place = "reed/ida".parse().unwrap();
        let job = Job::begin(events, BatchId(Uuid::nil()), place, 300);
        for _ in 0..100 {
            job.step();
        }
        assert_eq!(heard(&mut listener), [(0, 300, false)]);
        tokio::time::advance(PAUSE).await;
        job.step();
        job.step();
        assert_eq!(heard(&mut listener), [(101, 300, false)]);
        drop(job);
        assert_eq!(heard(&mut listener), [(102, 300, true)], "broken off");
    }
}
