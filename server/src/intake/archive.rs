//! ZIP archives: read where they lie, each file of one through the same pipeline as any other file.
//!
//! Nothing is ever written under a path that an archive names: the path is only told. The directory is read once, entry
//! by entry, and what cannot be right is refused there, before anything is unpacked. Sizes are claims: a file gets as
//! many bytes as it claims, and not one more.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};
use tokio::task::spawn_blocking;

use super::{
    Fate, Intake, IntakeError, Length, Target,
    door::Place,
    incoming::{Incoming, IncomingError, Sink},
};

/// Entries of one archive, folders and what is passed over included.
const ENTRIES: usize = 10_000;
/// How many times larger than in the archive a file may be, beyond [`SMALL`].
const RATIO: u64 = 200;
/// Files up to this many bytes may be packed as tightly as they like.
const SMALL: u64 = 1 << 20;
/// All files together may be so many times as large as the largest one.
const LARGEST_FILES: u64 = 200;
/// How much is unpacked at a time.
const PIECE: usize = 64 << 10;
/// The longest path that is told as it is, in characters.
const PATH: usize = 1024;
/// How many files of an archive are known ahead.
const AHEAD: usize = 256;

/// Why an archive as a whole is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error("this ZIP archive cannot be read: {0}; pack it again")]
    Torn(#[from] rawzip::Error),
    #[error("this ZIP archive cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("this ZIP archive has more than {ENTRIES} entries: split it")]
    TooMany,
    #[error("this ZIP archive would unpack to more than the {} that are taken in at most: split it",
        bytesize::ByteSize(*total).display().iec())]
    TooLarge { total: u64 },
    #[error("this ZIP archive is not what it seems: its files overlap")]
    Overlapping,
    #[error("there is no file in this ZIP archive")]
    Empty,
}

/// An archive that has been looked through, and gives its files one after the other.
pub(crate) struct Archive {
    zip: Arc<ZipArchive<FileReader>>,
    place: Place,
    files: usize,
    given: usize,
    /// A few at a time: an archive may have ten thousand, with long names.
    ahead: VecDeque<Record>,
}

/// One file of an archive.
pub(crate) struct Entry {
    zip: Arc<ZipArchive<FileReader>>,
    place: Place,
    record: Record,
}

/// What the directory says of a file.
struct Record {
    /// For telling only.
    path: String,
    /// Where it is, or why it is refused.
    content: Result<Content, String>,
}

#[derive(Clone, Copy)]
struct Content {
    wayfinder: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
}

/// Whether a file that begins so is a ZIP archive.
pub(super) fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Opens a file, if it is a ZIP archive by its bytes. Blocks.
pub(crate) fn open_if_archive(path: &Path) -> io::Result<Option<File>> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(4).read_to_end(&mut head)?;
    Ok(is_archive(&head).then_some(file))
}

impl Archive {
    /// Looks through the directory of an archive, of which no file may be larger than `limit`. Blocks.
    pub(super) fn open(file: File, limit: u64, place: Place) -> Result<Self, ArchiveError> {
        let zip = ZipArchive::from_file(file, &mut buffer())?;
        let files = look_through(&zip, limit)?;
        Ok(Self { zip: Arc::new(zip), place, files, given: 0, ahead: VecDeque::new() })
    }

    /// How many files there are in it.
    pub(crate) fn files(&self) -> usize {
        self.files
    }

    /// The next file, in the order of the directory.
    pub(crate) async fn next(&mut self) -> Result<Option<Entry>, IntakeError> {
        if self.ahead.is_empty() && self.given < self.files {
            let (zip, given) = (self.zip.clone(), self.given);
            let read = spawn_blocking(move || read_ahead(&zip, given)).await.map_err(IncomingError::CutOff)?;
            self.ahead = read.map_err(|error| IncomingError::Read(io::Error::other(error)))?;
        }
        // Never more than were looked through, should somebody have changed the file since.
        self.given += 1;
        let entry = |record| Entry { zip: self.zip.clone(), place: self.place.clone(), record };
        Ok(self.ahead.pop_front().map(entry))
    }
}

