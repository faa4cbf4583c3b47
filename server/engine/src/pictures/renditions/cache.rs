//! Renditions as files: `<recipe>-v<version>/ab/cd/<hash>.<format>`.
//!
//! Written to a temporary file in the same folder and renamed, without waiting for the disk: a rendition can always be
//! made again, and what a power cut tears is noticed when it is read. Two processes may share one folder.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use bytes::Bytes;

use super::{Key, Rendition};
use crate::pictures::recipe::Encoding;

/// Renditions up to this size are read at once, so that a slow client holds no descriptor.
const READ_AT_ONCE: u64 = 256 << 10;
const TEMPORARY: &str = ".tmp-";

/// The cache folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub(super) fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        sweep(&folder)?;
        Ok(Self { folder })
    }

    /// The rendition, if its file is there and whole. A torn file counts as none: it will be written anew.
    pub(super) fn read(&self, key: &Key) -> Option<Rendition> {
        let mut file = File::open(self.path(key)).ok()?;
        let bytes = file.metadata().ok()?.len();
        if bytes <= READ_AT_ONCE {
            let mut content = Vec::with_capacity(usize::try_from(bytes).ok()? + 1);
            file.read_to_end(&mut content).ok()?;
            let (head, tail) = (content.get(..HEAD)?, content.get(content.len().checked_sub(TAIL)?..)?);
            return whole(key.recipe.encoding, content.len() as u64, head, tail)
                .then(|| Rendition::Memory(Bytes::from(content)));
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
        }
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
        (Encoding::WebP { .. }, [b'R', b'I', b'F', b'F', a, b, c, d, b'W', b'E', b'B', b'P']) => {
            // A block that never reached the disk reads as zeros; no encoder ends on so many.
            u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + 8 == length && tail.iter().any(|byte| *byte != 0)
        }
        (Encoding::Png, [0x89, b'P', b'N', b'G', ..]) => tail.get(4..8) == Some(b"IEND"),
        _ => false,
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

/// Removes temporary files. One that another process is still writing may be among them: it then serves from memory.
fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sweep(&entry.path())?;
        } else if entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes()) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}
