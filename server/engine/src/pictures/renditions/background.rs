//! Where decoding and encoding run: on threads of their own, which stand back behind those that answer requests.
//!
//! Deciding on a picture takes a dozen wake-ups (the socket, the runtime, the database's threads). While every core
//! renders, each of them would wait for the end of a time slice. A thread may lower its priority but not raise it again, so
//! those of the runtime's pool cannot be lent for this.

use std::thread;

use super::{RenderError, blocking};

/// How far renders stand back, in steps of niceness: a third of the share of what stands at nought.
const STEPS_BACK: i32 = 5;

/// Runs `work` on a thread of its own. A panic in it comes back as an error; what it owned is dropped.
///
/// How many run at once is the caller's care: a render permit belongs to what `work` owns.
pub(in crate::pictures) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RenderError> {
    // The runtime waits at its end for a thread of its pool, and so for this one.
    let outcome = blocking(move || {
        thread::scope(|scope| {
            let work = move || {
                step_back();
                work()
            };
            let thread = thread::Builder::new().name("render".to_owned()).spawn_scoped(scope, work)?;
            Ok::<_, std::io::Error>(thread.join())
        })
    });
    match outcome.await? {
        Ok(Ok(outcome)) => Ok(outcome),
        Ok(Err(_panic)) => {
            tracing::error!("rendering panicked");
            Err(RenderError::Panicked)
        }
        Err(error) => {
            tracing::warn!(%error, "no thread could be had for a render");
            Err(RenderError::Busy { retry_after: std::time::Duration::from_secs(1) })
        }
    }
}

fn step_back() {
    // Elsewhere it would be the whole process that stands back.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(STEPS_BACK) {
        tracing::debug!(%error, "a render runs at the priority of requests");
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn work_stands_back_and_nobody_else_does() {
        let before = getpriority_process(None).unwrap();
        let within = in_background(|| getpriority_process(None).unwrap()).await.unwrap();
        assert_eq!(within, (before + STEPS_BACK).min(19));
        assert_eq!(getpriority_process(None).unwrap(), before);
        assert_eq!(blocking(|| getpriority_process(None).unwrap()).await.unwrap(), before);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_drops_what_the_work_owned() {
        let owned = std::sync::Arc::new(());
        let held = owned.clone();
        let outcome = in_background(move || {
            let _held = held;
            panic!("a decoder's")
        });
        assert_eq!(outcome.await, Err::<(), _>(RenderError::Panicked));
        assert_eq!(std::sync::Arc::strong_count(&owned), 1);
    }
}
