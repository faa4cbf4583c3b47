//! What a rendition is: its name, size, fit and format, and a version that changes whenever its bytes would.

use std::{borrow::Cow, fmt};

/// The longest side that a WebP can have.
pub(super) const LONGEST_SIDE: u32 = 16_383;

/// How a picture is brought to its size, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fit {
    /// As large as it can be within so many pixels; a smaller picture stays as it is.
    Inside { width: u32, height: u32 },
    /// Cut from the middle, always of this size: a smaller picture is enlarged.
    Cover { width: u32, height: u32 },
}

/// What a rendition is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Encoding {
    /// For tiles and the viewer: a WebP as good as it has to be for what it is made of.
    Screen,
    /// What leaves the house: somebody may work on with it. `quality` 1 to 100.
    WebP {
        quality: u8,
    },
    Png,
}

impl Encoding {
    pub(super) const fn mime(self) -> &'static str {
        match self {
            Self::Screen | Self::WebP { .. } => "image/webp",
            Self::Png => "image/png",
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Screen | Self::WebP { .. } => "webp",
            Self::Png => "png",
        }
    }
}

/// How to make one rendition from any original.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recipe {
    /// `[a-z0-9-]+`: part of the cache's addresses.
    name: Cow<'static, str>,
    /// Part of the cache's addresses, too.
    version: Version,
    pub(super) fit: Fit,
    pub(super) encoding: Encoding,
}

/// What changes whenever the bytes would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Version {
    /// A recipe that is written down here grows with the pipeline alone.
    Fixed(u32),
    /// One that the configuration can redefine says in its address what it does.
    Defined(u32),
}

/// Grows when decoding, colour, resizing or encoding changes what any recipe makes.
const PIPELINE: u32 = 5;

impl Recipe {
    /// What a tile shows.
    pub const THUMBNAIL: Self = Self::fixed("thumbnail", 440);
    /// What the viewer shows before the original.
    pub const PREVIEW: Self = Self::fixed("preview", 1600);

    const fn fixed(name: &'static str, side: u32) -> Self {
        let fit = Fit::Inside { width: side, height: side };
        Self { name: Cow::Borrowed(name), version: Version::Fixed(PIPELINE), fit, encoding: Encoding::Screen }
    }

    /// A recipe from the configuration. Its name is checked already.
    pub(super) fn defined(name: String, fit: Fit, encoding: Encoding) -> Self {
        Self { name: Cow::Owned(name), version: Version::Defined(PIPELINE), fit, encoding }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The media type of what it makes.
    pub const fn mime(&self) -> &'static str {
        self.encoding.mime()
    }

    /// The folder of its renditions in the cache. No two recipes share one: a name has no dot in it.
    pub fn folder(&self) -> String {
        match self.version {
            Version::Fixed(version) => format!("{}-v{version}", self.name),
            Version::Defined(version) => {
                format!("{}-v{version}.{}", self.name, self.definition().replace(' ', "-"))
            }
        }
    }

    /// What it does, as the configuration words it.
    pub(super) fn definition(&self) -> String {
        match self.encoding {
            Encoding::Screen => format!("{} webp", self.fit),
            Encoding::WebP { quality } => format!("{} webp {quality}", self.fit),
            Encoding::Png => format!("{} png", self.fit),
        }
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, width, height) = match self {
            Self::Inside { width, height } => ("inside", width, height),
            Self::Cover { width, height } => ("cover", width, height),
        };
        write!(f, "{word} {width}x{height}")
    }
}

impl Fit {
    /// The same, for a picture that is turned afterwards.
    pub(super) const fn turned(self) -> Self {
        match self {
            Self::Inside { width, height } => Self::Inside { width: height, height: width },
            Self::Cover { width, height } => Self::Cover { width: height, height: width },
        }
    }

    /// How many pixels of how many a decoder has to leave, so that nothing is lost that the resize would have kept.
    pub(super) fn least(self, width: u32, height: u32) -> (u32, u32) {
        // The side that decides is the one that shrinks more, or for a cut the one that shrinks less.
        let (across, down) = match self {
            Self::Inside { width, height } | Self::Cover { width, height } => (width, height),
        };
        let across_first = u64::from(across) * u64::from(height) <= u64::from(down) * u64::from(width);
        let by_width = across_first == matches!(self, Self::Inside { .. });
        let (side, from) = if by_width { (across, width) } else { (down, height) };
        // Twice the size: a decoder's own reduction blurs the last octave, and the resize must not see that.
        (side.saturating_mul(2), from)
    }

