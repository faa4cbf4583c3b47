//! Proves the originals: every file is read again and compared with what was recorded.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{Originals, OriginalsError, Sha256};

/// An original as the database has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub sha256: Sha256,
    pub bytes: u64,
}

/// A file that is not what was recorded of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    pub recorded: Recorded,
    /// What is there now; absent where the file could not be read.
    pub found: Option<Recorded>,
    pub reason: String,
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub whole: usize,
    pub missing: Vec<Recorded>,
    pub changed: Vec<Changed>,
    /// Files among the originals that nothing was recorded of.
    pub unknown: Vec<PathBuf>,
}

impl Report {
    pub fn is_clean(&self) -> bool {
        self.missing.is_empty() && self.changed.is_empty() && self.unknown.is_empty()
    }
}

/// How far a verification has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub total: usize,
}

impl Originals {
    /// Reads every original and compares size and SHA-256; tells `progress` after each. Blocks, for as long as the disk takes.
    pub fn verify(&self, recorded: &[Recorded], mut progress: impl FnMut(Progress)) -> Result<Report, OriginalsError> {
        let mut report = Report::default();
        let mut present = self.files()?;
        for (done, &original) in recorded.iter().enumerate() {
            let path = self.path(original.sha256);
            present.remove(&path);
            match examine(&path, original) {
                Ok(()) => report.whole += 1,
                Err(None) => report.missing.push(original),
                Err(Some(changed)) => report.changed.push(changed),
            }
            progress(Progress { done: done + 1, total: recorded.len() });
        }
        report.unknown = present.into_iter().collect();
        Ok(report)
    }

    /// Every file below the originals' folder, whatever its name.
    fn files(&self) -> Result<BTreeSet<PathBuf>, OriginalsError> {
        let mut files = BTreeSet::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(OriginalsError::io("list", &folder))? {
                let entry = entry.map_err(OriginalsError::io("list", &folder))?;
                let kind = entry.file_type().map_err(OriginalsError::io("examine", &entry.path()))?;
                if kind.is_dir() {
                    folders.push(entry.path());
                } else {
                    files.insert(entry.path());
                }
            }
        }
        Ok(files)
    }
}

/// `Err(None)`: the file is missing.
fn examine(path: &Path, recorded: Recorded) -> Result<(), Option<Changed>> {
    let read = File::open(path).and_then(Sha256::of_reader);
    let (found, reason) = match read {
        Ok((sha256, bytes)) => {
            let found = Recorded { sha256, bytes };
            if found == recorded {
                return Ok(());
            }
            let reason = if bytes == recorded.bytes {
                format!("the SHA-256 is {sha256}")
            } else {
                format!("{bytes} bytes instead of {}", recorded.bytes)
            };
            (Some(found), reason)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
        Err(error) => (None, format!("cannot be read: {error}")),
    };
    Err(Some(Changed { recorded, found, reason }))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    async fn put(originals: &Originals, content: &[u8]) -> Recorded {
        let mut file = originals.stage().unwrap();
        file.write_all(content).unwrap();
        let sha256 = Sha256::of(content);
        originals.put(file, sha256).await.unwrap();
        Recorded { sha256, bytes: content.len() as u64 }
    }

    #[tokio::test]
    async fn a_flipped_byte_a_cut_a_missing_and_an_unknown_file_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        let whole = put(&originals, b"whole").await;
        let flipped = put(&originals, b"flipped").await;
        let cut = put(&originals, b"cut in half").await;
        let missing = put(&originals, b"missing").await;
        fs::write(originals.path(flipped.sha256), b"flippee").unwrap();
        fs::write(originals.path(cut.sha256), b"cut").unwrap();
        fs::remove_file(originals.path(missing.sha256)).unwrap();
        let stranger = folder.path().join("originals/ab/notes.txt");
        fs::create_dir_all(stranger.parent().unwrap()).unwrap();
        fs::write(&stranger, b"?").unwrap();

        let mut steps = Vec::new();
        let report = originals.verify(&[whole, flipped, cut, missing], |step| steps.push(step.done)).unwrap();

        assert_eq!(report.whole, 1);
        assert_eq!(report.missing, [missing]);
        assert_eq!(report.changed.iter().map(|changed| changed.recorded).collect::<Vec<_>>(), [flipped, cut]);
        assert_eq!(report.changed[1].reason, "3 bytes instead of 11");
        assert_eq!(report.unknown, [stranger]);
        assert!(!report.is_clean());
        assert_eq!(steps, [1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn whole_originals_make_a_clean_report() {
        let folder = tempfile::tempdir().unwrap();
        let originals = Originals::open(folder.path()).unwrap();
        let recorded = [put(&originals, b"one").await, put(&originals, b"two").await];
        assert!(originals.verify(&recorded, |_| ()).unwrap().is_clean());
    }
}
