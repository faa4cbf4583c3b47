//! Eyes, brows and glasses.

use tiny_skia::Transform;

use super::{
    canvas::{Canvas, Ink, Shape, blob, circle, curve, oval, pill, polygon},
    face::TURN,
    look::{Glasses, Look},
    mood::{Lid, Pose},
    tone::Tone,
};

/// Both eyes, each with its brow.
pub(super) fn eyes(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    let [left, right] = pose.mood.lids();
    for (side, lid, slip) in [(-1.0, left, 0.0), (1.0, right, pose.slip)] {
        let place = Transform::from_translate(side * look.eyes.apart + pose.turn * TURN, slip * 17.0);
        let size = 1.14 + slip * 0.32;
        canvas.moved(place.pre_scale(size, size), |canvas| match lid {
            Lid::Open => open(canvas, look, pose, side, 1.0),
            Lid::Wide => open(canvas, look, pose, side, 1.3),
            Lid::Soft => open(canvas, look, pose, side, 0.74),
            Lid::Merry => shut(canvas, look, side, -9.0),
            Lid::Shut => shut(canvas, look, side, 8.0),
        });
    }
}

/// An eye's opening, and the line of its upper lid from the inner to the outer corner.
fn almond(look: &Look, side: f32, open: f32) -> (Shape, Vec<(f32, f32)>) {
    let (w, rise) = (look.eyes.size, look.eyes.slant);
    let (up, down) = (11.5 * open, 8.2 * open.min(1.15));
    let upper = vec![
        (-side * w, 2.5),
        (-side * w * 0.62, -up * 0.66),
        (-side * w * 0.02, -up - rise * 0.3),
        (side * w * 0.62, -up * 0.74 - rise * 0.7),
        (side * w, -rise),
    ];
    let lower = [(side * w * 0.62, down * 0.66 - rise * 0.4), (0.0, down), (-side * w * 0.6, down * 0.72)];
    let outline: Vec<_> = upper.iter().chain(&lower).copied().collect();
    (blob(&outline), upper)
}

fn open(canvas: &mut Canvas, look: &Look, pose: &Pose, side: f32, wide: f32) {
    let (skin, eyes) = (&look.skin, look.eyes);
    let open = eyes.open * wide;
    let (opening, upper) = almond(look, side, open);
    canvas.fill(oval(0.0, -6.0, eyes.size * 1.5, 21.0), Ink::glow(0.0, -6.0, eyes.size * 1.35, skin.shade.faded(0.5)));
    canvas.fill(opening.clone(), Tone::hex(0xFBF6F0));
    canvas.inside(opening, |canvas| {
        let (x, y) = (pose.gaze.0 * 6.0 + pose.turn * 2.0, pose.gaze.1 * 4.0 - 0.5);
        let radius = eyes.size * 0.58;
        canvas.fill(circle(x, y, radius), eyes.iris.darker(0.45));
        canvas.fill(
            circle(x, y, radius - 1.8),
            Ink::down(y - radius, y + radius, &[eyes.iris.darker(0.2), eyes.iris.lighter(0.22)]),
        );
        canvas.fill(circle(x, y, radius * 0.5), Tone::hex(0x17100F));
        canvas.line(curve(&upper), 9.0, skin.line.darker(0.3).faded(0.28));
        canvas.fill(circle(x - 3.4, y - 4.0, radius * 0.27), Tone::WHITE.faded(0.95));
        canvas.fill(circle(x + 3.6, y + 4.0, radius * 0.14), Tone::WHITE.faded(0.6));
    });
    let lash = look.brows.tone.mix(Tone::hex(0x221518), 0.72);
    canvas.line(curve(&upper), 3.8, lash);
    if eyes.lashes > 0.0 {
        let (x, y) = (side * eyes.size, -eyes.slant);
        let (tip_x, tip_y) = (x + side * eyes.lashes * 0.95, y - eyes.lashes * 0.6);
        canvas.fill(polygon(&[(x - side * 7.0, y - 5.6), (tip_x, tip_y), (x - side * 0.5, y + 1.9)]), lash);
    }
    let crease: Vec<_> = upper[1..].iter().map(|&(x, y)| (x * 1.04, y - 6.0)).collect();
    canvas.line(curve(&crease), 2.2, skin.line.faded(0.5));
    let w = eyes.size;
    let pouch = [(-side * w * 0.5, 11.0), (0.0, 12.5), (side * w * 0.5, 10.5)];
    canvas.line(curve(&pouch), 2.0, skin.shade.faded(0.4 + look.years * 0.4));
}

