//! Single flight: one render for all who ask for the same rendition at the same time.
//!
//! The render belongs to nobody who waits: it runs in its own task and ends early only when all have left before it got
//! its turn. An entry lives as long as its render, whatever ends it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use tokio::sync::watch;

use super::{Key, RenderError};

/// How a flight ends.
pub(super) type Landing = Result<Bytes, RenderError>;

type Board = Mutex<HashMap<Key, Arc<watch::Sender<Option<Landing>>>>>;

/// The renders that are under way.
#[derive(Debug, Default)]
pub(super) struct Flights {
    board: Arc<Board>,
}

/// A place among those who wait for a render.
#[derive(Debug)]
pub(super) struct Seat(watch::Receiver<Option<Landing>>);

/// The render's side of a flight. Dropping it, landed or not, takes the flight off the board.
#[derive(Debug)]
pub(super) struct Departure {
    key: Key,
    seats: Arc<watch::Sender<Option<Landing>>>,
    board: Arc<Board>,
}

impl Flights {
    /// Takes a seat in the flight of `key`; where there is none, `depart` has to start one.
    pub(super) fn join(&self, key: Key, depart: impl FnOnce(Key, Departure)) -> Seat {
        let mut board = lock(&self.board);
        if let Some(seats) = board.get(&key) {
            return Seat(seats.subscribe());
        }
        let (sender, receiver) = watch::channel(None);
        let seats = Arc::new(sender);
        board.insert(key.clone(), seats.clone());
        drop(board);
        depart(key.clone(), Departure { key, seats, board: self.board.clone() });
        Seat(receiver)
    }

    pub(super) fn len(&self) -> usize {
        lock(&self.board).len()
    }

    #[cfg(test)]
    pub(super) fn seats(&self) -> usize {
        lock(&self.board).values().map(|seats| seats.receiver_count()).sum()
    }
}

impl Seat {
    /// Waits for the end of the flight; `None` where it was broken off.
    pub(super) async fn outcome(mut self) -> Option<Landing> {
        self.0.wait_for(Option::is_some).await.ok()?.clone()
    }
}

impl Departure {
    /// Resolves once nobody waits any more; from then on nobody can join.
    pub(super) async fn deserted(&self) {
        loop {
            self.seats.closed().await;
            let mut board = lock(&self.board);
            // Somebody may have taken a seat between the last one's leaving and this look.
            if self.seats.receiver_count() == 0 {
                remove(&mut board, self);
                return;
            }
        }
    }

    /// Hands the outcome to all who wait.
    pub(super) fn land(self, outcome: Landing) {
        // Off the board first: who comes later looks at the cache.
        remove(&mut lock(&self.board), &self);
        self.seats.send_replace(Some(outcome));
    }
}

impl Drop for Departure {
    fn drop(&mut self) {
        remove(&mut lock(&self.board), self);
    }
}

fn remove(board: &mut HashMap<Key, Arc<watch::Sender<Option<Landing>>>>, departure: &Departure) {
    // A deserted flight may have been followed by another one of the same key, which is not ours to remove.
    if board.get(&departure.key).is_some_and(|seats| Arc::ptr_eq(seats, &departure.seats)) {
        board.remove(&departure.key);
    }
}

fn lock(board: &Board) -> MutexGuard<'_, HashMap<Key, Arc<watch::Sender<Option<Landing>>>>> {
    // Nothing panics while it is held, and a map is whole after every call.
    board.lock().unwrap_or_else(PoisonError::into_inner)
}
