//! One conversation with clamd: connect, one command, one answer, closed. No connection is ever used twice.
//!
//! The answer is read while the file is still being sent: above its `StreamMaxLength` clamd says so and closes, and
//! whoever reads only after the last byte finds a broken pipe and not the reason for it.
//!
//! The crate `clamav-client` (2.2) sends everything before it reads, waits for ever, reads an answer of any length,
//! and counts "OK" anywhere in it as clean; that is why this is written here.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadHalf, WriteHalf, split},
    net::{TcpStream, UnixStream},
    time::timeout,
};

use super::{
    reply::{self, Answer},
    sample,
    version::Version,
};

/// What is in memory of a file that is being scanned.
const CHUNK: usize = 64 << 10;
/// The longest answer.
const ANSWER: usize = 4 << 10;

/// Where clamd listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `host:port`.
    Tcp(String),
    Unix(PathBuf),
}

/// A text that names no place where clamd could listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not an address such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl")]
pub struct NotAnAddress;

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        if let Some(path) = text.strip_prefix("unix://") {
            return if path.starts_with('/') && path.len() > 1 {
                Ok(Self::Unix(path.into()))
            } else {
                Err(NotAnAddress)
            };
        }
        let address = text.strip_prefix("tcp://").ok_or(NotAnAddress)?;
        let (host, port) = address.trim_end_matches('/').rsplit_once(':').ok_or(NotAnAddress)?;
        let port: u16 = port.parse().map_err(|_| NotAnAddress)?;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let bracketed = bare.len() < host.len();
        if bare.is_empty() || port == 0 || bare.contains(['/', '@', '[', ']']) || bare.contains(':') != bracketed {
            return Err(NotAnAddress);
        }
        Ok(Self::Tcp(format!("{host}:{port}")))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "tcp://{address}"),
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
        }
    }
}

/// How long clamd may take over each step.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub connect: Duration,
    /// Without taking a byte of what is sent.
    pub stall: Duration,
    /// From the last byte to the answer, about a short text.
    pub short_answer: Duration,
    /// The same about a file; clamd itself gives up after its `MaxScanTime`, two minutes by default.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let [connect, stall, short_answer, answer] = [5, 30, 10, 150].map(Duration::from_secs);
        Self { connect, stall, short_answer, answer }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClamdError {
    #[error("cannot connect to clamd at {address}: {source}")]
    Connect { address: Address, source: io::Error },
    #[error("clamd does not answer within {} s", .0.as_secs_f32())]
    Silent(Duration),
    #[error("clamd took no more of the file after {sent} of {bytes} bytes")]
    Stalled { sent: u64, bytes: u64 },
    #[error("clamd broke off after {sent} of {bytes} bytes: {source}")]
    BrokenOff { sent: u64, bytes: u64, source: io::Error },
    #[error("clamd's answer was cut off")]
    CutOff,
    #[error("clamd answered before it had the whole file")]
    Early,
    #[error("clamd's answer makes no sense: \"{0}\"")]
    Garbage(String),
    #[error("clamd says: {0}")]
    Said(String),
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    #[error("the file has {found} bytes where it had {bytes}")]
    Changed { found: u64, bytes: u64 },
}

impl ClamdError {
    pub(super) fn garbage(text: &str) -> Self {
        Self::Garbage(text.chars().filter(|letter| !letter.is_control()).take(80).collect())
    }

    /// Nobody is there, or nobody who speaks.
    pub(super) const fn is_away(&self) -> bool {
        matches!(self, Self::Connect { .. })
    }

    /// clamd did not end the conversation as it should: it may have been started anew, with other settings.
    pub(super) const fn is_broken(&self) -> bool {
        matches!(self, Self::BrokenOff { .. } | Self::CutOff | Self::Silent(_) | Self::Stalled { .. })
    }
}

trait Socket: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Socket for S {}

/// Where to ask and how long to wait.
#[derive(Debug)]
pub(super) struct Clamd {
    address: Address,
    patience: Patience,
}

impl Clamd {
    pub(super) const fn new(address: Address, patience: Patience) -> Self {
        Self { address, patience }
    }

    pub(super) const fn address(&self) -> &Address {
        &self.address
    }

    pub(super) async fn scan_file(&self, path: &Path, bytes: u64) -> Result<Answer, ClamdError> {
        let mut file = tokio::fs::File::open(path).await.map_err(ClamdError::Read)?;
        file.set_max_buf_size(CHUNK);
        self.scan(file, bytes, self.patience.answer).await
    }

    pub(super) async fn scan_eicar(&self) -> Result<Answer, ClamdError> {
        let eicar = sample::eicar();
        self.scan(&eicar[..], eicar.len() as u64, self.patience.short_answer).await
    }

    /// EICAR at the end of so many bytes.
    pub(super) async fn scan_sample(&self, bytes: u64) -> Result<Answer, ClamdError> {
        let (sample, bytes) = sample::with_eicar_at_the_end(bytes);
        self.scan(sample, bytes, self.patience.answer).await
    }

