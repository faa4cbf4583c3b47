//! How heavy the work was expected to be, piece by piece: what the measured memory has to be compared with.

use std::sync::atomic::{AtomicU64, Ordering};

/// Upper bounds in bytes, each included.
const BOUNDS: [u64; 9] = [4 << 20, 8 << 20, 16 << 20, 32 << 20, 64 << 20, 128 << 20, 256 << 20, 512 << 20, 1 << 30];

/// Counts of estimates by their size.
#[derive(Debug, Default)]
pub(super) struct Estimates {
    counts: [AtomicU64; BOUNDS.len()],
    above: AtomicU64,
    sum: AtomicU64,
}

/// How many estimates were how large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// For each bound in bytes, how many were no larger.
    pub up_to: Vec<(u64, u64)>,
    /// All of them.
    pub count: u64,
    /// All bytes together.
    pub sum: u64,
}

impl Estimates {
    pub(super) fn note(&self, bytes: u64) {
        let place = BOUNDS.iter().position(|bound| bytes <= *bound).and_then(|place| self.counts.get(place));
        place.unwrap_or(&self.above).fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn spread(&self) -> Spread {
        let mut count = 0;
        let up_to = BOUNDS.iter().zip(&self.counts).map(|(bound, counted)| {
            count += counted.load(Ordering::Relaxed);
            (*bound, count)
        });
        let up_to = up_to.collect();
        Spread { up_to, count: count + self.above.load(Ordering::Relaxed), sum: self.sum.load(Ordering::Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_counts_all_that_are_no_larger() {
        let estimates = Estimates::default();
        for bytes in [1, 4 << 20, (4 << 20) + 1, 5 << 30] {
            estimates.note(bytes);
        }
        let spread = estimates.spread();
        assert_eq!(spread.up_to[..2], [(4 << 20, 2), (8 << 20, 3)]);
        assert_eq!(spread.up_to.last().unwrap().1, 3);
        assert_eq!((spread.count, spread.sum), (4, (8 << 20) + 2 + (5 << 30)));
    }
}
