//! The originals: one file for each content, named by its SHA-256, written once and never changed.
//!
//! Knows neither the database nor HTTP. It must never overwrite or delete an original, and never leave a file under
//! an original's name that is not whole.

mod quarantine;
mod sha256;
mod staging;
mod verify;

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

pub use self::{
    quarantine::Quarantine,
    sha256::{Hasher, Sha256},
    staging::{LeftBehind, Staged},
    verify::{Recorded, Report},
};

/// What can go wrong with an original.
#[derive(Debug, thiserror::Error)]
pub enum OriginalsError {
    #[error("the original {0} is not in the store")]
    Missing(Sha256),
    #[error("cannot {doing} {}: {source}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("the work was cut off: {0}")]
    CutOff(#[from] tokio::task::JoinError),
}

impl OriginalsError {
    fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }
}

/// What became of a file that was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Stored,
    /// The same content was there before, and stays as it is.
    Kept,
}

/// The originals of one data folder: `originals/ab/cd/<sha256>`, and beside them `tmp` for what is still being written.
#[derive(Clone, Debug)]
pub struct Originals {
    root: PathBuf,
    staging: PathBuf,
}

impl Originals {
    /// Opens the originals of a data folder, making the folders that are missing. Blocks.
    pub fn open(data: &Path) -> Result<Self, OriginalsError> {
        let originals = Self { root: data.join("originals"), staging: data.join("tmp") };
        for folder in [&originals.root, &originals.staging] {
            fs::create_dir_all(folder).map_err(OriginalsError::io("make the folder", folder))?;
        }
        Ok(originals)
    }

    /// Whether originals can be written at this moment. Blocks.
    pub fn probe(&self) -> Result<(), OriginalsError> {
        self.stage().map(drop)
    }

    /// Where the content is, or would be.
    pub fn path(&self, sha256: Sha256) -> PathBuf {
        let name = sha256.to_string();
        self.root.join(&name[..2]).join(&name[2..4]).join(name)
    }

    /// Opens an original for reading. Blocks.
    pub fn open_file(&self, sha256: Sha256) -> Result<File, OriginalsError> {
        let path = self.path(sha256);
        File::open(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => OriginalsError::Missing(sha256),
            _ => OriginalsError::Io { doing: "open", path, source },
        })
    }

    /// Moves a staged file, whose bytes hash to `sha256`, to its place: whole and on the disk, or not at all.
    pub async fn put(&self, staged: Staged, sha256: Sha256) -> Result<Put, OriginalsError> {
        let originals = self.clone();
        tokio::task::spawn_blocking(move || originals.place(staged, sha256)).await?
    }

    fn place(&self, staged: Staged, sha256: Sha256) -> Result<Put, OriginalsError> {
        let path = self.path(sha256);
        let (Some(inner), Some(outer)) = (path.parent(), path.parent().and_then(Path::parent)) else {
            return Err(OriginalsError::Missing(sha256));
        };
        staged.flush().map_err(OriginalsError::io("write", staged.path()))?;
        let fresh = !inner.is_dir();
        fs::create_dir_all(inner).map_err(OriginalsError::io("make the folder", inner))?;
        let put = staged.settle(&path).map_err(OriginalsError::io("move into place", &path))?;
        // A name is on the disk only when its folder is; the folder's own name only when the folder above is.
        sync_folder(inner)?;
        if fresh {
            sync_folder(outer)?;
            sync_folder(&self.root)?;
        }
        Ok(put)
    }
}

fn sync_folder(folder: &Path) -> Result<(), OriginalsError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(OriginalsError::io("sync the folder", folder))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn staged(originals: &Originals, content: &[u8]) -> (Staged, Sha256) {
        let mut file = originals.stage().unwrap();
        file.write_all(content).unwrap();
        (file, Sha256::of(content))
    }

    #[tokio::test]
    async fn what_is_put_is_found_under_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        let (file, hash) = staged(&originals, b"a face");
        assert_eq!(originals.put(file, hash).await.unwrap(), Put::Stored);
        let name = hash.to_string();
        let expected = folder.path().join("originals").join(&name[..2]).join(&name[2..4]).join(&name);
        assert_eq!(originals.path(hash), expected);
        assert_eq!(fs::read(expected).unwrap(), b"a face");
        assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn an_original_that_is_there_is_kept_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        let (file, hash) = staged(&originals, b"a face");
        originals.put(file, hash).await.unwrap();
        let before = fs::metadata(originals.path(hash)).unwrap().modified().unwrap();
        let (again, _) = staged(&originals, b"other bytes under a false name");
        assert_eq!(originals.put(again, hash).await.unwrap(), Put::Kept);
        assert_eq!(fs::read(originals.path(hash)).unwrap(), b"a face");
        assert_eq!(fs::metadata(originals.path(hash)).unwrap().modified().unwrap(), before);
        assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn an_original_that_is_not_there_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        let hash = Sha256::of(b"never put");
        assert!(matches!(originals.open_file(hash), Err(OriginalsError::Missing(missing)) if missing == hash));
    }
}
