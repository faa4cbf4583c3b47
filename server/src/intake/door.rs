//! Tokens before bytes: nothing is received before there is room for all of it.
//!
//! Three accounts, always taken in this order, and given back together when the file has met its fate:
//!
//! 1. a **place**: files that are on their way in at once, as many as the descriptor plan has room for;
//! 2. the **share**: the bytes of all files on their way in, three quarters of the memory budget at the most, so that
//!    slow senders leave room for decodes and renders, and so that no more is received than is being inspected;
//! 3. the **budget** itself, from before the first byte is received until the file lies on the disk, whole and checked.
//!
//! Inspecting takes bytes of the same budget, and its weight counts the file too. Hence the rule that makes a deadlock
//! impossible: *nobody waits for bytes of the budget while holding some*. [`Pass::turn`] gives them back first.

use std::{
    future::poll_fn,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{AcquireError, OwnedSemaphorePermit, Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

use crate::admission::{BudgetError, ByteBudget, ByteGuard};

/// How many may come in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoorLimits {
    /// Files on their way in at once.
    pub(crate) files: usize,
    /// Files that are inspected at once: about one for each core.
    pub(crate) inspections: usize,
    /// Bytes of the largest file: one must always fit.
    pub(crate) largest: u64,
    /// The longest wait before a file is received.
    pub(crate) wait: Duration,
}

/// Why a file is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DoorError {
    #[error("{asked} bytes are more than the {total} that may be on their way in together")]
    TooLarge { asked: u64, total: u64 },
    #[error("the memory budget has no room right now")]
    Busy { retry_after: Duration },
}

/// What passed the door since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DoorSnapshot {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    pub(crate) admitted_total: u64,
    /// Of those, the ones that there was not room for at once.
    pub(crate) waited_total: u64,
    pub(crate) refused_total: u64,
}

/// A handle to the door; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    limits: DoorLimits,
    places: Arc<Semaphore>,
    share: ByteBudget,
    budget: ByteBudget,
    turns: Semaphore,
    admitted: AtomicU64,
    waited: AtomicU64,
    refused: AtomicU64,
}

/// A place for a file, or for an archive and the one of its files that is being taken in.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// The right to receive a file. Dropping it gives everything back.
#[derive(Debug)]
pub(crate) struct Pass {
    place: Place,
    share: ByteGuard,
    received: Option<ByteGuard>,
    shared: Arc<Shared>,
}

impl Door {
    pub(crate) fn new(limits: DoorLimits, budget: ByteBudget) -> Self {
        let total = budget.snapshot().total;
        let share = ByteBudget::new((total - total / 4).max(limits.largest).min(total), limits.wait);
        let places = Arc::new(Semaphore::new(limits.files.max(1)));
        let turns = Semaphore::new(limits.inspections.max(1));
        let [admitted, waited, refused] = [0; 3].map(AtomicU64::new);
        Self { shared: Arc::new(Shared { limits, places, share, budget, turns, admitted, waited, refused }) }
    }

    /// Waits for a place and for `bytes`, no longer than the longest wait in all.
    pub(crate) async fn admit(&self, bytes: u64) -> Result<Pass, DoorError> {
        let deadline = self.deadline();
        let admitted = async {
            let place = self.place(deadline).await?;
            self.bytes(place, bytes, deadline).await
        };
        self.count(admitted).await
    }

    /// Waits for a place alone: for an archive that lies elsewhere.
    pub(super) async fn enter(&self) -> Result<Place, DoorError> {
        self.place(self.deadline()).await
    }

    /// Waits for `bytes` of a file that comes out of an archive, whose place it shares.
    pub(super) async fn admit_within(&self, place: &Place, bytes: u64) -> Result<Pass, DoorError> {
        self.count(self.bytes(place.clone(), bytes, self.deadline())).await
    }

    pub(crate) fn snapshot(&self) -> DoorSnapshot {
        let shared = &self.shared;
        DoorSnapshot {
            files: shared.limits.files.saturating_sub(shared.places.available_permits()),
            bytes: shared.share.snapshot().used,
            admitted_total: shared.admitted.load(Ordering::Relaxed),
            waited_total: shared.waited.load(Ordering::Relaxed),
            refused_total: shared.refused.load(Ordering::Relaxed),
        }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.shared.limits.wait
    }

    async fn place(&self, deadline: Instant) -> Result<Place, DoorError> {
        match timeout_at(deadline, self.shared.places.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Place { _permit: Arc::new(permit) }),
            // The semaphore is never closed; should it be, nothing can come in.
            Ok(Err(_)) | Err(_) => Err(DoorError::Busy { retry_after: self.shared.limits.wait }),
        }
    }

    async fn bytes(&self, place: Place, bytes: u64, deadline: Instant) -> Result<Pass, DoorError> {
        let shared = &self.shared;
        let left = || deadline.saturating_duration_since(Instant::now());
        let share = shared.share.reserve_within(bytes, left()).await?;
        let received = Some(shared.budget.reserve_within(bytes, left()).await?);
        Ok(Pass { place, share, received, shared: shared.clone() })
    }

    async fn count(&self, admitted: impl Future<Output = Result<Pass, DoorError>>) -> Result<Pass, DoorError> {
        let Shared { admitted: let_in, waited, refused, .. } = &*self.shared;
        let mut admitted = pin!(admitted);
        let mut at_once = true;
        let admitted = poll_fn(|context| {
            let polled = admitted.as_mut().poll(context);
            at_once &= polled.is_ready();
            polled
        })
        .await;
        let count = |counter: &AtomicU64| counter.fetch_add(1, Ordering::Relaxed);
        match &admitted {
            Ok(_) if at_once => _ = count(let_in),
            Ok(_) => _ = (count(let_in), count(waited)),
            Err(_) => _ = count(refused),
        }
        admitted
    }
}

