//! What a picture may ask for, and what all renditions together may.

use std::time::Duration;

/// Limits that hold for every picture, however much memory there is.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pixels that may be decoded of one file. An animation counts once: only its first frame is ever decoded.
    pub pixels: u64,
    /// The longest that one render may take; past it the original counts as failing.
    pub deadline: Duration,
    /// Bytes that the cached renditions may take on the disk; those not asked for longest go first.
    pub cache: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pixels: 100_000_000, deadline: Duration::from_secs(30), cache: 10 << 30 }
    }
}
