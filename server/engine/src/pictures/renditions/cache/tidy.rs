//! Keeping the cache folder clean and within its bound.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::TEMPORARY;

/// What an eviction did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evicted {
    /// Files removed, and their bytes.
    pub files: u64,
    pub bytes: u64,
    /// Bytes that stay.
    pub kept: u64,
}

struct Found {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

/// Removes temporary files and says how many bytes all others take. One that another process is still writing may be
/// among the removed: that process then serves from memory.
pub(super) fn sweep(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    walk(folder, &mut |entry, path| {
        if entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes()) {
            return remove(&path);
        }
        bytes += entry.metadata().map_or(0, |data| data.len());
        Ok(())
    })?;
    Ok(bytes)
}

/// Removes what was not used for longest until at most `bound` bytes are left.
pub(super) fn evict(folder: &Path, bound: u64) -> io::Result<Evicted> {
    let mut all = Vec::new();
    walk(folder, &mut |entry, path| {
        if let Ok(data) = entry.metadata() {
            all.push(Found { used: data.modified().unwrap_or(SystemTime::UNIX_EPOCH), bytes: data.len(), path });
        }
        Ok(())
    })?;
    all.sort_by_key(|found| found.used);
    let mut evicted = Evicted { kept: all.iter().map(|found| found.bytes).sum(), ..Evicted::default() };
    for found in all {
        if evicted.kept <= bound {
            break;
        }
        remove(&found.path)?;
        evicted.kept -= found.bytes;
        evicted.bytes += found.bytes;
        evicted.files += 1;
    }
    Ok(evicted)
}

pub(super) fn walk(folder: &Path, each: &mut impl FnMut(fs::DirEntry, PathBuf) -> io::Result<()>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            walk(&path, each)?;
        } else {
            each(entry, path)?;
        }
    }
    Ok(())
}

/// Removes a file that somebody else may be removing, too.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
