//! `avatars import`: files and folders into a batch, each file's fate told as it falls.

use std::{io, num::NonZero, path::Path, thread::available_parallelism, time::Duration};

use app::model::Slug;
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::{fs::File, time::sleep};

use super::{Failure, cli::Import, open};
use crate::{
    config::Config,
    intake::{
        Fate, Intake, IntakeError, Length, Target, Told,
        walk::{Found, walk},
    },
};

/// Between two tries of a file that there was no room for.
const PAUSE: Duration = Duration::from_millis(200);

/// Imports all; fails where any file was refused.
pub(super) async fn run(config: Config, import: Import) -> Result<(), Failure> {
    let found = walk(&import.paths);
    let studio = open::studio(&config, open::FILES).await?;
    let target = open::target(
        &studio.store,
        (&import.family, &import.subject, &import.batch),
        &title(&import.batch),
        import.kind,
    )
    .await?;
    let progress = Progress::new(import.json, found.len() as u64);

    let (mut refused, mut held) = (0_usize, 0_usize);
    let at_once = available_parallelism().map_or(1, NonZero::get);
    let mut fates =
        futures_util::stream::iter(found).map(|found| take(&studio.intake, &target, found)).buffered(at_once);
    while let Some(told) = fates.next().await {
        let told = told?;
        refused += usize::from(told.status == "refused");
        held += usize::from(told.status == "held");
        progress.tell(&told)?;
    }
    progress.finish(refused, held);
    // What is held is on its way: the server goes on with it.
    if refused == 0 { Ok(()) } else { Err(Failure::Told) }
}

/// What people read of a batch that was named on the command line: "winter-2026" becomes "Winter 2026".
fn title(slug: &Slug) -> String {
    let text = slug.as_str().replace('-', " ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

async fn take(intake: &Intake, target: &Target, found: Found) -> Result<Told, Failure> {
    match found {
        Found::Unreadable { path, reason } => Ok(Fate::Refused { reason }.told(path.display().to_string())),
        Found::File(path) => Ok(take_file(intake, target, &path).await?.told(path.display().to_string())),
    }
}

async fn take_file(intake: &Intake, target: &Target, path: &Path) -> Result<Fate, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let (file, bytes) = match open_file(path).await {
            Ok(opened) => opened,
            Err(error) => return Ok(Fate::Refused { reason: format!("it cannot be read: {error}") }),
        };
        match intake.take_from(target, &name, Length::Said(bytes), file).await {
            // The others of this import give back what they hold: it is only a matter of time.
            Err(IntakeError::Busy { .. }) => sleep(PAUSE).await,
            Err(error) => return Err(Failure::Failed(format!("{}: {error}", path.display()))),
            Ok(fate) => return Ok(fate),
        }
    }
}

async fn open_file(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path).await?;
    let bytes = file.metadata().await?.len();
    Ok((file, bytes))
}

/// JSON lines for programs; for people, a line for each file and a bar below them.
struct Progress {
    bar: ProgressBar,
    json: bool,
}

impl Progress {
    fn new(json: bool, files: u64) -> Self {
        let bar = if json { ProgressBar::hidden() } else { ProgressBar::new(files) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} files, {eta} to go") {
            bar.set_style(style);
        }
        Self { bar, json }
    }

    fn tell(&self, told: &Told) -> Result<(), Failure> {
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

    fn finish(&self, refused: usize, held: usize) {
        self.bar.finish_and_clear();
        if !self.json {
            let files = self.bar.position();
            let held = if held == 0 { String::new() } else { format!(", {held} held back until they are checked") };
            println!("{files} files, {refused} of them refused{held}");
        }
    }
}
