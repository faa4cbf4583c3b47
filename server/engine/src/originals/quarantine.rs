//! Files that are held back: beside the originals, under names that say nothing, and read by nobody but the scanner.
//!
//! A file comes in by a move and goes out by a link into the staging folder, so that it is whole in one place or the
//! other whenever the power fails. Nothing here may ever be served.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use super::{Originals, OriginalsError, Put, Sha256, Staged, sync_folder};

/// The quarantine of one data folder: `quarantine/<name>`.
#[derive(Clone, Debug)]
pub struct Quarantine {
    folder: PathBuf,
}

/// A file that was just taken into the quarantine: a sweep lets it be until this is dropped.
#[derive(Debug)]
#[must_use = "it is safe from a sweep as long as this lives"]
pub struct Taken {
    _locked: File,
}

impl Quarantine {
    /// Opens the quarantine of a data folder, making it where it is missing. Blocks.
    pub fn open(data: &Path) -> Result<Self, OriginalsError> {
        let folder = data.join("quarantine");
        fs::create_dir_all(&folder).map_err(OriginalsError::io("make the folder", &folder))?;
        Ok(Self { folder })
    }

    /// Where a file is, or would be.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Moves a staged file in: whole and on the disk, or not at all. Blocks.
    pub fn take(&self, staged: Staged, name: &str) -> Result<Taken, OriginalsError> {
        let path = self.path(name);
        staged.flush().map_err(OriginalsError::io("write", staged.path()))?;
        // The lock belongs to the file that is open, not to its name.
        let locked = staged.0.as_file().try_clone().map_err(OriginalsError::io("hold", staged.path()))?;
        match staged.settle(&path).map_err(OriginalsError::io("move into quarantine", &path))? {
            Put::Stored => {}
            Put::Kept => {
                let source = io::Error::from(ErrorKind::AlreadyExists);
                return Err(OriginalsError::Io { doing: "move into quarantine", path, source });
            }
        }
        sync_folder(&self.folder)?;
        Ok(Taken { _locked: locked })
    }

    /// The file once more as a staged one, and its hash as it is on the disk now. It stays in quarantine, too, until
    /// it is removed. Blocks, for as long as reading it takes.
    ///
    /// # Errors
    /// [`OriginalsError::Io`] with [`ErrorKind::NotFound`] where it is gone.
    pub fn stage(&self, name: &str, originals: &Originals) -> Result<(Staged, Sha256, u64), OriginalsError> {
        let held = self.path(name);
        let link = |path: &Path| {
            fs::hard_link(&held, path)?;
            OpenOptions::new().read(true).write(true).open(path)
        };
        let staged = tempfile::Builder::new().prefix("held-").make_in(&originals.staging, link);
        let staged = staged.map_err(OriginalsError::io("link", &held))?;
        let file = staged.as_file();
        // Shared: whoever asks once more meanwhile gets a link of its own to the same file.
        file.lock_shared().map_err(OriginalsError::io("lock", &held))?;
        let (sha256, bytes) = Sha256::of_reader(file).map_err(OriginalsError::io("read", &held))?;
        Ok((Staged(staged), sha256, bytes))
    }

    /// Removes a file; one that is not there is no error. Blocks.
    pub fn remove(&self, name: &str) -> Result<(), OriginalsError> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            removed => removed.map_err(OriginalsError::io("remove", &path))?,
        }
        sync_folder(&self.folder)
    }

    /// Removes every file that nobody knows and nobody is taking in at this moment; returns how many. Blocks.
    pub fn sweep(&self, is_known: impl Fn(&str) -> bool) -> Result<usize, OriginalsError> {
        let mut swept = 0;
        let entries = fs::read_dir(&self.folder).map_err(OriginalsError::io("list", &self.folder))?;
        for entry in entries {
            let path = entry.map_err(OriginalsError::io("list", &self.folder))?.path();
            let known = path.file_name().and_then(|name| name.to_str()).is_some_and(&is_known);
            let abandoned = !known && File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
            if abandoned && fs::remove_file(&path).is_ok() {
                swept += 1;
            }
        }
        Ok(swept)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn quarantine() -> (tempfile::TempDir, Originals, Quarantine) {
        let folder = tempfile::tempdir().unwrap();
        let (originals, quarantine) =
            (Originals::open(folder.path()).unwrap(), Quarantine::open(folder.path()).unwrap());
        (folder, originals, quarantine)
    }

    fn staged(originals: &Originals, content: &[u8]) -> Staged {
        let mut file = originals.stage().unwrap();
        file.write_all(content).unwrap();
        file
    }

    #[tokio::test]
    async fn what_is_held_goes_on_as_if_it_had_just_arrived() {
        let (folder, originals, quarantine) = quarantine();
        drop(quarantine.take(staged(&originals, b"a face"), "1").unwrap());
        assert_eq!(fs::read(quarantine.path("1")).unwrap(), b"a face");
        assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);

        let (again, sha256, bytes) = quarantine.stage("1", &originals).unwrap();
        assert_eq!((sha256, bytes), (Sha256::of(b"a face"), 6));
        assert_eq!(originals.put(again, sha256).await.unwrap(), Put::Stored);
        quarantine.remove("1").unwrap();
        quarantine.remove("1").unwrap();
        assert_eq!(fs::read(originals.path(sha256)).unwrap(), b"a face");
        assert!(matches!(
            quarantine.stage("1", &originals),
            Err(OriginalsError::Io { source, .. }) if source.kind() == ErrorKind::NotFound
        ));
    }

    #[tokio::test]
    async fn a_release_that_is_cut_off_leaves_the_file_held_and_can_be_repeated() {
        let (folder, originals, quarantine) = quarantine();
        drop(quarantine.take(staged(&originals, b"a face"), "1").unwrap());
        let (half, ..) = quarantine.stage("1", &originals).unwrap();
        drop(half);
        let (again, sha256, _) = quarantine.stage("1", &originals).unwrap();
        originals.put(again, sha256).await.unwrap();
        // Cut off before the file was removed, once more.
        let (again, ..) = quarantine.stage("1", &originals).unwrap();
        assert_eq!(originals.put(again, sha256).await.unwrap(), Put::Kept);
        quarantine.remove("1").unwrap();
        assert_eq!(fs::read(originals.path(sha256)).unwrap(), b"a face");
        assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn a_sweep_takes_what_nobody_knows_and_nothing_that_is_being_taken_in() {
        let (_folder, originals, quarantine) = quarantine();
        for name in ["known", "lost"] {
            drop(quarantine.take(staged(&originals, b"a face"), name).unwrap());
        }
        let taking = quarantine.take(staged(&originals, b"a face"), "new").unwrap();
        assert_eq!(quarantine.sweep(|name| name == "known").unwrap(), 1);
        assert!(quarantine.path("known").exists() && quarantine.path("new").exists());
        assert!(!quarantine.path("lost").exists());
        drop(taking);
    }

    #[test]
    fn nothing_that_is_held_is_ever_overwritten() {
        let (_folder, originals, quarantine) = quarantine();
        drop(quarantine.take(staged(&originals, b"a face"), "1").unwrap());
        assert!(quarantine.take(staged(&originals, b"another"), "1").is_err());
        assert_eq!(fs::read(quarantine.path("1")).unwrap(), b"a face");
    }
}
