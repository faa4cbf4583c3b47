//! Beards, moustaches and what hangs from the ears.

use tiny_skia::Transform;

use super::{
    canvas::{Canvas, Ink, blob, circle, curve, oval},
    face::{TURN, outline},
    look::{Beard, Earrings, Look},
    mood::Pose,
    tone::Tone,
};

/// The beard, drawn between the skin and the mouth.
pub(super) fn beard(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    match look.beard {
        Some(Beard::Full(tone)) => full(canvas, look, pose, tone),
        Some(Beard::Trimmed(tone)) => trimmed(canvas, look, pose, tone),
        Some(Beard::Moustache(tone)) => moustache(canvas, pose, tone, 1.0),
        None => {}
    }
}

fn full(canvas: &mut Canvas, look: &Look, pose: &Pose, tone: Tone) {
    let (w, l, shift) = (look.face.jaw, look.face.length, pose.turn * TURN);
    let points = [
        (-97.0 * w.min(1.06), 6.0),
        (-92.0 * w, 62.0),
        (-84.0 * w, 110.0 * l),
        (-50.0 * w, 150.0 * l),
        (0.0, 166.0 * l),
        (50.0 * w, 150.0 * l),
        (84.0 * w, 110.0 * l),
        (92.0 * w, 62.0),
        (97.0 * w.min(1.06), 6.0),
        (82.0, 46.0),
        (52.0 + shift, 62.0),
        (20.0 + shift, 60.0),
        (shift, 64.0),
        (shift - 20.0, 60.0),
        (shift - 52.0, 62.0),
        (-82.0, 46.0),
    ];
    canvas.fill(blob(&points), Ink::down(20.0, 160.0, &[tone.darker(0.12), tone, tone.lighter(0.12)]));
    for (x, sway) in [(-58.0, -8.0), (-34.0, -5.0), (-10.0, -2.0), (14.0, 3.0), (38.0, 5.0), (60.0, 8.0)] {
        canvas.line(
            curve(&[(x, 108.0), (x + sway, 126.0), (x * 0.86 + sway, 142.0)]),
            2.6,
            tone.darker(0.28).faded(0.6),
        );
    }
    moustache(canvas, pose, tone, 1.0);
}

fn trimmed(canvas: &mut Canvas, look: &Look, pose: &Pose, tone: Tone) {
    let (l, shift) = (look.face.length, pose.turn * TURN);
    canvas.inside(outline(&look.face), |canvas| {
        let shadow = [
            (-120.0, -6.0),
            (-120.0, 170.0),
            (120.0, 170.0),
            (120.0, -6.0),
            (94.0, 6.0),
            (82.0, 56.0),
            (54.0 + shift, 80.0 * l),
            (30.0 + shift, 64.0),
            (shift, 62.0),
            (shift - 30.0, 64.0),
            (shift - 54.0, 80.0 * l),
            (-82.0, 56.0),
            (-94.0, 6.0),
        ];
        canvas.fill(blob(&shadow), tone.faded(0.78));
        canvas.fill(oval(shift, 118.0 * l, 44.0, 24.0), tone.darker(0.2).faded(0.3));
    });
    moustache(canvas, pose, tone.darker(0.1), 0.86);
}

fn moustache(canvas: &mut Canvas, pose: &Pose, tone: Tone, size: f32) {
    let place = Transform::from_translate(pose.turn * TURN * 1.1, 66.0 - pose.mood.joy() * 2.0);
    canvas.moved(place.pre_scale(size, size), |canvas| {
        for side in [-1.0, 1.0] {
            let half = [
                (-side, -6.0),
                (side * 16.0, -8.0),
                (side * 33.0, 1.0),
                (side * 44.0, 12.0),
                (side * 28.0, 12.0),
                (side * 10.0, 8.0),
                (-side, 6.0),
            ];
            canvas.fill(blob(&half), tone);
        }
    });
}

pub(super) fn earrings(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    let Some(earrings) = look.earrings else { return };
    for side in [-1.0, 1.0] {
        let x = side * 104.0 * look.face.width - pose.turn * 9.0;
        match earrings {
            Earrings::Hoops(tone) => {
                canvas.line(oval(x + side * 3.0, 58.0, 17.0, 23.0), 5.0, tone);
                canvas.line(
                    curve(&[(x - side * 9.0, 46.0), (x - side * 12.0, 58.0), (x - side * 8.0, 70.0)]),
                    2.4,
                    tone.lighter(0.5),
                );
            }
            Earrings::Pearls => {
                canvas.fill(
                    circle(x, 38.0, 8.5),
                    Ink::around(x - 3.0, 35.0, 12.0, &[Tone::WHITE, Tone::hex(0xF3ECE4), Tone::hex(0xC9BDB4)]),
                );
            }
            Earrings::Drops(tone) => {
                canvas.line(curve(&[(x, 32.0), (x, 46.0)]), 2.4, Tone::hex(0xE0B45A));
                let drop = [(x, 44.0), (x + 8.0, 60.0), (x, 70.0), (x - 8.0, 60.0)];
                canvas.fill(blob(&drop), tone);
                canvas.fill(circle(x - 2.5, 58.0, 2.2), tone.lighter(0.7));
            }
        }
    }
}
