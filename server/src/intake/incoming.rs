//! A file on its way in: written to a temporary file while it is counted and hashed, gone when it is dropped.

use std::io::{self, Write as _};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    task::{JoinError, spawn_blocking},
};

use crate::originals::{Hasher, Originals, OriginalsError, Sha256, Staged};

/// How much is written at a time: the cost of a blocking task is spread over it.
const CHUNK: usize = 256 << 10;

/// Why a file cannot be staged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IncomingError {
    #[error("the file is larger than the {} that are taken in at most", bytesize::ByteSize(*limit).display().iec())]
    TooLarge { limit: u64 },
    #[error("it cannot be read: {0}")]
    Read(io::Error),
    #[error("the temporary file cannot be written: {0}")]
    Write(io::Error),
    #[error(transparent)]
    Originals(#[from] OriginalsError),
    #[error("the work was cut off: {0}")]
    CutOff(#[from] JoinError),
}

/// What has arrived so far.
pub(crate) struct Incoming {
    file: Written,
    buffer: Vec<u8>,
    bytes: u64,
    limit: u64,
}

/// The part that blocks; it moves into each blocking task and back.
struct Written {
    staged: Staged,
    hasher: Hasher,
}

/// All of it.
pub(super) struct Arrived {
    pub(super) staged: Staged,
    pub(super) sha256: Sha256,
    pub(super) bytes: u64,
}

impl Incoming {
    pub(super) async fn open(originals: &Originals, limit: u64) -> Result<Self, IncomingError> {
        let originals = originals.clone();
        let staged = spawn_blocking(move || originals.stage()).await??;
        let file = Written { staged, hasher: Hasher::default() };
        Ok(Self { file, buffer: Vec::with_capacity(CHUNK), bytes: 0, limit })
    }

    /// Takes the next piece.
    pub(crate) async fn write(self, piece: &[u8]) -> Result<Self, IncomingError> {
        let mut incoming = self;
        incoming.bytes += piece.len() as u64;
        if incoming.bytes > incoming.limit {
            return Err(IncomingError::TooLarge { limit: incoming.limit });
        }
        incoming.buffer.extend_from_slice(piece);
        if incoming.buffer.len() >= CHUNK { incoming.flush().await } else { Ok(incoming) }
    }

    /// Takes all that a reader gives.
    pub(crate) async fn read_all(self, mut reader: impl AsyncRead + Unpin) -> Result<Self, IncomingError> {
        let mut incoming = self;
        let mut piece = vec![0; CHUNK];
        loop {
            let count = reader.read(&mut piece).await.map_err(IncomingError::Read)?;
            match piece.get(..count) {
                None | Some([]) => return Ok(incoming),
                Some(piece) => incoming = incoming.write(piece).await?,
            }
        }
    }

    async fn flush(self) -> Result<Self, IncomingError> {
        let Self { mut file, mut buffer, bytes, limit } = self;
        let write = move || {
            file.hasher.update(&buffer);
            file.staged.write_all(&buffer)?;
            buffer.clear();
            Ok((file, buffer))
        };
        let (file, buffer) = spawn_blocking(write).await?.map_err(IncomingError::Write)?;
        Ok(Self { file, buffer, bytes, limit })
    }

    pub(super) async fn finish(self) -> Result<Arrived, IncomingError> {
        let Self { file: Written { staged, hasher }, bytes, .. } = self.flush().await?;
        Ok(Arrived { staged, sha256: hasher.finish(), bytes })
    }
}
