//! One colour, and the few things that a painter does to one.

/// An sRGB colour with alpha, each channel from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tone([f32; 4]);

impl Tone {
    pub(super) const BLACK: Self = Self::hex(0x00_00_00);
    pub(super) const WHITE: Self = Self::hex(0xFF_FF_FF);

    /// From `0xRRGGBB`, opaque.
    pub(super) const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self([r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0, 1.0])
    }

    pub(super) fn channels(self) -> [f32; 4] {
        self.0
    }

    pub(super) fn alpha(self) -> f32 {
        self.0[3]
    }

    /// The same hue with its alpha multiplied.
    pub(super) fn faded(self, alpha: f32) -> Self {
        let [r, g, b, a] = self.0;
        Self([r, g, b, (a * alpha).clamp(0.0, 1.0)])
    }

    /// So much of the way to `other`.
    pub(super) fn mix(self, other: Self, amount: f32) -> Self {
        let mut mixed = self.0;
        for (to, from) in mixed.iter_mut().zip(other.0) {
            *to = (*to + (from - *to) * amount).clamp(0.0, 1.0);
        }
        Self(mixed)
    }

    pub(super) fn lighter(self, amount: f32) -> Self {
        self.mix(Self([1.0, 0.98, 0.94, self.0[3]]), amount)
    }

    /// Towards a warm near-black, never to a dead grey.
    pub(super) fn darker(self, amount: f32) -> Self {
        self.mix(Self([0.10, 0.06, 0.12, self.0[3]]), amount)
    }
}
