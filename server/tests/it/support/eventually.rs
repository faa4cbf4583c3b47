//! Waiting for what happens soon, without saying how soon.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// The machine may be busy with other things.
const DEADLINE: Duration = Duration::from_secs(120);

/// Asks again and again until it is so.
pub(crate) async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !is_so().await {
        assert!(Instant::now() < deadline, "it never came about: {what}");
        sleep(Duration::from_millis(20)).await;
    }
}
