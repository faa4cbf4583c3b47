//! Pixels in memory.

/// What the samples of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pictures) enum Layout {
    Grey,
    GreyAlpha,
    Rgb,
    Rgba,
    /// Ink, where 255 is all of it.
    Cmyk,
}

impl Layout {
    pub(in crate::pictures) const fn channels(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::Cmyk => 4,
        }
    }

    pub(in crate::pictures) const fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }
}

/// Bits of a sample; sixteen are in the machine's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pictures) enum Depth {
    Eight,
    Sixteen,
}

impl Depth {
    pub(in crate::pictures) const fn bytes(self) -> usize {
        match self {
            Self::Eight => 1,
            Self::Sixteen => 2,
        }
    }
}

/// Rows of pixels, top to bottom, without padding.
#[derive(Clone, Debug)]
pub(in crate::pictures) struct Raster {
    pub(in crate::pictures) width: u32,
    pub(in crate::pictures) height: u32,
    pub(in crate::pictures) layout: Layout,
    pub(in crate::pictures) depth: Depth,
    /// Whether colours are multiplied by their alpha.
    pub(in crate::pictures) premultiplied: bool,
    /// How many of these pixels stand for one of the original's, across and down.
    pub(in crate::pictures) density: (f64, f64),
    /// The original's width and height.
    pub(in crate::pictures) whole: (u32, u32),
    pub(in crate::pictures) data: Vec<u8>,
}

impl Raster {
    /// A picture that is not reduced.
    pub(in crate::pictures) fn whole(width: u32, height: u32, layout: Layout, depth: Depth, data: Vec<u8>) -> Self {
        let (density, whole) = ((1.0, 1.0), (width, height));
        Self { width, height, layout, depth, premultiplied: false, density, whole, data }
    }

    /// The same picture with eight bits a sample.
    pub(in crate::pictures) fn into_eight(mut self) -> Self {
        if self.depth == Depth::Sixteen {
            let narrow = |pair: &[u8]| {
                let wide = u32::from(u16::from_ne_bytes([pair[0], pair[1]]));
                ((wide * 255 + 32_767) / 65_535) as u8
            };
            self.data = self.data.chunks_exact(2).map(narrow).collect();
            self.depth = Depth::Eight;
        }
        self
    }
}
