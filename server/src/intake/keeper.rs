//! Looks after what is held, for as long as the server runs: tries each file when its time has come, and all that wait
//! for the scanner as soon as it is there again.

use std::time::Duration;

use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{Intake, IntakeError};
use crate::{scanner::Scanner, store::Why};

/// Files that are tried at once: fewer than the scanner takes, so that newcomers do not wait behind them.
pub(crate) const AT_ONCE: usize = Scanner::AT_ONCE / 2;
/// Other processes hold files, too: so often they are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// So often a clamd that is away is looked for, and tested.
const TEST_DOWN: Duration = Duration::from_secs(5);
/// So often one that passed is tested again: it may have been started anew with other limits.
const TEST_UP: Duration = Duration::from_secs(3600);

/// Runs until `ending`. Where nothing is scanned, nothing is done: what is held stays held.
pub(crate) async fn run(intake: Intake, ending: CancellationToken) {
    let Some(scanner) = intake.guard.as_ref().and_then(|guard| guard.scanner().cloned()) else { return };
    if let Err(error) = start(&intake).await {
        tracing::error!(%error, "the quarantine could not be put in order");
    }
    tokio::select! {
        () = ending.cancelled() => {}
        () = keep(&intake, &scanner) => {}
        () = test(&scanner) => {}
    }
}

/// Sweeps what a killed process left, and ends all pauses: the scanner may be there by now.
async fn start(intake: &Intake) -> Result<(), IntakeError> {
    let Some(guard) = &intake.guard else { return Ok(()) };
    let known: std::collections::HashSet<String> =
        intake.store.held_ids().await?.iter().map(ToString::to_string).collect();
    let quarantine = guard.quarantine.clone();
    let sweep = move || quarantine.sweep(|name| known.contains(name));
    let swept = tokio::task::spawn_blocking(sweep).await??;
    if swept > 0 {
        tracing::warn!(swept, "files in the quarantine that nobody knew were removed");
    }
    Ok(intake.store.hasten(None).await?)
}

async fn keep(intake: &Intake, scanner: &Scanner) {
    let Some(guard) = &intake.guard else { return };
    let mut standing = scanner.watch();
    let mut was_down = true;
    let mut tries = JoinSet::new();
    loop {
        let due = intake.store.due((2 * AT_ONCE) as u32).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "what is held cannot be listed");
            Vec::new()
        });
        for held in due.into_iter().take(AT_ONCE.saturating_sub(tries.len())) {
            let intake = intake.clone();
            tries.spawn(async move {
                let id = held.id;
                if let Err(error) = intake.retry(held).await {
                    tracing::error!(%id, %error, "a held file could not be tried");
                }
            });
        }
        tokio::select! {
            Some(_) = tries.join_next() => {}
            () = guard.held.notified() => {}
            Ok(()) = standing.changed() => {
                let is_down = standing.borrow_and_update().is_down();
                if was_down && !is_down && let Err(error) = intake.store.hasten(Some(Why::Away)).await {
                    tracing::warn!(%error, "what is held goes on waiting");
                }
                was_down = is_down;
            }
            () = sleep(LOOK_EVERY) => {}
        }
    }
}

/// Keeps the scanner's standing true, whether or not anything comes in.
async fn test(scanner: &Scanner) {
    let mut told = None;
    loop {
        let standing = scanner.test().await;
        let trouble = standing.trouble();
        if told.as_ref() != Some(&trouble) {
            match &trouble {
                Some(trouble) => tracing::error!(trouble, "files are held back"),
                None => tracing::info!("the scanner has passed its self-test"),
            }
            told = Some(trouble);
        }
        let mut changed = scanner.watch();
        changed.mark_unchanged();
        let down = async {
            while changed.borrow_and_update().is_down() == standing.is_down() && changed.changed().await.is_ok() {}
        };
        let pause = if standing.is_down() { TEST_DOWN } else { TEST_UP };
        tokio::select! {
            () = sleep(pause) => {}
            () = down => {}
        }
    }
}
