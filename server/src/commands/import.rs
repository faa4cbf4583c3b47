//! `avatars import`: files, folders and archives into a batch, each file's fate told as it falls.

mod progress;

use std::{
    num::NonZero,
    path::{Path, PathBuf},
    pin::pin,
    thread::available_parallelism,
    time::Duration,
};

use futures_util::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use tokio::{task::spawn_blocking, time::sleep};

use self::progress::Progress;
use super::{Failure, cli::Import, open};
use crate::{
    config::Config,
    intake::{
        Archive, Entry, Fate, Intake, IntakeError, Line, Target, Told, open_if_archive,
        walk::{Found, walk},
    },
};

/// Between two tries of a file that there was no room for.
const PAUSE: Duration = Duration::from_millis(200);

/// One file, wherever it lies.
enum Item {
    File(PathBuf),
    Entry(Entry),
    Refused { name: String, reason: String },
}

/// Imports all; fails where any file was refused.
pub(super) async fn run(config: Config, import: Import) -> Result<(), Failure> {
    let found = walk(&import.paths);
    let studio = open::studio(&config, open::FILES).await?;
    let target =
        open::target(&studio.store, (&import.family, &import.subject, &import.batch), import.kind, "avatars import")
            .await?;
    let progress = Progress::new(import.json, found.len() as u64);

    let (mut refused, mut held) = (0_usize, 0_usize);
    let at_once = available_parallelism().map_or(1, NonZero::get);
    let items = stream::iter(found).then(|found| items(&studio.intake, found, &progress)).try_flatten();
    let mut line = Line::default();
    let fates = items.map(|item| {
        let target = Target { turn: Some(line.next()), ..target.clone() };
        let intake = &studio.intake;
        async move { take(intake, &target, &item?).await }
    });
    let mut fates = pin!(fates.buffered(at_once));
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

/// The files of what was found: one, or those of an archive.
async fn items(
    intake: &Intake,
    found: Found,
    progress: &Progress,
) -> Result<BoxStream<'static, Result<Item, Failure>>, Failure> {
    let item = match found {
        Found::Unreadable { path, reason } => Item::Refused { name: path.display().to_string(), reason },
        Found::File(path) => {
            let looked_at = path.clone();
            match spawn_blocking(move || open_if_archive(&looked_at)).await.map_err(Failure::from_error)? {
                Ok(Some(file)) => match intake.open_archive(file).await.map_err(|error| failed(&path, &error))? {
                    Ok(archive) => return Ok(entries(archive, path, progress)),
                    Err(error) => Item::Refused { name: path.display().to_string(), reason: error.to_string() },
                },
                // That it cannot be read is told where it is read.
                Ok(None) | Err(_) => Item::File(path),
            }
        }
    };
    Ok(stream::iter([Ok(item)]).boxed())
}

fn entries(archive: Archive, path: PathBuf, progress: &Progress) -> BoxStream<'static, Result<Item, Failure>> {
    progress.expect(archive.files());
    let next = async move |(mut archive, path): (Archive, PathBuf)| {
        let entry = archive.next().await.map_err(|error| failed(&path, &error))?;
        Ok(entry.map(|entry| (Item::Entry(entry), (archive, path))))
    };
    stream::try_unfold((archive, path), next).boxed()
}

async fn take(intake: &Intake, target: &Target, item: &Item) -> Result<Told, Failure> {
    loop {
        let (name, taken) = match item {
            Item::Refused { name, reason } => (name.clone(), Ok(Fate::Refused { reason: reason.clone() })),
            Item::Entry(entry) => (entry.path().to_owned(), intake.take_entry(target, entry).await),
            Item::File(path) => (path.display().to_string(), intake.take_file(target, path).await),
        };
        match taken {
            Ok(fate) => return Ok(fate.told(name)),
            // The others of this import give back what they hold: it is only a matter of time.
            Err(IntakeError::Busy { .. }) => sleep(PAUSE).await,
            Err(error) => return Err(Failure::Failed(format!("{name}: {error}"))),
        }
    }
}

fn failed(path: &Path, error: &IntakeError) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}
