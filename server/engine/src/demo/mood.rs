//! What changes from candidate to candidate about the person: expression, and how the head is held.

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mood {
    Calm,
    Smile,
    Grin,
    Laugh,
    Content,
    Smirk,
    Surprise,
    Dreamy,
    Wink,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lid {
    Open,
    Wide,
    Soft,
    /// Shut in laughter, arched upwards.
    Merry,
    /// Shut in peace, arched downwards.
    Shut,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mouth {
    Rest,
    Smile,
    Teeth,
    Open,
    Aside,
    Oh,
}

impl Mood {
    /// The left and right eyelid of the picture.
    pub(super) fn lids(self) -> [Lid; 2] {
        match self {
            Self::Calm | Self::Smile | Self::Dreamy => [Lid::Open; 2],
            Self::Grin | Self::Smirk => [Lid::Soft; 2],
            Self::Laugh => [Lid::Merry; 2],
            Self::Content => [Lid::Shut; 2],
            Self::Surprise => [Lid::Wide; 2],
            Self::Wink => [Lid::Open, Lid::Merry],
        }
    }

    pub(super) fn mouth(self) -> Mouth {
        match self {
            Self::Calm => Mouth::Rest,
            Self::Smile | Self::Content | Self::Dreamy => Mouth::Smile,
            Self::Grin | Self::Wink => Mouth::Teeth,
            Self::Laugh => Mouth::Open,
            Self::Smirk => Mouth::Aside,
            Self::Surprise => Mouth::Oh,
        }
    }

    /// By how much the left and right brow are raised.
    pub(super) fn brows(self) -> [f32; 2] {
        match self {
            Self::Calm | Self::Content => [0.0; 2],
            Self::Smile | Self::Grin => [2.0; 2],
            Self::Laugh => [5.0; 2],
            Self::Smirk => [-1.0, 8.0],
            Self::Surprise => [11.0; 2],
            Self::Dreamy => [5.0; 2],
            Self::Wink => [6.0, -1.0],
        }
    }

    /// How much the cheeks are lifted and flushed, from 0 to 1.
    pub(super) fn joy(self) -> f32 {
        match self {
            Self::Calm | Self::Surprise => 0.2,
            Self::Smirk | Self::Dreamy => 0.4,
            Self::Smile | Self::Content => 0.6,
            Self::Grin | Self::Wink => 0.8,
            Self::Laugh => 1.0,
        }
    }
}

/// How the head is held.
#[derive(Clone, Copy)]
pub(super) struct Pose {
    pub mood: Mood,
    /// Degrees, clockwise.
    pub tilt: f32,
    /// Towards the picture's left (-1) or right (1).
    pub turn: f32,
    /// Where the eyes look: right and down, from -1 to 1.
    pub gaze: (f32, f32),
    /// By how much one eye has slipped, which is what a generator gets wrong.
    pub slip: f32,
}

impl Pose {
    /// Straight into the camera.
    pub(super) const fn frontal(mood: Mood) -> Self {
        Self { mood, tilt: 0.0, turn: 0.0, gaze: (0.0, 0.0), slip: 0.0 }
    }
}
