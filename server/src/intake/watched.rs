//! Watched folders: what is put into one goes into a batch, for as long as the server runs.
//!
//! It only ever reads there: nothing is moved, renamed or removed, and what disappears from the folder stays in the
//! batch. A file is taken once it has lain still over two looks, so that none is taken while it is being written. The
//! system says when something changes, and because network mounts lose such news, there is a look every few minutes in
//! any case. What was dealt with is recorded, and not read again as long as it does not change.

mod looks;
mod news;

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use app::model::Slug;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::{
    looks::{Looks, Mark, Still, look},
    news::News,
};
use super::{IncomingError, Intake, IntakeError, Target};
use crate::store::StoreError;

/// Between two looks at files that may still be written.
const SETTLE: Duration = Duration::from_secs(6);
/// Between two looks where nothing happens.
const LOOK_EVERY: Duration = Duration::from_secs(3 * 60);
/// Descriptors of one folder: the system's news of it (three), a folder and a file that are read.
pub(crate) const DESCRIPTORS: usize = 5;

/// A folder, and where its files go: `folder=family/subject/batch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedFolder {
    pub(crate) folder: PathBuf,
    pub(crate) family: Slug,
    pub(crate) subject: Slug,
    pub(crate) batch: Slug,
}

/// A text that names no folder and place.
#[derive(Debug, thiserror::Error)]
#[error("is not a list of folders such as /srv/incoming=family/subject/batch")]
pub(crate) struct NotAFolder;

impl FromStr for WatchedFolder {
    type Err = NotAFolder;

    fn from_str(text: &str) -> Result<Self, NotAFolder> {
        // From the end: a folder may have anything in its name.
        let (folder, place) = text.rsplit_once('=').ok_or(NotAFolder)?;
        let words: Vec<Slug> = place.split('/').map(str::parse).collect::<Result<_, _>>().map_err(|_| NotAFolder)?;
        match <[Slug; 3]>::try_from(words) {
            Ok([family, subject, batch]) if !folder.trim().is_empty() => {
                Ok(Self { folder: PathBuf::from(folder.trim()), family, subject, batch })
            }
            _ => Err(NotAFolder),
        }
    }
}

impl WatchedFolder {
    /// Where its files go, in one word.
    fn place(&self) -> String {
        format!("{}/{}/{}", self.family, self.subject, self.batch)
    }

    /// Whether it can be looked into, and what it is for.
    pub(crate) fn probe(&self) -> Result<String, String> {
        match std::fs::read_dir(&self.folder) {
            Ok(_) => Ok(self.to_string()),
            Err(error) => Err(format!("{}: {error}", self.folder.display())),
        }
    }
}

impl fmt::Display for WatchedFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} goes to {}", self.folder.display(), self.place())
    }
}

/// Takes in what comes into the folder, until `ending`.
pub(crate) async fn run(intake: Intake, watched: WatchedFolder, target: Target, ending: CancellationToken) {
    tokio::select! {
        () = ending.cancelled() => {}
        () = Watch::new(intake, watched, target).keep() => {}
    }
}

struct Watch {
    intake: Intake,
    target: Target,
    folder: PathBuf,
    place: String,
    looks: Looks,
    /// Whether the last look failed: it is told once.
    away: bool,
}

impl Watch {
    fn new(intake: Intake, watched: WatchedFolder, target: Target) -> Self {
        let place = watched.place();
        Self { intake, target, folder: watched.folder, place, looks: Looks::default(), away: false }
    }

    async fn keep(mut self) {
        while let Err(error) = self.remember().await {
            tracing::warn!(%error, place = self.place, "a watched folder waits for the database");
            sleep(SETTLE).await;
        }
        let mut news = News::of(&self.folder);
        loop {
            let seen = look(&self.folder).await;
            match seen {
                Ok(files) => {
                    if self.away {
                        // The folder that is there now may be another one: a share that is mounted again.
                        (self.away, news) = (false, News::of(&self.folder));
                    }
                    for still in self.looks.compare(files) {
                        self.take(still).await;
                    }
                }
                Err(error) if !self.away => {
                    self.away = true;
                    tracing::warn!(folder = %self.folder.display(), %error, "a watched folder cannot be looked into");
                }
                Err(_) => {}
            }
            if self.looks.is_waiting() {
                sleep(SETTLE).await;
            } else {
                tokio::select! {
                    () = sleep(LOOK_EVERY) => {}
                    () = news.come() => {}
                }
            }
        }
    }

