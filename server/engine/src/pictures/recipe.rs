//! What a rendition is: its name, size, fit and format, and a version that changes whenever its bytes would.

/// The longest side that a WebP can have.
pub(super) const LONGEST_SIDE: u32 = 16_383;

/// How a picture is brought to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fit {
    /// The longer side becomes so many pixels; a smaller picture stays as it is.
    Within(u32),
    /// A centred square with sides of so many pixels, always: a smaller picture is enlarged.
    Square(u32),
}

/// What a rendition is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Encoding {
    /// `quality` 0 to 100, `method` 0 (fast) to 6 (small).
    WebP {
        quality: u8,
        method: u8,
    },
    Png,
}

impl Encoding {
    /// What tiles and the viewer show. Method 2 takes half the time of 4 for two or three percent more bytes.
    const SCREEN: Self = Self::WebP { quality: 80, method: 2 };
    /// What leaves the house: somebody may work on with it.
    const EXPORT: Self = Self::WebP { quality: 90, method: 4 };

    pub(super) const fn mime(self) -> &'static str {
        match self {
            Self::WebP { .. } => "image/webp",
            Self::Png => "image/png",
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::WebP { .. } => "webp",
            Self::Png => "png",
        }
    }
}

/// How to make one rendition from any original.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// `[a-z0-9-]+`: part of the cache's addresses.
    name: &'static str,
    /// Part of the cache's addresses too: it grows with every change that shows in the bytes.
    version: u32,
    pub(super) fit: Fit,
    pub(super) encoding: Encoding,
}

/// Grows when decoding, colour, resizing or encoding changes what any recipe makes.
const PIPELINE: u32 = 1;

impl Recipe {
    /// What a tile shows.
    pub const THUMBNAIL: Self = Self::fixed("thumbnail", Fit::Within(440));
    /// What the viewer shows before the original.
    pub const PREVIEW: Self = Self::fixed("preview", Fit::Within(1600));

    const fn fixed(name: &'static str, fit: Fit) -> Self {
        Self::new(name, fit, Encoding::SCREEN)
    }

    const fn new(name: &'static str, fit: Fit, encoding: Encoding) -> Self {
        Self { name, version: PIPELINE, fit, encoding }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// What an export preset makes; nothing where there is no such preset.
    pub fn preset(name: &str) -> Option<Self> {
        let webp = Encoding::EXPORT;
        let (name, fit, encoding) = match name {
            "square-64" => ("square-64", Fit::Square(64), webp),
            "square-256" => ("square-256", Fit::Square(256), webp),
            "square-512" => ("square-512", Fit::Square(512), webp),
            "square-1024" => ("square-1024", Fit::Square(1024), webp),
            "square-64-png" => ("square-64-png", Fit::Square(64), Encoding::Png),
            "square-256-png" => ("square-256-png", Fit::Square(256), Encoding::Png),
            "square-512-png" => ("square-512-png", Fit::Square(512), Encoding::Png),
            "square-1024-png" => ("square-1024-png", Fit::Square(1024), Encoding::Png),
            "web-2048" => ("web-2048", Fit::Within(2048), webp),
            _ => return None,
        };
        Some(Self::new(name, fit, encoding))
    }

    /// The media type of what it makes.
    pub const fn mime(&self) -> &'static str {
        self.encoding.mime()
    }

    /// The folder of its renditions in the cache.
    pub fn folder(&self) -> String {
        format!("{}-v{}", self.name, self.version)
    }
}

impl Fit {
    /// How many pixels of how many a decoder has to leave, so that nothing is lost that the resize would have kept.
    pub(super) fn least(self, width: u32, height: u32) -> (u32, u32) {
        // Twice the size: a decoder's own reduction blurs the last octave, and the resize must not see that.
        match self {
            Self::Within(side) => (side.saturating_mul(2), width.max(height)),
            Self::Square(side) => (side.saturating_mul(2), width.min(height)),
        }
    }

    /// The part of a picture that is taken, as left, top, width and height, and the size that it becomes.
    pub(super) fn apply(self, width: u32, height: u32) -> ([u32; 4], (u32, u32)) {
        match self {
            Self::Within(side) => {
                let side = side.min(LONGEST_SIDE);
                let longer = width.max(height);
                let scaled = |length: u32| {
                    let exact = u64::from(length) * u64::from(side) + u64::from(longer) / 2;
                    u32::try_from(exact / u64::from(longer)).unwrap_or(side).clamp(1, LONGEST_SIDE)
                };
                let size = if longer <= side { (width, height) } else { (scaled(width), scaled(height)) };
                ([0, 0, width, height], size)
            }
            Self::Square(side) => {
                let side = side.clamp(1, LONGEST_SIDE);
                let shorter = width.min(height);
                ([(width - shorter) / 2, (height - shorter) / 2, shorter, shorter], (side, side))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_never_less_than_one_pixel_and_never_enlarged() {
        let size = |width, height| Fit::Within(440).apply(width, height).1;
        assert_eq!(size(1, 150), (1, 150));
        assert_eq!(size(19034, 800), (440, 18));
        assert_eq!(size(790, 36861), (9, 440));
        assert_eq!(size(60000, 1), (440, 1));
        assert_eq!(size(4000, 3000), (440, 330));
        assert_eq!(size(440, 440), (440, 440));
    }

    #[test]
    fn a_square_is_cut_from_the_middle_and_always_of_its_size() {
        assert_eq!(Fit::Square(64).apply(300, 100), ([100, 0, 100, 100], (64, 64)));
        assert_eq!(Fit::Square(1024).apply(512, 600), ([0, 44, 512, 512], (1024, 1024)));
    }
}
