//! Collecting what nobody needs any more: what is left of crashes, of originals that are gone, of recipes that changed,
//! and what was not used for longest where all together is too much.
//!
//! Safe beside a running server: whatever goes is made again when it is asked for. What this room has not written itself
//! is left alone.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{TEMPORARY, tidy};
use crate::pictures::{Recipe, Sha256Hex};

/// What is younger may be in somebody's hands: a file that is being written, or the thumbnail of a picture that is still
/// being imported.
pub const GRACE: Duration = Duration::from_secs(3600);

/// What has to stay.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The originals that there are.
    pub originals: &'a HashSet<Sha256Hex>,
    /// The recipes that can be asked for.
    pub recipes: &'a [&'a Recipe],
    /// Bytes that all renditions may take together.
    pub bound: u64,
}

/// Files and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freed {
    pub files: u64,
    pub bytes: u64,
}

impl Freed {
    pub fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

/// What a collection found, and has removed unless it was for show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Half-written files.
    pub temporary: Freed,
    /// Renditions of originals that are gone.
    pub orphaned: Freed,
    /// Renditions by recipes that are no more.
    pub outdated: Freed,
    /// Renditions that were not used for longest.
    pub unused: Freed,
    /// Renditions that stay.
    pub kept: Freed,
    /// Files that are none of ours, and stay.
    pub strangers: u64,
    /// What could not be removed, and why.
    pub failed: Vec<String>,
}

/// What is to be done with a file.
enum Fate {
    Keep(SystemTime),
    Temporary,
    Orphaned,
    Outdated,
    Stranger,
}

/// Collects in the cache folder `folder`; with `for_show` nothing is removed. Blocks, for as long as the disk takes.
///
/// # Errors
/// The folder cannot be listed.
pub fn collect(folder: &Path, wanted: &Wanted<'_>, now: SystemTime, for_show: bool) -> io::Result<Collected> {
    let recipes: HashSet<String> = wanted.recipes.iter().map(|recipe| recipe.folder()).collect();
    let mut collected = Collected::default();
    let mut kept = Vec::new();
    let remove = |path: &Path, freed: &mut Freed, bytes: u64, failed: &mut Vec<String>| match if for_show {
        Ok(())
    } else {
        tidy::remove(path)
    } {
        Ok(()) => freed.add(bytes),
        Err(error) => failed.push(format!("{}: {error}", path.display())),
    };
    tidy::walk(folder, &mut |entry, path| {
        // What has gone meanwhile needs nothing.
        let Ok(data) = entry.metadata() else { return Ok(()) };
        let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let failed = &mut collected.failed;
        match fate(folder, &path, used, now, wanted.originals, &recipes) {
            Fate::Keep(used) => kept.push((used, data.len(), path)),
            Fate::Temporary => remove(&path, &mut collected.temporary, data.len(), failed),
            Fate::Orphaned => remove(&path, &mut collected.orphaned, data.len(), failed),
            Fate::Outdated => remove(&path, &mut collected.outdated, data.len(), failed),
            Fate::Stranger => collected.strangers += 1,
        }
        Ok(())
    })?;
    kept.sort();
    let mut total: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, bytes, path) in kept {
        if total > wanted.bound {
            total -= bytes;
            remove(&path, &mut collected.unused, bytes, &mut collected.failed);
        } else {
            collected.kept.add(bytes);
        }
    }
    if !for_show {
        sweep_empty(folder, &recipes);
    }
    Ok(collected)
}

fn fate(
    folder: &Path,
    path: &Path,
    used: SystemTime,
    now: SystemTime,
    originals: &HashSet<Sha256Hex>,
    recipes: &HashSet<String>,
) -> Fate {
    let old = now.duration_since(used).is_ok_and(|age| age > GRACE);
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    if name.starts_with(TEMPORARY) {
        return if old { Fate::Temporary } else { Fate::Keep(used) };
    }
    let hash = name.split_once('.').and_then(|(hash, _)| hash.parse::<Sha256Hex>().ok());
    let (Some(hash), Some(recipe)) = (hash, recipe_of(folder, path)) else { return Fate::Stranger };
    if !recipes.contains(recipe) {
        Fate::Outdated
    } else if old && !originals.contains(&hash) {
        Fate::Orphaned
    } else {
        Fate::Keep(used)
    }
}

/// The recipe's folder: the first below the cache's own.
fn recipe_of<'a>(folder: &Path, path: &'a Path) -> Option<&'a str> {
    path.strip_prefix(folder).ok()?.components().next()?.as_os_str().to_str()
}

