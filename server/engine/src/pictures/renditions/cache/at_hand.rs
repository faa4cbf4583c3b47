//! Renditions that the kernel has in memory: read at once, by whoever asks. Handing so small a work to a thread that may
//! wait for a disk, and the answer back, takes longer than the work.
//!
//! It never waits: what would have to be fetched from a disk, or marked as used, is left to [`Cache::read`].

use super::{Cache, READ_AT_ONCE, in_memory, is_unmarked};
use crate::pictures::renditions::{Key, Rendition};

#[cfg(target_os = "linux")]
impl Cache {
    /// The rendition, if all of it is in memory. Nothing says nothing: it may be on the disk.
    ///
    /// By `RESOLVE_CACHED` (Linux 5.12) and `RWF_NOWAIT` (4.14); where the kernel or the file system knows neither, there
    /// is never anything at hand.
    pub(in crate::pictures::renditions) fn at_hand(&self, key: &Key) -> Option<Rendition> {
        use std::{
            io::IoSliceMut,
            time::{Duration, SystemTime},
        };

        use rustix::{
            fs::{CWD, Mode, OFlags, ResolveFlags, fstat, openat2},
            io::{ReadWriteFlags, preadv2},
        };

        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = openat2(CWD, self.path(key), flags, Mode::empty(), ResolveFlags::CACHED).ok()?;
        let facts = fstat(&file).ok()?;
        let bytes = u64::try_from(facts.st_size).ok().filter(|bytes| *bytes <= READ_AT_ONCE)?;
        let used = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(facts.st_mtime).ok()?));
        if is_unmarked(used) {
            return None;
        }
        let mut content = vec![0; usize::try_from(bytes).ok()?];
        let read = preadv2(&file, &mut [IoSliceMut::new(&mut content)], 0, ReadWriteFlags::NOWAIT).ok()?;
        if read == content.len() { in_memory(key.recipe.encoding, content) } else { None }
    }
}

#[cfg(not(target_os = "linux"))]
impl Cache {
    /// Other systems cannot tell what would have to be waited for.
    pub(in crate::pictures::renditions) fn at_hand(&self, _: &Key) -> Option<Rendition> {
        None
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::{
        fs,
        time::{Duration, SystemTime},
    };

    use super::*;
    use crate::pictures::Recipe;

    fn key() -> Key {
        Key { sha256: "5f".repeat(32).parse().unwrap(), recipe: Recipe::THUMBNAIL }
    }

    /// As long as it says, and ended by something.
    fn webp() -> Vec<u8> {
        [&b"RIFF"[..], &100_u32.to_le_bytes(), b"WEBP", &[7; 96]].concat()
    }

    #[test]
    fn what_is_in_memory_is_what_the_disk_has_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().to_owned(), 1 << 20).unwrap();
        assert!(cache.at_hand(&key()).is_none(), "nothing is there");
        cache.write(&key(), &webp());
        let path = cache.path(&key());
        assert!(matches!(cache.read(&key()), Some(Rendition::Memory(content)) if content == webp()));
        // Some file systems cannot tell; whatever is said is true.
        let supported = cache.at_hand(&key());
        if let Some(rendition) = &supported {
            assert!(matches!(rendition, Rendition::Memory(content) if *content == webp()));
        }
        eprintln!("renditions can be read at hand here: {}", supported.is_some());

        // One that is to be marked as used is left to whoever may wait for a disk.
        let long_ago = SystemTime::now() - Duration::from_secs(2 * 3600);
        fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        assert!(cache.at_hand(&key()).is_none());
        fs::write(&path, &webp()[..50]).unwrap();
        assert!(cache.at_hand(&key()).is_none(), "it is torn");
    }
}
