//! Renditions as files: `<recipe>-v<version>/ab/cd/<hash>.<format>`.
//!
//! Written to a temporary file in the same folder and renamed, without waiting for the disk: a rendition can always be
//! made again, and what a power cut tears is noticed when it is read. Two processes may share one folder.

mod at_hand;
mod collect;
mod tidy;

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use bytes::Bytes;

pub use self::{
    collect::{Collected, Freed, GRACE, Wanted, collect},
    tidy::Evicted,
};
use super::{Key, Rendition};
use crate::pictures::recipe::Encoding;

/// Renditions up to this size are read at once, so that a slow client holds no descriptor.
const READ_AT_ONCE: u64 = 256 << 10;
const TEMPORARY: &str = ".tmp-";
const MARK_EVERY: Duration = Duration::from_secs(3600);

/// The cache folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    /// The most that its files may take together.
    bound: u64,
    /// What they take by this process's count; another process's files are counted at the next eviction.
    bytes: AtomicU64,
    evicting: AtomicBool,
}

impl Cache {
    pub(super) fn open(folder: PathBuf, bound: u64) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let bytes = AtomicU64::new(tidy::sweep(&folder)?);
        let cache = Self { folder, bound, bytes, evicting: AtomicBool::new(false) };
        // The bound may have been set lower than it was.
        cache.make_room();
        Ok(cache)
    }

    /// Removes what was not used for longest until at most `bound` bytes are left.
    pub(super) fn evict(&self, bound: u64) -> io::Result<Evicted> {
        let evicted = tidy::evict(&self.folder, bound)?;
        self.bytes.store(evicted.kept, Ordering::Relaxed);
        Ok(evicted)
    }

    /// The rendition, if its file is there and whole. A torn file counts as none: it will be written anew.
    pub(super) fn read(&self, key: &Key) -> Option<Rendition> {
        let mut file = File::open(self.path(key)).ok()?;
        let data = file.metadata().ok()?;
        let bytes = data.len();
        touch(&file, data.modified().ok());
        if bytes <= READ_AT_ONCE {
            let mut content = Vec::with_capacity(usize::try_from(bytes).ok()? + 1);
            file.read_to_end(&mut content).ok()?;
            return in_memory(key.recipe.encoding, content);
        }
        let (mut head, mut tail) = ([0; HEAD], [0; TAIL]);
        file.read_exact(&mut head).ok()?;
        file.seek(SeekFrom::End(-(TAIL as i64))).ok()?;
        file.read_exact(&mut tail).ok()?;
        file.rewind().ok()?;
        whole(key.recipe.encoding, bytes, &head, &tail).then_some(Rendition::File { file, bytes })
    }

    /// Stores a rendition. A full or read-only disk is no reason to fail: it is served from memory and made again.
    pub(super) fn write(&self, key: &Key, content: &[u8]) {
        let path = self.path(key);
        if let Err(error) = write_whole(&path, content) {
            tracing::warn!(%error, path = %path.display(), "a rendition could not be stored; it is served from memory");
            return;
        }
        self.bytes.fetch_add(content.len() as u64, Ordering::Relaxed);
        self.make_room();
    }

    /// Evicts where the bound is passed, a tenth more than is needed: listing everything is to be worth its while.
    fn make_room(&self) {
        if self.bytes.load(Ordering::Relaxed) <= self.bound || self.evicting.swap(true, Ordering::AcqRel) {
            return;
        }
        match self.evict(self.bound / 10 * 9) {
            Ok(evicted) => tracing::info!(?evicted, "old renditions made room for new ones"),
            Err(error) => tracing::warn!(%error, "the cache of renditions cannot be tidied"),
        }
        self.evicting.store(false, Ordering::Release);
    }

    fn path(&self, key: &Key) -> PathBuf {
        let hash = key.sha256.as_str();
        self.folder
            .join(key.recipe.folder())
            .join(&hash[..2])
            .join(&hash[2..4])
            .join(format!("{hash}.{}", key.recipe.encoding.extension()))
    }
}

const HEAD: usize = 12;
const TAIL: usize = 12;

/// Whether a file of `length` bytes is as long as it says and ends with something.
fn whole(encoding: Encoding, length: u64, head: &[u8], tail: &[u8]) -> bool {
    match (encoding, head) {
        (Encoding::Screen | Encoding::WebP { .. }, [b'R', b'I', b'F', b'F', a, b, c, d, b'W', b'E', b'B', b'P']) => {
            // A block that never reached the disk reads as zeros; no encoder ends on so many.
            u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + 8 == length && tail.iter().any(|byte| *byte != 0)
        }
        (Encoding::Png, [0x89, b'P', b'N', b'G', ..]) => tail.get(4..8) == Some(b"IEND"),
        _ => false,
    }
}

/// A rendition that was read whole, if it is.
fn in_memory(encoding: Encoding, content: Vec<u8>) -> Option<Rendition> {
    let (head, tail) = (content.get(..HEAD)?, content.get(content.len().checked_sub(TAIL)?..)?);
    whole(encoding, content.len() as u64, head, tail).then(|| Rendition::Memory(Bytes::from(content)))
}

/// Whether a file last marked then is to be marked as used: once an hour is fine enough.
fn is_unmarked(used: Option<SystemTime>) -> bool {
    used.is_none_or(|used| SystemTime::now().duration_since(used).is_ok_and(|ago| ago > MARK_EVERY))
}

/// Marks a file as used where that is due: it is how we know what was not used for longest.
fn touch(file: &File, used: Option<SystemTime>) {
    if is_unmarked(used) {
        // Where it cannot be marked, it only goes sooner.
        let _ = file.set_modified(SystemTime::now());
    }
}

fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}
