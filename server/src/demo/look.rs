//! What makes a person recognisable: the fixed look of a subject, in the numbers that the drawing rooms read.
//!
//! Lengths are in figure units: the head is about 200 wide and 290 high about the origin, eyes near y = 0.

use super::tone::Tone;

/// A subject's looks. They never change between candidates.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) skin: Skin,
    pub(crate) face: Face,
    pub(crate) eyes: Eyes,
    pub(crate) brows: Brows,
    pub(crate) nose: Nose,
    pub(crate) lips: Lips,
    pub(crate) hair: Hair,
    pub(crate) beard: Option<Beard>,
    pub(crate) glasses: Option<Glasses>,
    pub(crate) earrings: Option<Earrings>,
    pub(crate) freckles: bool,
    /// Lines of age, from 0 (none) to 1.
    pub(crate) years: f32,
    /// Breadth of the shoulders against the usual.
    pub(crate) build: f32,
}

#[derive(Clone, Copy)]
pub(crate) struct Skin {
    pub(crate) base: Tone,
    pub(crate) shade: Tone,
    pub(crate) light: Tone,
    pub(crate) blush: Tone,
    /// Of drawn lines: nostrils, folds, lids.
    pub(crate) line: Tone,
}

#[derive(Clone, Copy)]
pub(crate) struct Face {
    /// Against the usual, like `jaw`, `chin` and `length`.
    pub(crate) width: f32,
    pub(crate) jaw: f32,
    pub(crate) chin: f32,
    pub(crate) length: f32,
}

#[derive(Clone, Copy)]
pub(crate) struct Eyes {
    pub(crate) iris: Tone,
    /// Half the width of one eye.
    pub(crate) size: f32,
    /// Height of the open eye against the usual.
    pub(crate) open: f32,
    /// By how much the outer corner is raised.
    pub(crate) slant: f32,
    /// From the face's middle to an eye's.
    pub(crate) apart: f32,
    /// Length of the lashes at the outer corner.
    pub(crate) lashes: f32,
}

#[derive(Clone, Copy)]
pub(crate) struct Brows {
    pub(crate) tone: Tone,
    pub(crate) weight: f32,
    pub(crate) arch: f32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nose {
    Button,
    Straight,
    Broad,
    Strong,
}

#[derive(Clone, Copy)]
pub(crate) struct Lips {
    pub(crate) tone: Tone,
    /// Thickness against the usual.
    pub(crate) full: f32,
    /// Half the width of the mouth at rest.
    pub(crate) width: f32,
}

#[derive(Clone, Copy)]
pub(crate) struct Hair {
    pub(crate) style: Style,
    pub(crate) tone: Tone,
    pub(crate) shade: Tone,
    pub(crate) light: Tone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Long, waved, parted a little off the middle.
    LongWaves,
    /// Short with a swept top and a side parting.
    SidePart,
    /// Swept up into a bun.
    Bun,
    /// Covered: the tones are the scarf's.
    Headscarf,
    /// Round and full.
    Afro,
    /// Shaved close, grown thin on top.
    Cropped,
    /// To the chin, with a straight fringe.
    Bob,
    /// Thick waves on top, short at the sides.
    Waves,
}

#[derive(Clone, Copy)]
pub(crate) enum Beard {
    Full(Tone),
    Trimmed(Tone),
    Moustache(Tone),
}

#[derive(Clone, Copy)]
pub(crate) enum Glasses {
    Round(Tone),
    Square(Tone),
}

#[derive(Clone, Copy)]
pub(crate) enum Earrings {
    Hoops(Tone),
    Pearls,
    Drops(Tone),
}
