//! A file on its way in: written to a temporary file while it is counted and hashed, gone when it is dropped.

use std::io::{self, Write as _};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    task::{JoinError, spawn_blocking},
};

use super::{archive::is_archive, door::Pass};
use crate::originals::{Hasher, Originals, OriginalsError, Sha256, Staged};

/// How much of the beginning is kept, to tell an archive by.
const HEAD: usize = 4;
/// How much is written at a time: the cost of a blocking task is spread over it.
const CHUNK: usize = 256 << 10;

/// Why a file cannot be staged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IncomingError {
    #[error("the file is larger than the {} that are taken in at most", iec(*limit))]
    TooLarge { limit: u64 },
    #[error("the file is longer than the {} that were announced", iec(*said))]
    Longer { said: u64 },
    #[error("it cannot be read: {0}")]
    Read(io::Error),
    #[error("the temporary file cannot be written: {0}")]
    Write(io::Error),
    #[error(transparent)]
    Originals(#[from] OriginalsError),
    #[error("the work was cut off: {0}")]
    CutOff(#[from] JoinError),
}

fn iec(bytes: u64) -> bytesize::Display {
    bytesize::ByteSize(bytes).display().iec()
}

impl IncomingError {
    /// Whether the file is at fault, and not the server.
    pub(crate) fn refuses(&self) -> bool {
        matches!(self, Self::TooLarge { .. } | Self::Longer { .. } | Self::Read(_))
    }
}

/// What is known of a file's length before it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// So many bytes, says whoever sends it: one more, and the file is refused.
    Said(u64),
    /// Nobody said, but more than so many cannot come.
    AtMost(u64),
}

impl Length {
    pub(super) const UNKNOWN: Self = Self::AtMost(u64::MAX);

    /// How many bytes to make room for where no file may be larger than `limit`.
    pub(super) fn room(self, limit: u64) -> Result<u64, IncomingError> {
        match self {
            Self::Said(said) if said > limit => Err(IncomingError::TooLarge { limit }),
            Self::Said(said) => Ok(said),
            Self::AtMost(most) => Ok(most.min(limit)),
        }
    }
}

/// What has arrived so far.
pub(crate) struct Incoming {
    file: Written,
    buffer: Vec<u8>,
    head: Vec<u8>,
    bytes: u64,
    length: Length,
    limit: u64,
}

/// The part that blocks; it moves into each blocking task and back. The right to be here goes where the bytes go.
struct Written {
    staged: Staged,
    hasher: Hasher,
    pass: Pass,
}

/// A file to write to where blocking is allowed.
pub(super) struct Sink(Incoming);

/// All of it.
pub(super) struct Arrived {
    pub(super) staged: Staged,
    pub(super) sha256: Sha256,
    pub(super) bytes: u64,
    pub(super) pass: Pass,
}

impl Incoming {
    /// `pass` must have been given for [`Length::room`].
    pub(super) async fn open(
        originals: &Originals,
        length: Length,
        limit: u64,
        pass: Pass,
    ) -> Result<Self, IncomingError> {
        let originals = originals.clone();
        let staged = spawn_blocking(move || originals.stage()).await??;
        let file = Written { staged, hasher: Hasher::default(), pass };
        // A small file gets a small buffer: memory follows what was reserved.
        let room = usize::try_from(length.room(limit)?).unwrap_or(CHUNK).min(CHUNK);
        let (buffer, head) = (Vec::with_capacity(room), Vec::with_capacity(HEAD));
        Ok(Self { file, buffer, head, bytes: 0, length, limit })
    }

    /// Whether what has arrived begins as a ZIP archive does.
    pub(crate) fn is_archive(&self) -> bool {
        is_archive(&self.head)
    }

    /// Takes the next piece.
    pub(crate) async fn write(self, piece: &[u8]) -> Result<Self, IncomingError> {
        let mut incoming = self;
        incoming.count(piece)?;
        incoming.buffer.extend_from_slice(piece);
        if incoming.buffer.len() >= CHUNK { incoming.flush().await } else { Ok(incoming) }
    }

    /// Takes all that a reader gives.
    pub(crate) async fn read_all(self, mut reader: impl AsyncRead + Unpin) -> Result<Self, IncomingError> {
        let mut incoming = self;
        let mut piece = vec![0; incoming.buffer.capacity().max(1)];
        loop {
            let count = reader.read(&mut piece).await.map_err(IncomingError::Read)?;
            match piece.get(..count) {
                None | Some([]) => return Ok(incoming),
                Some(piece) => incoming = incoming.write(piece).await?,
            }
        }
    }

    /// Takes all that `produce` puts into the sink, which may block.
    pub(super) async fn fill<F>(self, produce: F) -> Result<Self, IncomingError>
    where
        F: FnOnce(&mut Sink) -> Result<(), IncomingError> + Send + 'static,
    {
        let fill = move || {
            let mut sink = Sink(self);
            produce(&mut sink)?;
            Ok(sink.0)
        };
        spawn_blocking(fill).await?
    }

    /// Counts the next piece before anything is done with it.
    fn count(&mut self, piece: &[u8]) -> Result<(), IncomingError> {
        self.head.extend(piece.iter().take(HEAD - self.head.len().min(HEAD)));
        self.bytes += piece.len() as u64;
        match self.length {
            _ if self.bytes > self.limit => Err(IncomingError::TooLarge { limit: self.limit }),
            Length::Said(most) | Length::AtMost(most) if self.bytes > most => Err(IncomingError::Longer { said: most }),
            Length::Said(_) | Length::AtMost(_) => Ok(()),
        }
    }

    async fn flush(self) -> Result<Self, IncomingError> {
        let mut incoming = self;
        let write = move || {
            incoming.file.write(&incoming.buffer)?;
            incoming.buffer.clear();
            Ok(incoming)
        };
        spawn_blocking(write).await?
    }

    pub(super) async fn finish(self) -> Result<Arrived, IncomingError> {
        let Self { file: Written { staged, hasher, mut pass }, bytes, .. } = self.flush().await?;
        pass.shrink_to(bytes);
        Ok(Arrived { staged, sha256: hasher.finish(), bytes, pass })
    }
}

impl Sink {
    /// Takes the next piece.
    pub(super) fn write(&mut self, piece: &[u8]) -> Result<(), IncomingError> {
        self.0.count(piece)?;
        self.0.file.write(piece)
    }
}

impl Written {
    fn write(&mut self, piece: &[u8]) -> Result<(), IncomingError> {
        self.hasher.update(piece);
        self.staged.write_all(piece).map_err(IncomingError::Write)
    }
}
