//! The presets that pictures are exported by: those that are always there, and those that the configuration adds or
//! redefines.

use std::collections::BTreeMap;

use super::{
    recipe::{Encoding, Fit, LONGEST_SIDE, Recipe},
    weight,
};

/// What is always there. Squares are cut from the middle.
const DEFAULTS: &str = "
    square-64 = cover 64 webp; square-64-png = cover 64 png;
    square-256 = cover 256 webp; square-256-png = cover 256 png;
    square-512 = cover 512 webp; square-512-png = cover 512 png;
    square-1024 = cover 1024 webp; square-1024-png = cover 1024 png;
    web-2048 = inside 2048 webp;
    original = original";

/// The quality of a WebP where none is named.
const QUALITY: u8 = 90;
/// The longest name.
const LONGEST_NAME: usize = 64;

/// Why a text defines no presets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAPreset {
    #[error("has \"{0}\" in it, which is not NAME=DEFINITION")]
    NotDefined(String),
    #[error("has a preset called \"{0}\": names are 1 to 64 lower-case letters, digits and hyphens")]
    Name(String),
    #[error("defines \"{0}\" twice")]
    Twice(String),
    #[error(
        "has \"{definition}\" for {name}, which is not like \"cover 512 webp\", \"inside 1500x500 webp 85\", \
         \"cover 64 png\" or \"original\""
    )]
    Definition { name: String, definition: String },
    #[error("has \"{size}\" for {name}: a size is a number, or two with an x between, of 1 to {LONGEST_SIDE} pixels")]
    Size { name: String, size: String },
    #[error("has the quality \"{quality}\" for {name}, which is not 1 to 100")]
    Quality { name: String, quality: String },
}

/// What an export by a preset is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Export {
    /// The file as it came in, metadata and all.
    Original,
    /// Made by a recipe.
    Made(Recipe),
}

/// All presets, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presets {
    by_name: BTreeMap<String, Export>,
}

impl Default for Presets {
    fn default() -> Self {
        // The text above is right: a test reads it.
        Self { by_name: parse(DEFAULTS).unwrap_or_default() }
    }
}

impl Presets {
    /// The defaults, and over them what a text such as `banner=cover 1500x500 webp; tiny=inside 32 png` defines.
    ///
    /// # Errors
    /// The first thing in it that cannot be meant, worded to follow the text itself.
    pub fn with(text: &str) -> Result<Self, NotAPreset> {
        let mut presets = Self::default();
        presets.by_name.extend(parse(text)?);
        Ok(presets)
    }

    /// What the preset of that name makes.
    pub fn get(&self, name: &str) -> Option<&Export> {
        self.by_name.get(name)
    }

    /// All of them, each as the configuration would define it.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, String)> {
        self.by_name.iter().map(|(name, export)| match export {
            Export::Original => (name.as_str(), "original".to_owned()),
            Export::Made(recipe) => (name.as_str(), recipe.definition()),
        })
    }

    /// Their recipes.
    pub fn recipes(&self) -> impl Iterator<Item = &Recipe> {
        self.by_name.values().filter_map(|export| match export {
            Export::Original => None,
            Export::Made(recipe) => Some(recipe),
        })
    }

    /// Of the presets that are not there by default, the one whose pictures alone take most memory, and how many bytes.
    pub fn heaviest_of_own(&self) -> Option<(&str, u64)> {
        let defaults = Self::default();
        let own = |recipe: &&Recipe| !defaults.recipes().any(|default| default == *recipe);
        let weighed = |recipe: &'_ Recipe| weight::of_rendered(recipe.fit);
        let heaviest = self.recipes().filter(own).max_by_key(|recipe| weighed(recipe))?;
        Some((heaviest.name(), weighed(heaviest)))
    }
}

fn parse(text: &str) -> Result<BTreeMap<String, Export>, NotAPreset> {
    let mut presets = BTreeMap::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, definition) = part.split_once('=').ok_or_else(|| NotAPreset::NotDefined(part.to_owned()))?;
        let name = name.trim();
        let letters = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if name.is_empty() || name.len() > LONGEST_NAME || !letters {
            return Err(NotAPreset::Name(name.to_owned()));
        }
        if presets.insert(name.to_owned(), export(name, definition.trim())?).is_some() {
            return Err(NotAPreset::Twice(name.to_owned()));
        }
    }
    Ok(presets)
}