    /// The part of a picture that is taken, as left, top, width and height, and the size that it becomes.
    pub(super) fn apply(self, width: u32, height: u32) -> ([u32; 4], (u32, u32)) {
        match self {
            Self::Inside { width: across, height: down } => {
                let (across, down) = (across.clamp(1, LONGEST_SIDE), down.clamp(1, LONGEST_SIDE));
                ([0, 0, width, height], inside((width, height), (across, down)))
            }
            Self::Cover { width: across, height: down } => {
                let (across, down) = (across.clamp(1, LONGEST_SIDE), down.clamp(1, LONGEST_SIDE));
                // The largest part of the wanted shape.
                let (part_width, part_height) =
                    if u64::from(width) * u64::from(down) > u64::from(height) * u64::from(across) {
                        (scaled(height, across, down).min(width), height)
                    } else {
                        (width, scaled(width, down, across).min(height))
                    };
                ([(width - part_width) / 2, (height - part_height) / 2, part_width, part_height], (across, down))
            }
        }
    }
}

/// The size of a picture that is brought within another, never enlarged.
fn inside((width, height): (u32, u32), (across, down): (u32, u32)) -> (u32, u32) {
    if width <= across && height <= down {
        return (width, height);
    }
    if u64::from(across) * u64::from(height) <= u64::from(down) * u64::from(width) {
        (across, scaled(height, across, width))
    } else {
        (scaled(width, down, height), down)
    }
}

/// `length` times `by` over `of`, rounded, and at least one pixel.
fn scaled(length: u32, by: u32, of: u32) -> u32 {
    let exact = u64::from(length) * u64::from(by) + u64::from(of) / 2;
    u32::try_from(exact / u64::from(of.max(1))).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_never_less_than_one_pixel_and_never_enlarged() {
        let size = |width, height| Fit::Inside { width: 440, height: 440 }.apply(width, height).1;
        assert_eq!(size(1, 150), (1, 150));
        assert_eq!(size(19034, 800), (440, 18));
        assert_eq!(size(790, 36861), (9, 440));
        assert_eq!(size(60000, 1), (440, 1));
        assert_eq!(size(4000, 3000), (440, 330));
        assert_eq!(size(440, 440), (440, 440));
    }

    #[test]
    fn within_a_box_the_side_decides_that_is_too_long_for_it() {
        let size = |width, height| Fit::Inside { width: 1200, height: 300 }.apply(width, height).1;
        assert_eq!(size(2400, 300), (1200, 150));
        assert_eq!(size(1200, 600), (600, 300));
        assert_eq!(size(1200, 300), (1200, 300));
        assert_eq!(size(100, 200), (100, 200));
    }

    #[test]
    fn a_cut_is_from_the_middle_and_always_of_its_size() {
        let square = |side| Fit::Cover { width: side, height: side };
        assert_eq!(square(64).apply(300, 100), ([100, 0, 100, 100], (64, 64)));
        assert_eq!(square(1024).apply(512, 600), ([0, 44, 512, 512], (1024, 1024)));
        let banner = Fit::Cover { width: 1500, height: 500 };
        assert_eq!(banner.apply(3000, 3000), ([0, 1000, 3000, 1000], (1500, 500)));
        assert_eq!(banner.apply(9000, 1000), ([3000, 0, 3000, 1000], (1500, 500)));
        assert_eq!(banner.apply(1, 1), ([0, 0, 1, 1], (1500, 500)));
        assert_eq!(banner.apply(1, 9), ([0, 4, 1, 1], (1500, 500)));
    }

    #[test]
    fn a_decoder_leaves_twice_what_is_wanted_of_the_side_that_decides() {
        assert_eq!(Fit::Inside { width: 440, height: 440 }.least(4000, 3000), (880, 4000));
        assert_eq!(Fit::Inside { width: 440, height: 440 }.least(3000, 4000), (880, 4000));
        assert_eq!(Fit::Inside { width: 1200, height: 300 }.least(4000, 3000), (600, 3000));
        assert_eq!(Fit::Cover { width: 64, height: 64 }.least(4000, 3000), (128, 3000));
        assert_eq!(Fit::Cover { width: 1500, height: 500 }.least(4000, 3000), (3000, 4000));
        assert_eq!(Fit::Cover { width: 1500, height: 500 }.turned().least(3000, 4000), (3000, 4000));
    }

    #[test]
    fn another_definition_under_the_same_name_has_another_folder() {
        let recipe = |fit, encoding| Recipe::defined("banner".to_owned(), fit, encoding).folder();
        let cover = Fit::Cover { width: 1500, height: 500 };
        let all = [
            recipe(cover, Encoding::WebP { quality: 90 }),
            recipe(cover, Encoding::WebP { quality: 80 }),
            recipe(cover, Encoding::Png),
            recipe(cover.turned(), Encoding::Png),
            recipe(Fit::Inside { width: 1500, height: 500 }, Encoding::Png),
        ];
        assert_eq!(all[0], "banner-v5.cover-1500x500-webp-90");
        assert_eq!(all.iter().collect::<std::collections::HashSet<_>>().len(), all.len());
    }
}
