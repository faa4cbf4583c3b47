//! Files that are worked on side by side are recorded in the order in which they were given: people find them in a batch
//! as they lay in their folder.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

/// Gives places in a line, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Line {
    last: Option<oneshot::Receiver<()>>,
}

/// A place in a line. The next one's turn comes when this one is gone, whatever has become of it.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    place: Arc<Place>,
}

#[derive(Debug)]
struct Place {
    before: Mutex<Option<oneshot::Receiver<()>>>,
    _after: oneshot::Sender<()>,
}

impl Line {
    /// The next place.
    pub(crate) fn next(&mut self) -> Turn {
        let (after, next) = oneshot::channel();
        let before = Mutex::new(self.last.replace(next));
        Turn { place: Arc::new(Place { before, _after: after }) }
    }
}

impl Turn {
    /// Waits until all before it are gone.
    pub(super) async fn come(&self) {
        let before = self.place.before.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(before) = before {
            // Nothing is ever sent: it ends by being dropped.
            let _gone = before.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_turn_comes_when_all_before_it_are_gone() {
        let mut line = Line::default();
        let (first, second, third) = (line.next(), line.next(), line.next());
        assert!(first.come().now_or_never().is_some());
        let clone = first.clone();
        let mut waiting = Box::pin(second.come());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop((first, clone));
        assert!(waiting.now_or_never().is_some());
        let mut waiting = Box::pin(third.come());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(second);
        assert!(waiting.now_or_never().is_some());
    }
}
