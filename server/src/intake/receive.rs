//! Receiving a file from whatever can be read.

use tokio::io::AsyncRead;

use super::{Fate, Incoming, Intake, IntakeError, Length, Target};

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

    async fn receive(&self, length: Length, reader: impl AsyncRead + Unpin) -> Result<Incoming, IntakeError> {
        Ok(self.open(length).await?.read_all(reader).await?)
    }
}
