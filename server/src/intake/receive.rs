//! Receiving a file from whatever can be read.

use std::{io, path::Path, sync::Arc};

use tokio::{fs::File, io::AsyncRead, task::spawn_blocking};
use tracing::Instrument as _;

use super::{Archive, Fate, Incoming, Intake, IntakeError, Length, Target, Told, archive::open_if_archive};

/// How far an archive has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There are so many files in it.
    Files(usize),
    /// One more has met its fate.
    Done,
}

/// Who is told how far an archive has come.
pub(crate) type Tell = Arc<dyn Fn(Step) + Send + Sync>;

impl Intake {
    /// Receives a file and takes it in. A file that cannot be received is refused, for its own fault; what fails
    /// otherwise is an error.
    pub(crate) async fn take_from(
        &self,
        target: &Target,
        name: &str,
        length: Length,
        reader: impl AsyncRead + Unpin,
    ) -> Result<Fate, IntakeError> {
        match self.receive(length, reader).await {
            Ok(incoming) => self.take(target, name, incoming).await,
            Err(IntakeError::Incoming(error)) if error.refuses() => Ok(Fate::Refused { reason: error.to_string() }),
            Err(error) => Err(error),
        }
    }

    /// Takes a file in that lies somewhere else, as it is.
    pub(crate) async fn take_file(&self, target: &Target, path: &Path) -> Result<Fate, IntakeError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match open_file(path).await {
            Ok((file, bytes)) => self.take_from(target, &name, Length::Said(bytes), file).await,
            Err(error) => Ok(Fate::Refused { reason: format!("it cannot be read: {error}") }),
        }
    }

    /// Takes in what lies somewhere else: a file, or each file of an archive, one after the other.
    pub(super) async fn take_path(&self, target: &Target, path: &Path) -> Result<Vec<Told>, IntakeError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let looked_at = path.to_owned();
        let archive = match spawn_blocking(move || open_if_archive(&looked_at)).await? {
            Ok(Some(file)) => self.open_archive(file).await?,
            // That it cannot be read is told where it is read.
            Ok(None) | Err(_) => return Ok(vec![self.take_file(target, path).await?.told(name)]),
        };
        match archive {
            Ok(archive) => self.take_archive(target, archive, Arc::new(|_| {})).await,
            Err(error) => Ok(vec![Fate::Refused { reason: error.to_string() }.told(name)]),
        }
    }

    /// Takes in what has arrived: a file, or each file of an archive, as the bytes say. `tell` hears of an archive's files.
    ///
    /// An archive goes on in a task of its own: it has arrived, and a sender that hangs up loses nothing of it.
    pub(crate) async fn take_all(
        &self,
        target: &Target,
        name: String,
        incoming: Incoming,
        tell: Tell,
    ) -> Result<Vec<Told>, IntakeError> {
        if !incoming.is_archive() {
            return Ok(vec![self.take(target, &name, incoming).await?.told(name)]);
        }
        match self.unpack(incoming).await? {
            Ok(archive) => {
                let (intake, target) = (self.clone(), target.clone());
                let whole = async move { intake.take_archive(&target, archive, tell).await };
                tokio::spawn(whole.in_current_span()).await?
            }
            Err(error) => Ok(vec![Fate::Refused { reason: error.to_string() }.told(name)]),
        }
    }

    async fn take_archive(&self, target: &Target, mut archive: Archive, tell: Tell) -> Result<Vec<Told>, IntakeError> {
        tell(Step::Files(archive.files()));
        let mut told = Vec::new();
        while let Some(entry) = archive.next().await? {
            told.push(self.take_entry(target, &entry).await?.told(entry.path().to_owned()));
            tell(Step::Done);
        }
        Ok(told)
    }

    async fn receive(&self, length: Length, reader: impl AsyncRead + Unpin) -> Result<Incoming, IntakeError> {
        Ok(self.open(length).await?.read_all(reader).await?)
    }
}

async fn open_file(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path).await?;
    let bytes = file.metadata().await?.len();
    Ok((file, bytes))
}
