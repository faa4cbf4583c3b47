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
