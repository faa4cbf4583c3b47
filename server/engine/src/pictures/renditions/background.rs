//! Where decoding and encoding run: on threads of their own, which stand back behind those that answer requests.
//!
//! Deciding on a picture takes a dozen wake-ups (the socket, the runtime, the database's threads). While every core
//! renders, each of them would wait for the end of a time slice. A thread may lower its priority but not raise it again, so
//! those of the runtime's pool cannot be lent for this. Nor may a thread be started for each render: what its heap keeps for
//! the next picture would be nobody's, and there would be more of it with each round.

use std::{
    any::Any,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

use super::RenderError;

/// How far renders stand back, in steps of niceness: a third of the share of what stands at nought.
const STEPS_BACK: i32 = 5;

/// The threads that render. Once they have begun something they end it; dropping this does not wait for it.
#[derive(Debug)]
pub(super) struct Background {
    threads: ThreadPool,
}

impl Background {
    /// As many threads as there are render permits: whoever has one finds a thread.
    pub(super) fn new(threads: usize) -> io::Result<Self> {
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|_| "render".to_owned())
            .start_handler(|_| step_back())
            .build()
            .map_err(io::Error::other)?;
        Ok(Self { threads })
    }

    /// Runs `work`, also where nobody waits for it any more. A panic in it comes back as an error; what it owned is dropped.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RenderError> {
        let (sender, outcome) = oneshot::channel();
        self.threads.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            // Whoever asked may be gone.
            let _ = sender.send(done.map_err(|panic| told(&*panic)));
        });
        outcome.await.map_err(|_| RenderError::Interrupted)?.map_err(|panic| {
            tracing::error!(panic, "rendering panicked");
            RenderError::Panicked
        })
    }
}

/// What a panic says of itself.
fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref().cloned()).unwrap_or_default()
}

fn step_back() {
    // Elsewhere it would be the whole process that stands back.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(STEPS_BACK) {
        tracing::debug!(%error, "renders run at the priority of requests");
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn work_stands_back_and_nobody_else_does() {
        let background = Background::new(1).unwrap();
        let before = getpriority_process(None).unwrap();
        let within = background.run(|| getpriority_process(None).unwrap()).await.unwrap();
        assert_eq!(within, (before + STEPS_BACK).min(19));
        assert_eq!(getpriority_process(None).unwrap(), before);
        let elsewhere = tokio::task::spawn_blocking(|| getpriority_process(None).unwrap());
        assert_eq!(elsewhere.await.unwrap(), before);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_drops_what_the_work_owned_and_leaves_the_thread() {
        let background = Background::new(1).unwrap();
        let owned = std::sync::Arc::new(());
        let held = owned.clone();
        let outcome = background.run(move || {
            let _held = held;
            panic!("a decoder's")
        });
        assert_eq!(outcome.await, Err::<(), _>(RenderError::Panicked));
        assert_eq!(std::sync::Arc::strong_count(&owned), 1);
        assert_eq!(background.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn the_same_threads_do_all_the_work() {
        let background = Background::new(2).unwrap();
        let mut seen = std::collections::HashSet::new();
        for _ in 0..20 {
            seen.insert(background.run(|| std::thread::current().id()).await.unwrap());
        }
        assert!(seen.len() <= 2);
    }
}
