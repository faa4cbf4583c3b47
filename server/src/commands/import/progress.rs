//! What an import prints: JSON lines for programs; for people, a line for each file and a bar below them.

use indicatif::{ProgressBar, ProgressStyle};

use crate::{commands::Failure, intake::Told};

pub(super) struct Progress {
    bar: ProgressBar,
    json: bool,
}

impl Progress {
    pub(super) fn new(json: bool, files: u64) -> Self {
        let bar = if json { ProgressBar::hidden() } else { ProgressBar::new(files) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} files, {eta} to go") {
            bar.set_style(style);
        }
        Self { bar, json }
    }

    /// What counted as one file is an archive of so many.
    pub(super) fn expect(&self, files: usize) {
        self.bar.inc_length(files as u64);
        self.bar.dec_length(1);
    }

    pub(super) fn tell(&self, told: &Told) -> Result<(), Failure> {
        let line = if self.json {
            serde_json::to_string(told).map_err(|error| Failure::Failed(error.to_string()))?
        } else {
            let reason = told.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("{:<9} {}{reason}", told.status, told.name)
        };
        self.bar.suspend(|| println!("{line}"));
        self.bar.inc(1);
        Ok(())
    }

    pub(super) fn finish(&self, refused: usize, held: usize) {
        self.bar.finish_and_clear();
        if !self.json {
            let files = self.bar.position();
            let held = if held == 0 { String::new() } else { format!(", {held} held back until they are checked") };
            println!("{files} files, {refused} of them refused{held}");
        }
    }
}