fn export(name: &str, definition: &str) -> Result<Export, NotAPreset> {
    let wrong = || NotAPreset::Definition { name: name.to_owned(), definition: definition.to_owned() };
    let words: Vec<&str> = definition.split_whitespace().collect();
    let (fit, size, encoding) = match words.as_slice() {
        ["original"] => return Ok(Export::Original),
        [fit, size, "png"] => (fit, size, Encoding::Png),
        [fit, size, "webp"] => (fit, size, Encoding::WebP { quality: QUALITY }),
        [fit, size, "webp", quality] => (fit, size, Encoding::WebP { quality: self::quality(name, quality)? }),
        _ => return Err(wrong()),
    };
    let (width, height) = self::size(name, size)?;
    let fit = match *fit {
        "inside" => Fit::Inside { width, height },
        "cover" => Fit::Cover { width, height },
        _ => return Err(wrong()),
    };
    Ok(Export::Made(Recipe::defined(name.to_owned(), fit, encoding)))
}

fn size(name: &str, text: &str) -> Result<(u32, u32), NotAPreset> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LONGEST_SIDE).contains(side));
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    side(width).zip(side(height)).ok_or_else(|| NotAPreset::Size { name: name.to_owned(), size: text.to_owned() })
}

fn quality(name: &str, text: &str) -> Result<u8, NotAPreset> {
    let quality = text.parse().ok().filter(|quality| (1..=100).contains(quality));
    quality.ok_or_else(|| NotAPreset::Quality { name: name.to_owned(), quality: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Presets::with(text).unwrap_err().to_string()
    }

    #[test]
    fn the_defaults_are_there() {
        let names: Vec<String> =
            Presets::default().definitions().map(|(name, what)| format!("{name}={what}")).collect();
        assert_eq!(
            names,
            [
                "original=original",
                "square-1024=cover 1024x1024 webp 90",
                "square-1024-png=cover 1024x1024 png",
                "square-256=cover 256x256 webp 90",
                "square-256-png=cover 256x256 png",
                "square-512=cover 512x512 webp 90",
                "square-512-png=cover 512x512 png",
                "square-64=cover 64x64 webp 90",
                "square-64-png=cover 64x64 png",
                "web-2048=inside 2048x2048 webp 90",
            ]
        );
    }

    #[test]
    fn presets_are_added_and_redefined() {
        let presets = Presets::with("banner=cover 1500x500 webp 85; square-64 = inside 32 png;").unwrap();
        let defined = |name| presets.definitions().find(|(found, _)| *found == name).unwrap().1;
        assert_eq!(defined("banner"), "cover 1500x500 webp 85");
        assert_eq!(defined("square-64"), "inside 32x32 png");
        assert_eq!(defined("web-2048"), "inside 2048x2048 webp 90");
        assert_eq!(Presets::with("").unwrap(), Presets::default());
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        assert!(refused("banner").contains("\"banner\""));
        for name in ["", "Banner", "a_b", "a/b", &"a".repeat(65)] {
            assert!(refused(&format!("{name}=original")).contains("names are"), "{name}");
        }
        for definition in ["", "cover", "cover 64", "stretch 64 png", "cover 64 jpeg", "cover 64 png 9", "original 64"]
        {
            assert!(refused(&format!("a={definition}")).contains("is not like"), "{definition}");
        }
        for size in ["0", "16384", "-1", "64x", "x64", "64x0", "1x2x3", "large", "9999999999"] {
            assert!(refused(&format!("a=cover {size} png")).contains("a size is"), "{size}");
        }
        assert!(refused("a=cover 64 webp 101").contains("1 to 100"));
        assert!(refused("a=cover 64 webp 0").contains("1 to 100"));
        assert!(refused("a=original;a=original").contains("twice"));
    }

    #[test]
    fn the_heaviest_is_the_one_with_most_pixels() {
        let presets = Presets::with("huge=cover 16000x9000 png; tiny=cover 16 png").unwrap();
        let (name, bytes) = presets.heaviest_of_own().unwrap();
        assert_eq!(name, "huge");
        assert!(bytes > 16_000 * 9000 * 4);
        assert_eq!(Presets::with("a=original").unwrap().heaviest_of_own(), None, "the defaults never stop a start");
    }
}