fn buffer() -> Vec<u8> {
    vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE]
}

/// Counts the files, and refuses what cannot be meant well.
fn look_through(zip: &ZipArchive<FileReader>, limit: u64) -> Result<usize, ArchiveError> {
    let total = limit.saturating_mul(LARGEST_FILES);
    let (mut records, mut files, mut unpacked, mut ranges) = (0, 0, 0_u64, Vec::new());
    let mut buffer = buffer();
    let mut directory = zip.entries(&mut buffer);
    while let Some(record) = directory.next_entry()? {
        records += 1;
        if records > ENTRIES {
            return Err(ArchiveError::TooMany);
        }
        let Some(entry) = Record::read(&record) else { continue };
        files += 1;
        let Ok(content) = entry.content else { continue };
        // A file of which not even the head is where it should be is refused by itself.
        if let Ok(located) = zip.get_entry(content.wayfinder) {
            ranges.push(located.compressed_data_range());
        }
        if record.uncompressed_size_hint() <= limit {
            unpacked = unpacked.saturating_add(record.uncompressed_size_hint());
        }
    }
    if files == 0 {
        Err(ArchiveError::Empty)
    } else if unpacked > total {
        Err(ArchiveError::TooLarge { total })
    } else if overlap(ranges) {
        Err(ArchiveError::Overlapping)
    } else {
        Ok(files)
    }
}

fn read_ahead(zip: &ZipArchive<FileReader>, skip: usize) -> Result<VecDeque<Record>, rawzip::Error> {
    let mut buffer = buffer();
    let mut directory = zip.entries(&mut buffer);
    let (mut ahead, mut skipped) = (VecDeque::new(), 0);
    while ahead.len() < AHEAD
        && let Some(record) = directory.next_entry()?
    {
        match Record::read(&record) {
            Some(_) if skipped < skip => skipped += 1,
            Some(entry) => ahead.push_back(entry),
            None => {}
        }
    }
    Ok(ahead)
}

impl Entry {
    /// The path as the archive has it. It leads nowhere.
    pub(crate) fn path(&self) -> &str {
        &self.record.path
    }
}

impl Record {
    /// A record of the directory, if it is a file that somebody means.
    fn read(record: &ZipFileHeaderRecord<'_>) -> Option<Self> {
        let path = String::from_utf8_lossy(record.file_path().as_bytes());
        if record.is_dir() || is_passed_over(&path) {
            return None;
        }
        let content = content(record, &path);
        Some(Self { path: path.chars().take(PATH).collect(), content })
    }
}

/// Where a file's data is, or why it is refused.
fn content(record: &ZipFileHeaderRecord<'_>, path: &str) -> Result<Content, String> {
    let (packed, unpacked) = (record.compressed_size_hint(), record.uncompressed_size_hint());
    let (flags, method) = (record.flags(), record.compression_method());
    if leads_out(path) {
        return Err("its path leads out of the archive".to_owned());
    }
    if record.mode().is_symlink() {
        return Err("it is a symbolic link".to_owned());
    }
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() || method == CompressionMethod::AES {
        return Err("it is encrypted: pack it without a password".to_owned());
    }
    if method != CompressionMethod::STORE && method != CompressionMethod::DEFLATE {
        let method = method.name().unwrap_or("an unknown method");
        return Err(format!("it is packed by {method}, which is not read: pack it by Deflate"));
    }
    if unpacked > SMALL && unpacked / RATIO > packed {
        return Err(format!("it would unpack to more than {RATIO} times its size"));
    }
    Ok(Content { wayfinder: record.wayfinder(), method })
}

/// What systems put into archives beside what people mean.
fn is_passed_over(path: &str) -> bool {
    let hidden = |name: &str| name.starts_with('.') && name != "." && name != "..";
    path.split(['/', '\\']).any(|name| name == "__MACOSX" || hidden(name))
}