    pub(super) async fn version(&self) -> Result<Version, ClamdError> {
        let limit = self.patience.short_answer;
        let (mut hears, mut says) = split(self.connect().await?);
        let sent = says.write_all(b"zVERSION\0");
        in_time(sent, limit).await?.map_err(|source| ClamdError::BrokenOff { sent: 0, bytes: 0, source })?;
        let text = in_time(answer(&mut hears), limit).await??;
        Version::read(&text).ok_or_else(|| ClamdError::garbage(&text))
    }

    async fn connect(&self) -> Result<Box<dyn Socket>, ClamdError> {
        let connect = async {
            Ok::<Box<dyn Socket>, io::Error>(match &self.address {
                Address::Tcp(address) => {
                    let socket = TcpStream::connect(address).await?;
                    socket.set_nodelay(true)?;
                    Box::new(socket)
                }
                Address::Unix(path) => Box::new(UnixStream::connect(path).await?),
            })
        };
        let late = || io::Error::new(io::ErrorKind::TimedOut, "no answer in time");
        let connected = timeout(self.patience.connect, connect).await.unwrap_or_else(|_| Err(late()));
        connected.map_err(|source| ClamdError::Connect { address: self.address.clone(), source })
    }

    async fn scan(&self, file: impl AsyncRead + Unpin, bytes: u64, limit: Duration) -> Result<Answer, ClamdError> {
        let (mut hears, mut says) = split(self.connect().await?);
        let mut answer = std::pin::pin!(answer(&mut hears));
        let sent = tokio::select! {
            early = &mut answer => return premature(early),
            sent = send(&mut says, file, bytes, self.patience.stall) => sent,
        };
        match sent {
            Ok(()) => reply::read(&in_time(answer, limit).await??),
            // clamd closes after it has said why.
            Err(error @ ClamdError::BrokenOff { .. }) => match timeout(self.patience.short_answer, answer).await {
                Ok(Ok(text)) => premature(Ok(text)),
                Ok(Err(_)) | Err(_) => Err(error),
            },
            Err(error) => Err(error),
        }
    }
}

/// What an answer means that came before the end of the file: whatever it says, it is no verdict on the file.
fn premature(answer: Result<String, ClamdError>) -> Result<Answer, ClamdError> {
    match reply::read(&answer?)? {
        Answer::TooLarge => Ok(Answer::TooLarge),
        Answer::Clean | Answer::Infected(_) => Err(ClamdError::Early),
    }
}

/// Sends the whole file: each piece behind its length, and a piece of no length at the end.
async fn send(
    says: &mut WriteHalf<Box<dyn Socket>>,
    mut file: impl AsyncRead + Unpin,
    bytes: u64,
    stall: Duration,
) -> Result<(), ClamdError> {
    let mut frame = vec![0; 4 + CHUNK];
    let mut sent = 0;
    let mut write = async |piece: &[u8], sent: u64| match timeout(stall, says.write_all(piece)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(source)) => Err(ClamdError::BrokenOff { sent, bytes, source }),
        Err(_) => Err(ClamdError::Stalled { sent, bytes }),
    };
    write(b"zINSTREAM\0", sent).await?;
    loop {
        let (head, room) = frame.split_at_mut(4);
        let count = file.read(room).await.map_err(ClamdError::Read)?;
        head.copy_from_slice(&(count as u32).to_be_bytes());
        sent += count as u64;
        if count == 0 || sent > bytes {
            break;
        }
        write(frame.get(..4 + count).unwrap_or_default(), sent).await?;
    }
    if sent != bytes {
        // Without its end: clamd must not take the part for the whole.
        return Err(ClamdError::Changed { found: sent, bytes });
    }
    write(&[0; 4], sent).await
}

/// The answer up to the NUL that ends it. Whatever comes without one is no answer.
async fn answer(hears: &mut ReadHalf<Box<dyn Socket>>) -> Result<String, ClamdError> {
    let mut text = Vec::new();
    let mut piece = [0; 512];
    loop {
        let count = hears.read(&mut piece).await.map_err(|_| ClamdError::CutOff)?;
        let Some(piece) = piece.get(..count).filter(|piece| !piece.is_empty()) else { return Err(ClamdError::CutOff) };
        text.extend_from_slice(piece);
        if let Some(end) = text.iter().position(|&byte| byte == 0) {
            let behind = text.len() > end + 1;
            text.truncate(end);
            let text = String::from_utf8_lossy(&text);
            return if behind { Err(ClamdError::garbage(&text)) } else { Ok(text.into_owned()) };
        }
        if text.len() > ANSWER {
            return Err(ClamdError::garbage(&String::from_utf8_lossy(&text)));
        }
    }
}

async fn in_time<T>(work: impl Future<Output = T>, limit: Duration) -> Result<T, ClamdError> {
    timeout(limit, work).await.map_err(|_| ClamdError::Silent(limit))
}