    async fn remember(&mut self) -> Result<(), StoreError> {
        for (path, mark) in self.intake.store.watched(&self.place).await? {
            self.looks.dealt_with(PathBuf::from(path), mark);
        }
        Ok(())
    }

    /// Takes a file that lies still. What could not be done for now is left for a later look.
    async fn take(&mut self, Still { path, mark }: Still) {
        match self.try_take(&path, mark).await {
            Ok(Taken::DealtWith) => self.looks.dealt_with(path, mark),
            // It was moved away, or somebody is at it again: the next look sees.
            Ok(Taken::Moved) => {}
            Err(IntakeError::Busy { .. }) => self.looks.wait_for(path, mark),
            // It is a stranger again, and so comes back minutes later: each try reads it from its beginning.
            Err(error) => {
                let file = self.folder.join(path);
                tracing::warn!(file = %file.display(), %error, "a file could not be taken in for now");
            }
        }
    }

    async fn try_take(&self, path: &Path, mark: Mark) -> Result<Taken, IntakeError> {
        let file = self.folder.join(path);
        match looks::still_so(&file, mark).await {
            Ok(true) => {}
            Ok(false) => return Ok(Taken::Moved),
            // That it may not be read says nothing of the file: once it may, it is taken.
            Err(error) => return Err(IncomingError::Read(error).into()),
        }
        let told = self.intake.take_path(&self.target, &file).await?;
        let refusals: Vec<String> = told.iter().filter(|told| told.status == "refused").map(refusal).collect();
        let refusal = (!refusals.is_empty()).then(|| some_of(&refusals));
        let (file, files) = (file.display(), told.len());
        if let Some(reason) = &refusal {
            tracing::warn!(%file, reason, "a file of a watched folder was not taken in");
        } else {
            tracing::info!(%file, files, "taken in from a watched folder");
        }
        let path = path.to_string_lossy();
        self.intake.store.note_watched((&self.place, &path), mark, refusal.as_deref()).await?;
        Ok(Taken::DealtWith)
    }
}

/// What became of a file that lay still.
enum Taken {
    /// It is in, or refused for good.
    DealtWith,
    /// It is not as it was any more.
    Moved,
}

/// What is told of a file that was refused: in an archive, with its name.
fn refusal(told: &super::Told) -> String {
    format!("{}: {}", told.name, told.reason.as_deref().unwrap_or("refused"))
}

/// The first few of the reasons: an archive may have thousands.
fn some_of(reasons: &[String]) -> String {
    const FEW: usize = 5;
    let mut text = reasons.iter().take(FEW).map(String::as_str).collect::<Vec<_>>().join("; ");
    if let Some(more) = reasons.len().checked_sub(FEW).filter(|more| *more > 0) {
        text.push_str(&format!("; and {more} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_with_the_place_that_its_files_go_to() {
        let watched: WatchedFolder = "/srv/a=b/in=reed/ida/spring".parse().unwrap();
        assert_eq!((watched.folder.to_str(), watched.place().as_str()), (Some("/srv/a=b/in"), "reed/ida/spring"));
        for text in ["", "/srv", "/srv=reed/ida", "=reed/ida/spring", "/srv=reed/ida/spring/more", "/srv=Reed/ida/x"] {
            assert!(text.parse::<WatchedFolder>().is_err(), "{text}");
        }
    }

    #[test]
    fn of_many_reasons_a_few_are_told() {
        let reasons: Vec<String> = (0..7).map(|number| number.to_string()).collect();
        assert_eq!(some_of(&reasons), "0; 1; 2; 3; 4; and 2 more");
        assert_eq!(some_of(&reasons[..1]), "0");
    }
}