fn leads_out(path: &str) -> bool {
    let leads_out = |name: &str| name == ".." || name.ends_with(':');
    path.starts_with(['/', '\\']) || path.contains('\0') || path.split(['/', '\\']).any(leads_out)
}

/// Whether any two of the ranges have a byte in common: honest archives have each file's data once.
fn overlap(mut ranges: Vec<(u64, u64)>) -> bool {
    ranges.retain(|(begin, end)| begin < end);
    ranges.sort_unstable();
    !ranges.is_sorted_by(|(_, end), (begin, _)| end <= begin)
}

impl Content {
    /// Unpacks all of it. Blocks.
    fn unpack(self, zip: &ZipArchive<FileReader>, sink: &mut Sink) -> Result<(), IncomingError> {
        let damaged = |error: rawzip::Error| IncomingError::Read(io::Error::other(error));
        let entry = zip.get_entry(self.wayfinder).map_err(damaged)?;
        let packed = entry.reader();
        if self.method == CompressionMethod::STORE {
            pour(entry.verifying_reader(packed), sink)
        } else {
            pour(entry.verifying_reader(DeflateDecoder::new(packed)), sink)
        }
    }
}

/// The reader checks sum and size, and fails at the first byte too many.
fn pour(mut reader: impl Read, sink: &mut Sink) -> Result<(), IncomingError> {
    let mut piece = vec![0; PIECE];
    loop {
        let count = reader.read(&mut piece).map_err(IncomingError::Read)?;
        match piece.get(..count) {
            None | Some([]) => return Ok(()),
            Some(piece) => sink.write(piece)?,
        }
    }
}

impl Intake {
    /// Opens an archive that has arrived. It gives back its bytes, and keeps its place for its files.
    pub(super) async fn unpack(&self, incoming: Incoming) -> Result<Result<Archive, ArchiveError>, IntakeError> {
        let arrived = incoming.finish().await?;
        let (limit, place) = (self.upload_limit, arrived.pass.into_place());
        // Its name goes with `staged`; what is open stays.
        let open = move || Archive::open(arrived.staged.reopen()?, limit, place);
        Ok(spawn_blocking(open).await.map_err(IncomingError::CutOff)?)
    }

    /// Opens an archive that lies somewhere else, however large.
    pub(crate) async fn open_archive(&self, file: File) -> Result<Result<Archive, ArchiveError>, IntakeError> {
        let (limit, place) = (self.upload_limit, self.door.enter().await?);
        Ok(spawn_blocking(move || Archive::open(file, limit, place)).await.map_err(IncomingError::CutOff)?)
    }

    /// Takes one file of an archive in.
    pub(crate) async fn take_entry(&self, target: &Target, entry: &Entry) -> Result<Fate, IntakeError> {
        let content = match &entry.record.content {
            Ok(content) => *content,
            Err(reason) => return Ok(Fate::Refused { reason: reason.clone() }),
        };
        let incoming = match self.receive_entry(entry, content).await {
            Ok(incoming) => incoming,
            Err(IntakeError::Incoming(error)) if error.refuses() => {
                return Ok(Fate::Refused { reason: error.to_string() });
            }
            Err(error) => return Err(error),
        };
        if incoming.is_archive() {
            return Ok(Fate::Refused { reason: "it is an archive in an archive: unpack it first".to_owned() });
        }
        let name = entry.path().rsplit(['/', '\\']).next().unwrap_or_default();
        self.take(target, name, incoming).await
    }

    async fn receive_entry(&self, entry: &Entry, content: Content) -> Result<Incoming, IntakeError> {
        let length = Length::Said(content.wayfinder.uncompressed_size_hint());
        let pass = self.door.admit_within(&entry.place, length.room(self.upload_limit)?).await?;
        let incoming = Incoming::open(&self.originals, length, self.upload_limit, pass).await?;
        let zip = entry.zip.clone();
        Ok(incoming.fill(move |sink| content.unpack(&zip, sink)).await?)
    }
}