/// Removes what is left of the folders of recipes that are no more: a folder that holds anything stays.
fn sweep_empty(folder: &Path, recipes: &HashSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let known = entry.file_name().to_str().is_some_and(|name| recipes.contains(name));
        if !known && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
}

fn remove_empty(folder: &PathBuf) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
    // It fails where there is still something in it, and that is what it is for.
    let _ = fs::remove_dir(folder);
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    struct Folder(TempDir);

    impl Folder {
        /// A file of so many bytes that was last used so many hours ago.
        fn put(&self, path: &str, bytes: usize, hours: u64) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, vec![7; bytes]).unwrap();
            let used = SystemTime::now() - Duration::from_secs(hours * 3600);
            fs::File::options().write(true).open(&path).unwrap().set_modified(used).unwrap();
        }

        fn has(&self, path: &str) -> bool {
            self.0.path().join(path).exists()
        }

        fn collect(&self, originals: &[&str], bound: u64, for_show: bool) -> Collected {
            let originals = originals.iter().map(|hash| hash.parse().unwrap()).collect();
            let wanted = Wanted { originals: &originals, recipes: &[&Recipe::THUMBNAIL], bound };
            collect(self.0.path(), &wanted, SystemTime::now(), for_show).unwrap()
        }
    }

    fn current() -> String {
        Recipe::THUMBNAIL.folder()
    }

    fn rendition(recipe: &str, digit: char) -> (String, String) {
        let hash = digit.to_string().repeat(64);
        (format!("{recipe}/{}/{}/{hash}.webp", &hash[..2], &hash[2..4]), hash)
    }

    #[test]
    fn what_nobody_needs_goes_and_the_rest_stays() {
        let folder = Folder(TempDir::new().unwrap());
        let (kept, known) = rendition(&current(), 'a');
        let (orphan, _) = rendition(&current(), 'b');
        let (fresh, _) = rendition(&current(), 'c');
        let (outdated, _) = rendition("thumbnail-v0", 'a');
        folder.put(&kept, 100, 9);
        folder.put(&orphan, 200, 9);
        folder.put(&fresh, 300, 0);
        folder.put(&outdated, 400, 0);
        let [old, new] = ["old", "new"].map(|name| format!("{}/aa/aa/.tmp-{name}", current()));
        folder.put(&old, 5, 9);
        folder.put(&new, 6, 0);
        folder.put("notes.txt", 7, 999);

        let told = folder.collect(&[&known], 1000, true);
        assert!([&kept, &orphan, &fresh, &outdated].iter().all(|path| folder.has(path)), "nothing was for show");
        let done = folder.collect(&[&known], 1000, false);
        assert_eq!(told, done);
        assert_eq!(done.temporary, Freed { files: 1, bytes: 5 });
        assert_eq!(done.orphaned, Freed { files: 1, bytes: 200 });
        assert_eq!(done.outdated, Freed { files: 1, bytes: 400 });
        assert_eq!(done.unused, Freed::default());
        assert_eq!(done.kept, Freed { files: 3, bytes: 406 });
        assert_eq!((done.strangers, done.failed.len()), (1, 0));
        assert!(folder.has(&kept) && folder.has(&fresh) && folder.has("notes.txt"));
        assert!(folder.has(&new));
        assert!(!folder.has(&orphan) && !folder.has("thumbnail-v0") && !folder.has(&old));
    }

    #[test]
    fn above_the_bound_what_was_not_used_for_longest_goes() {
        let folder = Folder(TempDir::new().unwrap());
        let all: Vec<_> = ['a', 'b', 'c', 'd'].map(|digit| rendition(&current(), digit)).to_vec();
        for (hours, (path, _)) in all.iter().enumerate() {
            folder.put(path, 1000, 10 - hours as u64);
        }
        let hashes: Vec<&str> = all.iter().map(|(_, hash)| hash.as_str()).collect();
        let done = folder.collect(&hashes, 2500, false);
        assert_eq!((done.unused.files, done.kept.bytes), (2, 2000));
        assert_eq!(all.iter().map(|(path, _)| folder.has(path)).collect::<Vec<_>>(), [false, false, true, true]);
    }

    #[test]
    fn what_a_link_leads_to_is_not_touched() {
        let folder = Folder(TempDir::new().unwrap());
        let elsewhere = TempDir::new().unwrap();
        let (path, _) = rendition("thumbnail-v0", 'a');
        let target = elsewhere.path().join(&path);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(&target, "mine").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), folder.0.path().join("link")).unwrap();
        let done = folder.collect(&[], 0, false);
        assert_eq!(done.strangers, 1);
        assert!(target.exists());
    }
}
