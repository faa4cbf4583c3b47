//! Receiving a file from whatever can be read.

use tokio::io::AsyncRead;

use super::{Fate, Incoming, Intake, IntakeError, Length, Target, Told};

/// How far an archive has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There are so many files in it.
    Files(usize),
    /// One more has met its fate.
    Done,
}

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

    /// Takes in what has arrived: a file, or each file of an archive, as the bytes say. `tell` hears of an archive's files.
    pub(crate) async fn take_all(
        &self,
        target: &Target,
        name: String,
        incoming: Incoming,
        tell: &(dyn Fn(Step) + Sync),
    ) -> Result<Vec<Told>, IntakeError> {
        if !incoming.is_archive() {
            return Ok(vec![self.take(target, &name, incoming).await?.told(name)]);
        }
        let mut archive = match self.unpack(incoming).await? {
            Ok(archive) => archive,
            Err(error) => return Ok(vec![Fate::Refused { reason: error.to_string() }.told(name)]),
        };
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
