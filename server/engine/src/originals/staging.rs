//! Files that are being written: on the same file system as the originals, and gone when they are dropped.
//!
//! Each is locked as long as somebody holds it, so that a sweep takes only what a killed process left behind.

use std::{
    fs::{self, File},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::NamedTempFile;

use super::{Originals, OriginalsError, Put};

/// A file on its way to become an original; removed when dropped.
#[derive(Debug)]
pub struct Staged(pub(super) NamedTempFile);

impl Staged {
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A second handle to the file, at its beginning, for reading what was written.
    pub fn reopen(&self) -> io::Result<File> {
        self.0.reopen()
    }

    pub(super) fn flush(&self) -> io::Result<()> {
        self.0.as_file().sync_all()
    }

    pub(super) fn settle(self, place: &Path) -> io::Result<Put> {
        match self.0.persist_noclobber(place) {
            Ok(_) => Ok(Put::Stored),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(Put::Kept),
            Err(failed) => Err(failed.error),
        }
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_file_mut().flush()
    }
}

impl Seek for Staged {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.0.as_file_mut().seek(to)
    }
}

/// A half-written file of a process that is gone.
#[derive(Clone, Debug)]
pub struct LeftBehind {
    pub path: PathBuf,
    pub bytes: u64,
    /// When it was last written to.
    pub written: SystemTime,
}

impl Originals {
    /// An empty file to write an original's bytes to. Blocks.
    pub fn stage(&self) -> Result<Staged, OriginalsError> {
        let file = NamedTempFile::with_prefix_in("original-", &self.staging)
            .map_err(OriginalsError::io("make a file in", &self.staging))?;
        file.as_file().lock().map_err(OriginalsError::io("lock", file.path()))?;
        Ok(Staged(file))
    }

    /// Removes what killed processes left behind; returns how many files. Files that another process is writing stay. Blocks.
    pub fn sweep(&self) -> Result<usize, OriginalsError> {
        let left = self.left_behind()?;
        Ok(left.iter().filter(|left| fs::remove_file(&left.path).is_ok()).count())
    }

    /// What killed processes left behind: files that nobody is writing. Blocks.
    pub fn left_behind(&self) -> Result<Vec<LeftBehind>, OriginalsError> {
        let mut left = Vec::new();
        let entries = fs::read_dir(&self.staging).map_err(OriginalsError::io("list", &self.staging))?;
        for entry in entries {
            let path = entry.map_err(OriginalsError::io("list", &self.staging))?.path();
            let Ok(file) = File::open(&path) else { continue };
            let Ok(data) = file.metadata() else { continue };
            if data.is_file() && file.try_lock().is_ok() {
                let written = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                left.push(LeftBehind { path, bytes: data.len(), written });
            }
        }
        Ok(left)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_sweep_takes_what_was_left_behind_and_nothing_that_is_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        fs::write(folder.path().join("tmp/original-dead"), b"half").unwrap();
        let mut alive = originals.stage().unwrap();
        alive.write_all(b"whole").unwrap();
        assert_eq!(originals.sweep().unwrap(), 1);
        assert_eq!(fs::read(alive.path()).unwrap(), b"whole");
        assert!(!folder.path().join("tmp/original-dead").exists());
    }

    #[test]
    fn a_staged_file_that_is_dropped_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        let path = originals.stage().unwrap().path().to_owned();
        assert!(!path.exists());
    }
}
