//! The pipeline's originals: what the candidates were made from.

use tiny_skia::Transform;

use super::{
    canvas::{Canvas, Ink, Medium, circle, curve, oval, rect},
    clothes::{Cut, Garment},
    figure::{self, Outfit},
    look::Look,
    mood::{Mood, Pose},
    tone::Tone,
};

/// One of a subject's originals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sheet {
    /// A plain portrait before a studio wall.
    Reference,
    /// The same portrait in pencil, with the lines that it was built on.
    Sketch,
    /// Six heads in pencil: expressions and turns.
    Poses,
}

const PLAIN: Outfit = Outfit {
    garment: Garment { cut: Cut::Tee, main: Tone::hex(0x8C919B), second: Tone::hex(0xDADDE2) },
    scarf: None,
    hat: None,
};

impl Sheet {
    pub(super) fn draw(self, look: &Look, canvas: &mut Canvas) {
        let (thousand, height) = canvas.thousand();
        canvas.moved(thousand, |canvas| match self {
            Self::Reference => reference(canvas, look, height),
            Self::Sketch => sketch(canvas, look, height),
            Self::Poses => poses(canvas, look, height),
        });
    }
}

fn reference(canvas: &mut Canvas, look: &Look, height: f32) {
    let wall = [Tone::hex(0xE4E2DE), Tone::hex(0xC9C6C2), Tone::hex(0x9A979A)];
    canvas.fill(rect(0.0, 0.0, 1000.0, height), Ink::around(500.0, height * 0.42, 820.0, &wall));
    canvas.moved(Transform::from_row(2.0, 0.0, 0.0, 2.0, 500.0, height * 0.48), |canvas| {
        figure::figure(canvas, look, &Pose::frontal(Mood::Calm), &PLAIN, -1.0);
    });
}

fn paper(canvas: &mut Canvas, height: f32) {
    let sheet = [Tone::hex(0xFAF6EC), Tone::hex(0xF6F1E7), Tone::hex(0xE9E1D2)];
    canvas.fill(rect(0.0, 0.0, 1000.0, height), Ink::around(460.0, height * 0.4, 900.0, &sheet));
}

fn sketch(canvas: &mut Canvas, look: &Look, height: f32) {
    paper(canvas, height);
    canvas.moved(Transform::from_row(2.0, 0.0, 0.0, 2.0, 500.0, height * 0.48), |canvas| {
        pencilled(canvas, look, &Pose::frontal(Mood::Smile));
        construction(canvas);
    });
}

fn pencilled(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    canvas.in_medium(Medium::Pencil, |canvas| figure::figure(canvas, look, pose, &PLAIN, -1.0));
}

/// The blue lines of the layout.
fn construction(canvas: &mut Canvas) {
    let blue = Tone::hex(0x5B8FC9).faded(0.5);
    canvas.line(circle(0.0, -36.0, 118.0), 1.4, blue);
    canvas.line(oval(0.0, -4.0, 100.0, 146.0), 1.4, blue);
    canvas.line(curve(&[(0.0, -200.0), (0.0, 220.0)]), 1.4, blue);
    for y in [0.0, 44.0, 84.0] {
        canvas.line(curve(&[(-150.0, y), (150.0, y)]), 1.2, blue);
    }
}

fn poses(canvas: &mut Canvas, look: &Look, height: f32) {
    const POSES: [(Mood, f32, f32); 6] = [
        (Mood::Calm, -1.0, -3.0),
        (Mood::Smile, 0.0, 0.0),
        (Mood::Grin, 1.0, 4.0),
        (Mood::Laugh, 0.5, -6.0),
        (Mood::Surprise, -0.4, 2.0),
        (Mood::Content, 0.0, 7.0),
    ];
    paper(canvas, height);
    for (at, (mood, turn, tilt)) in POSES.into_iter().enumerate() {
        let (x, y) = ((at % 3) as f32 * 333.3, (at / 3) as f32 * height / 2.0);
        canvas.inside(rect(x + 14.0, y + 14.0, 305.0, height / 2.0 - 28.0), |canvas| {
            canvas.moved(Transform::from_row(0.68, 0.0, 0.0, 0.68, x + 166.0, y + height * 0.275), |canvas| {
                pencilled(canvas, look, &Pose { turn, tilt, ..Pose::frontal(mood) });
            });
        });
        canvas.line(rect(x + 14.0, y + 14.0, 305.0, height / 2.0 - 28.0), 1.4, Tone::hex(0x5B8FC9).faded(0.45));
    }
}