fn shut(canvas: &mut Canvas, look: &Look, side: f32, bow: f32) {
    let w = look.eyes.size;
    let lash = look.brows.tone.mix(Tone::hex(0x221518), 0.72);
    canvas.fill(oval(0.0, -4.0, w * 1.5, 20.0), Ink::glow(0.0, -4.0, w * 1.3, look.skin.shade.faded(0.5)));
    let seam = [
        (-side * w, 2.0),
        (-side * w * 0.5, 2.0 + bow * 0.78),
        (0.0, 2.0 + bow),
        (side * w * 0.5, 2.0 + bow * 0.72),
        (side * w * 1.04, 1.0),
    ];
    canvas.line(curve(&seam), 4.4, lash);
    if look.eyes.lashes > 0.0 {
        for (from, to) in [(1.0, 1.36), (0.72, 0.96)] {
            let drop = if bow > 0.0 { 5.0 } else { -4.0 };
            let y = 2.0 + bow * (1.0 - from);
            canvas.line(curve(&[(side * w * from, y), (side * w * to, y + drop)]), 2.8, lash);
        }
    }
}

pub(super) fn brows(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    let brows = look.brows;
    for (side, raised) in [-1.0, 1.0].into_iter().zip(pose.mood.brows()) {
        let place = Transform::from_translate(side * look.eyes.apart + pose.turn * TURN * 1.05, -37.0 - raised);
        canvas.moved(place, |canvas| {
            let (h, w) = (brows.weight, look.eyes.size * 1.1 + 8.0);
            let outline = [
                (-side * w * 0.86, 3.0 - h * 0.5),
                (-side * w * 0.2, -brows.arch * 0.7 - h * 0.55),
                (side * w * 0.45, -brows.arch - h * 0.4),
                (side * w, 4.5),
                (side * w * 0.4, -brows.arch + h * 0.42),
                (-side * w * 0.2, -brows.arch * 0.5 + h * 0.5),
                (-side * w * 0.86, 3.0 + h * 0.5),
            ];
            canvas.fill(blob(&outline), brows.tone);
        });
    }
}

pub(super) fn glasses(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    let Some(glasses) = look.glasses else { return };
    let (shift, apart) = (pose.turn * TURN * 1.15, look.eyes.apart + 1.0);
    let (frame, lens): (Tone, fn(f32) -> Shape) = match glasses {
        Glasses::Round(tone) => (tone, |x| circle(x, 1.0, 34.0)),
        Glasses::Square(tone) => (tone, |x| pill(x - 35.0, -25.0, 70.0, 51.0, 15.0)),
    };
    for side in [-1.0, 1.0] {
        let x = side * apart + shift;
        let temple = [(x + side * 33.0, -8.0), (side * 98.0 * look.face.width - pose.turn * 6.0, -14.0)];
        canvas.line(curve(&temple), 4.4, frame.darker(0.2));
        canvas.fill(lens(x), Tone::WHITE.faded(0.08));
        canvas.inside(lens(x), |canvas| {
            let gleam = polygon(&[(x - 22.0, 34.0), (x + 6.0, -34.0), (x + 20.0, -34.0), (x - 8.0, 34.0)]);
            canvas.fill(gleam, Tone::WHITE.faded(0.11));
        });
        canvas.line(lens(x), 4.6, frame);
    }
    let inner = apart - 33.0;
    canvas.line(curve(&[(shift - inner, -4.0), (shift, -9.0), (shift + inner, -4.0)]), 4.6, frame);
}
