//! How much memory the system has really given to this process.

use std::{fs, io};

/// Bytes in memory: heap, stacks, and what is read of the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resident {
    pub now: u64,
    /// The most there ever was.
    pub peak: u64,
}

/// What the system says of this process.
///
/// # Errors
/// The system has no `/proc`, or one of another kind.
pub fn resident() -> io::Result<Resident> {
    let status = fs::read_to_string("/proc/self/status")?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib: Option<u64> = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        kib.map(|kib| kib << 10).ok_or_else(|| io::Error::other(format!("/proc/self/status has no {name}")))
    };
    Ok(Resident { now: field("VmRSS:")?, peak: field("VmHWM:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_is_resident() {
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        let Resident { now, peak } = resident().unwrap();
        assert!(now > 0 && peak >= held.len() as u64, "{now} {peak}");
    }
}
