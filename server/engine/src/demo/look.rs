//! What makes a person recognisable: the fixed look of a subject, in the numbers that the drawing rooms read.
//!
//! Lengths are in figure units: the head is about 200 wide and 290 high about the origin, eyes near y = 0.

use super::tone::Tone;

/// A subject's looks. They never change between candidates.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub skin: Skin,
    pub face: Face,
    pub eyes: Eyes,
    pub brows: Brows,
    pub nose: Nose,
    pub lips: Lips,
    pub hair: Hair,
    pub beard: Option<Beard>,
    pub glasses: Option<Glasses>,
    pub earrings: Option<Earrings>,
    pub freckles: bool,
    /// Lines of age, from 0 (none) to 1.
    pub years: f32,
    /// Breadth of the shoulders against the usual.
    pub build: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Skin {
    pub base: Tone,
    pub shade: Tone,
    pub light: Tone,
    pub blush: Tone,
    /// Of drawn lines: nostrils, folds, lids.
    pub line: Tone,
}

#[derive(Clone, Copy)]
pub(super) struct Face {
    /// Against the usual, like `jaw`, `chin` and `length`.
    pub width: f32,
    pub jaw: f32,
    pub chin: f32,
    pub length: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Eyes {
    pub iris: Tone,
    /// Half the width of one eye.
    pub size: f32,
    /// Height of the open eye against the usual.
    pub open: f32,
    /// By how much the outer corner is raised.
    pub slant: f32,
    /// From the face's middle to an eye's.
    pub apart: f32,
    /// Length of the lashes at the outer corner.
    pub lashes: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Brows {
    pub tone: Tone,
    pub weight: f32,
    pub arch: f32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nose {
    Button,
    Straight,
    Broad,
    Strong,
}

#[derive(Clone, Copy)]
pub(super) struct Lips {
    pub tone: Tone,
    /// Thickness against the usual.
    pub full: f32,
    /// Half the width of the mouth at rest.
    pub width: f32,
}

#[derive(Clone, Copy)]
pub(super) struct Hair {
    pub style: Style,
    pub tone: Tone,
    pub shade: Tone,
    pub light: Tone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
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
pub(super) enum Beard {
    Full(Tone),
    Trimmed(Tone),
    Moustache(Tone),
}

#[derive(Clone, Copy)]
pub(super) enum Glasses {
    Round(Tone),
    Square(Tone),
}

#[derive(Clone, Copy)]
pub(super) enum Earrings {
    Hoops(Tone),
    Pearls,
    Drops(Tone),
}
