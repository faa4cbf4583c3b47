//! What a picture may ask for before anything of it is decoded.

/// Limits that hold for every picture, however much memory there is.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pixels that may be decoded of one file. An animation counts once: only its first frame is ever decoded.
    pub pixels: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pixels: 100_000_000 }
    }
}