impl Pass {
    /// The file was shorter than was thought: gives back all but `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        self.share.shrink_to(bytes);
        if let Some(received) = &mut self.received {
            received.shrink_to(bytes);
        }
    }

    /// Waits for the turn to be inspected, first in, first out, for as long as it takes. The bytes of the budget go back
    /// before that; the share stays taken, so that those who wait here keep others from coming in.
    pub(crate) async fn turn(&mut self) -> Result<SemaphorePermit<'_>, AcquireError> {
        self.received = None;
        self.shared.turns.acquire().await
    }

    /// Gives back all but the place: for an archive, whose files take bytes of their own one by one.
    pub(crate) fn into_place(self) -> Place {
        self.place
    }
}

impl From<BudgetError> for DoorError {
    fn from(error: BudgetError) -> Self {
        match error {
            BudgetError::TooLarge { asked, total } => Self::TooLarge { asked, total },
            BudgetError::TimedOut { retry_after } => Self::Busy { retry_after },
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const WAIT: Duration = Duration::from_secs(5);

    fn door(files: usize, budget: &ByteBudget) -> Door {
        Door::new(DoorLimits { files, inspections: 1, largest: 50, wait: WAIT }, budget.clone())
    }

    #[tokio::test(start_paused = true)]
    async fn a_quarter_of_the_budget_is_left_to_others() {
        let budget = ByteBudget::new(100, WAIT);
        let door = door(9, &budget);
        let held = (door.admit(50).await.unwrap(), door.admit(25).await.unwrap());
        assert_eq!(door.admit(1).await.unwrap_err(), DoorError::Busy { retry_after: WAIT });
        assert!(budget.try_reserve(25).is_some());
        drop(held);
        assert_eq!((budget.snapshot().used, door.snapshot().bytes, door.snapshot().files), (0, 0, 0));
        assert_eq!((door.snapshot().admitted_total, door.snapshot().refused_total), (2, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn the_largest_file_fits_even_where_it_is_the_whole_budget() {
        let budget = ByteBudget::new(50, WAIT);
        let pass = door(1, &budget).admit(50).await.unwrap();
        assert_eq!(budget.snapshot().used, 50);
        drop(pass);
    }

    #[tokio::test(start_paused = true)]
    async fn all_waits_together_are_no_longer_than_the_longest_wait() {
        let budget = ByteBudget::new(100, WAIT);
        let door = door(1, &budget);
        let elsewhere = budget.reserve(100).await.unwrap();
        let first = door.admit(0).await.unwrap();
        let started = Instant::now();
        let second = tokio::spawn({
            let door = door.clone();
            async move { door.admit(10).await.map(drop) }
        });
        tokio::time::sleep(Duration::from_secs(3)).await;
        // It has its place after three seconds, and two are left to wait for bytes.
        drop(first);
        assert!(matches!(second.await.unwrap(), Err(DoorError::Busy { .. })));
        assert_eq!(started.elapsed(), WAIT);
        drop(elsewhere);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_to_be_inspected_holds_nothing_of_the_budget_and_keeps_others_out() {
        let budget = ByteBudget::new(100, WAIT);
        let door = door(9, &budget);
        let (mut first, mut second) = (door.admit(50).await.unwrap(), door.admit(25).await.unwrap());
        let turn = first.turn().await.unwrap();
        assert!(second.turn().now_or_never().is_none(), "one at a time");
        assert_eq!(budget.snapshot().used, 0);
        assert!(budget.try_reserve(100).is_some());
        assert!(door.admit(10).await.is_err(), "the share is still taken");
        drop(turn);
        assert!(second.turn().now_or_never().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn the_files_of_an_archive_share_its_place() {
        let budget = ByteBudget::new(100, WAIT);
        let door = door(1, &budget);
        let place = door.admit(50).await.unwrap().into_place();
        assert_eq!((budget.snapshot().used, door.snapshot().bytes, door.snapshot().files), (0, 0, 1));
        drop(door.admit_within(&place, 50).await.unwrap());
        assert!(door.admit(1).await.is_err());
        drop(place);
        assert!(door.admit(1).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_not_let_in_at_once_is_counted_as_having_waited() {
        let budget = ByteBudget::new(100, WAIT);
        let door = door(1, &budget);
        let first = door.admit(10).await.unwrap();
        assert_eq!((door.snapshot().admitted_total, door.snapshot().waited_total), (1, 0));
        let second = tokio::spawn({
            let door = door.clone();
            async move { door.admit(10).await.map(drop) }
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(first);
        second.await.unwrap().unwrap();
        assert_eq!((door.snapshot().admitted_total, door.snapshot().waited_total), (2, 1));
    }
}
