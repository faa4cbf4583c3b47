//! `avatars verify`: proves that every original is whole.

use indicatif::ProgressBar;
use serde_json::json;

use super::{Failure, cli::Verify, open};
use crate::{
    config::Config,
    originals::{Recorded, Report},
};

pub(super) async fn run(config: Config, verify: Verify) -> Result<(), Failure> {
    let store = open::store(&config).await?;
    let recorded = store.originals().await.map_err(Failure::from_error)?;
    let originals = open::originals(&config)?;
    store.close().await;

    let bar = if verify.json { ProgressBar::hidden() } else { ProgressBar::new(recorded.len() as u64) };
    let moved = bar.clone();
    let check = move || originals.verify(&recorded, |progress| moved.set_position(progress.done as u64));
    let report = tokio::task::spawn_blocking(check).await.map_err(Failure::from_error)?.map_err(Failure::from_error)?;
    bar.finish_and_clear();
    if verify.json {
        tell_json(&report)
    } else {
        tell(&report)
    }
    if report.is_clean() { Ok(()) } else { Err(Failure::Told) }
}

fn tell_json(report: &Report) {
    let line = |status: &str, file: &str, reason: Option<&str>| {
        println!("{}", json!({ "status": status, "file": file, "reason": reason }));
    };
    for Recorded { sha256, .. } in &report.missing {
        line("missing", &sha256.to_string(), None);
    }
    for changed in &report.changed {
        line("changed", &changed.recorded.sha256.to_string(), Some(&changed.reason));
    }
    for path in &report.unknown {
        line("unknown", &path.display().to_string(), None);
    }
    println!("{}", json!({ "status": "done", "whole": report.whole }));
}

fn tell(report: &Report) {
    for Recorded { sha256, .. } in &report.missing {
        println!("missing  {sha256}");
    }
    for changed in &report.changed {
        println!("changed  {}: {}", changed.recorded.sha256, changed.reason);
    }
    for path in &report.unknown {
        println!("unknown  {}", path.display());
    }
    let [missing, changed, unknown] = [report.missing.len(), report.changed.len(), report.unknown.len()];
    println!("{} originals whole, {missing} missing, {changed} changed, {unknown} unknown files", report.whole);
}
