//! One look after the other: which files are there, and which have not moved between two looks.

use std::{
    collections::HashMap,
    fs::Metadata,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use tokio::{fs::File, task::spawn_blocking};

use crate::intake::walk::{Found, walk};
pub(super) use crate::store::Mark;

/// Endings of files that somebody is still at, or that systems leave about.
const PASSED_OVER: &[&str] =
    &["~", ".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".filepart", ".swp", ".lock"];
/// Files that systems put into folders by themselves.
const OF_SYSTEMS: &[&str] = &["thumbs.db", "desktop.ini"];

/// A file that was the same in two looks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Still {
    /// Within the folder.
    pub(super) path: PathBuf,
    pub(super) mark: Mark,
}

/// What earlier looks have shown.
#[derive(Debug, Default)]
pub(super) struct Looks {
    dealt_with: HashMap<PathBuf, Mark>,
    waiting: HashMap<PathBuf, Mark>,
}

impl Looks {
    /// Compares with the look before, and gives what has not moved since, in the order given.
    pub(super) fn compare(&mut self, files: Vec<(PathBuf, Mark)>) -> Vec<Still> {
        let before = std::mem::take(&mut self.waiting);
        let mut still = Vec::new();
        for (path, mark) in files {
            if self.dealt_with.get(&path) == Some(&mark) {
                continue;
            }
            if before.get(&path) == Some(&mark) {
                still.push(Still { path, mark });
            } else {
                self.waiting.insert(path, mark);
            }
        }
        still
    }

    /// The file needs no further look as long as it does not change.
    pub(super) fn dealt_with(&mut self, path: PathBuf, mark: Mark) {
        self.dealt_with.insert(path, mark);
    }

    /// The file lay still, but nothing could be done with it.
    pub(super) fn wait_for(&mut self, path: PathBuf, mark: Mark) {
        self.waiting.insert(path, mark);
    }

    /// Whether there are files that another look is due for.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// All files of a folder that somebody may have meant, in the order of their names.
pub(super) async fn look(folder: &Path) -> io::Result<Vec<(PathBuf, Mark)>> {
    let folder = folder.to_owned();
    let looked = spawn_blocking(move || {
        // A folder that is not there is not an empty one.
        std::fs::read_dir(&folder)?;
        let files = walk(std::slice::from_ref(&folder)).into_iter().filter_map(|found| match found {
            Found::File(path) => seen(&folder, &path),
            Found::Unreadable { path, reason } => {
                tracing::debug!(path = %path.display(), reason, "a part of a watched folder cannot be looked into");
                None
            }
        });
        Ok(files.collect())
    });
    looked.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Whether a file lies as it did at the last look; an error where it may not be read.
pub(super) async fn still_so(file: &Path, then: Mark) -> io::Result<bool> {
    let opened = async { File::open(file).await?.metadata().await };
    match opened.await {
        Ok(data) => Ok(mark(&data) == then),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn seen(folder: &Path, path: &Path) -> Option<(PathBuf, Mark)> {
    let within = path.strip_prefix(folder).ok()?;
    let name = within.file_name()?.to_string_lossy().to_lowercase();
    let passed_over = name.starts_with("~$")
        || OF_SYSTEMS.contains(&name.as_str())
        || PASSED_OVER.iter().any(|ending| name.ends_with(ending));
    // What has no bytes yet is about to get some.
    let mark = std::fs::metadata(path).ok().map(|data| mark(&data)).filter(|mark| mark.bytes > 0)?;
    (!passed_over).then(|| (within.to_owned(), mark))
}

fn mark(data: &Metadata) -> Mark {
    let modified = data.modified().ok().map_or(0, |at| match at.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |before| -before),
    });
    Mark { bytes: data.len(), modified }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, bytes: u64) -> (PathBuf, Mark) {
        (PathBuf::from(path), Mark { bytes, modified: 7 })
    }

    fn paths(still: &[Still]) -> Vec<&str> {
        still.iter().map(|still| still.path.to_str().unwrap()).collect()
    }

    #[test]
    fn a_file_is_taken_when_two_looks_in_a_row_agree_on_it() {
        let mut looks = Looks::default();
        assert!(looks.compare(vec![file("a", 1), file("b", 1)]).is_empty());
        assert!(looks.is_waiting());
        let still = looks.compare(vec![file("a", 2), file("b", 1)]);
        assert_eq!(paths(&still), ["b"]);
        looks.dealt_with("b".into(), still[0].mark);
        let still = looks.compare(vec![file("a", 2), file("b", 1)]);
        assert_eq!(paths(&still), ["a"]);
        looks.dealt_with("a".into(), still[0].mark);
        assert!(looks.compare(vec![file("a", 2), file("b", 1)]).is_empty());
        assert!(!looks.is_waiting());
    }

    #[test]
    fn what_changes_after_it_was_taken_is_taken_again_and_what_goes_is_no_matter() {
        let mut looks = Looks::default();
        looks.dealt_with("a".into(), file("a", 1).1);
        assert!(looks.compare(vec![file("a", 3), file("b", 1)]).is_empty());
        assert_eq!(paths(&looks.compare(vec![file("a", 3)])), ["a"], "b was not there for long");
        assert!(!looks.is_waiting());
        assert!(looks.compare(Vec::new()).is_empty());
    }

    #[test]
    fn what_had_to_wait_is_given_again_with_the_next_look() {
        let mut looks = Looks::default();
        looks.compare(vec![file("a", 1)]);
        let [Still { path, mark }] = <[Still; 1]>::try_from(looks.compare(vec![file("a", 1)])).unwrap();
        looks.wait_for(path, mark);
        assert_eq!(paths(&looks.compare(vec![file("a", 1)])), ["a"]);
    }

    #[tokio::test]
    async fn files_that_nobody_means_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("more/.cache")).unwrap();
        for name in [
            "a.png",
            "more/b.png",
            ".hidden.png",
            "more/.cache/c.png",
            "d.png.part",
            "e.JPG.crdownload",
            "f.png~",
            "~$g.png",
            "Thumbs.db",
        ] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        std::fs::write(folder.path().join("empty.png"), "").unwrap();
        let seen = look(folder.path()).await.unwrap();
        assert_eq!(seen.iter().map(|(path, _)| path.to_str().unwrap()).collect::<Vec<_>>(), ["a.png", "more/b.png"]);
        assert!(look(&folder.path().join("missing")).await.is_err());
    }

    #[tokio::test]
    async fn a_file_is_looked_at_once_more_before_it_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.png");
        std::fs::write(&file, "whole").unwrap();
        let then = mark(&std::fs::metadata(&file).unwrap());
        assert!(still_so(&file, then).await.unwrap());
        std::fs::write(&file, "longer than before").unwrap();
        assert!(!still_so(&file, then).await.unwrap());
        std::fs::remove_file(&file).unwrap();
        assert!(!still_so(&file, then).await.unwrap(), "what was taken away is no trouble");
    }
}
