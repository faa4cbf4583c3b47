//! Repeatable chance: the same seed deals the same cards on every machine and in every version.
//!
//! A dozen lines instead of a crate, because a crate may change its stream between versions, and the demo's pictures
//! are named by their bytes.

/// A SplitMix64 stream.
#[derive(Clone)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Somewhere from `low` up to `high`.
    pub(super) fn within(&mut self, low: f32, high: f32) -> f32 {
        let unit = (self.next() >> 40) as f32 / (1u64 << 24) as f32;
        low + (high - low) * unit
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn hits(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// A number below `end`, which is above zero.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// One of `choices`.
    pub(super) fn pick<T: Copy, const N: usize>(&mut self, choices: &[T; N]) -> T {
        const { assert!(N > 0) };
        choices[self.below(N)]
    }
}

/// A pack of cards dealt to its end before any comes twice: chance without runs of the same scene.
pub(super) struct Deck<T> {
    cards: Vec<T>,
    dealt: usize,
}

impl<T: Copy> Deck<T> {
    /// A pack that holds every card as often as it is listed.
    pub(super) fn new<const N: usize>(cards: [T; N]) -> Self {
        const { assert!(N > 0) };
        Self { cards: cards.to_vec(), dealt: N }
    }

    pub(super) fn deal(&mut self, chance: &mut Chance) -> T {
        if self.dealt == self.cards.len() {
            self.dealt = 0;
            for last in (1..self.cards.len()).rev() {
                self.cards.swap(last, chance.below(last + 1));
            }
        }
        self.dealt += 1;
        self.cards[self.dealt - 1]
    }
}
