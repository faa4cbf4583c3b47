//! The head without its hair: ears, skin, nose, mouth and the traces of years.

use tiny_skia::Transform;

use super::{
    canvas::{Canvas, Ink, Shape, blob, circle, curve, mirrored, oval},
    look::{Face, Look, Nose, Skin},
    mood::{Mouth, Pose},
    tone::Tone,
};

/// How far the features move when the head is turned fully.
pub(super) const TURN: f32 = 15.0;

/// The outline of the face from crown to chin.
pub(super) fn outline(face: &Face) -> Shape {
    let Face { width: w, jaw, chin, length } = *face;
    mirrored(&[
        (0.0, -150.0),
        (60.0 * w, -134.0),
        (94.0 * w, -78.0),
        (99.0 * w, -8.0),
        (94.0 * (w + jaw) / 2.0, 46.0),
        (74.0 * jaw, 92.0 * length),
        (38.0 * chin, 128.0 * length),
        (0.0, 140.0 * length),
    ])
}

/// Ears, skin, light and shade, blush and freckles; `light` is the side that it comes from, -1 or 1.
pub(super) fn skin(canvas: &mut Canvas, look: &Look, pose: &Pose, light: f32) {
    let Look { skin, face, .. } = look;
    for side in [-1.0, 1.0] {
        ear(canvas, skin, side, 97.0 * face.width * side - pose.turn * 9.0);
    }
    canvas.fill(outline(face), skin.base);
    canvas.inside(outline(face), |canvas| {
        let far = -light;
        let shade = blob(&[
            (far * 40.0, -175.0),
            (far * 80.0, -90.0),
            (far * 82.0, -10.0),
            (far * 70.0, 50.0),
            (far * 40.0, 105.0),
            (far * -14.0, 142.0),
            (far * 60.0, 190.0),
            (far * 170.0, 120.0),
            (far * 160.0, -120.0),
        ]);
        canvas.fill(shade, skin.shade.faded(0.42));
        canvas.fill(oval(0.0, -160.0, 130.0, 60.0), Ink::glow(0.0, -170.0, 100.0, skin.shade.faded(0.35)));
        canvas.fill(circle(light * 46.0, -60.0, 120.0), Ink::glow(light * 46.0, -60.0, 110.0, skin.light.faded(0.5)));
        let (joy, shift) = (pose.mood.joy(), pose.turn * TURN);
        for side in [-1.0, 1.0] {
            let (x, y) = (side * 58.0 * face.width + shift * 0.8, 46.0 - joy * 4.0);
            canvas.fill(circle(x, y, 40.0), Ink::glow(x, y, 36.0, skin.blush.faded(0.34 + joy * 0.26)));
        }
        if look.freckles {
            freckles(canvas, skin, shift);
        }
        years(canvas, look, shift);
    });
}

fn ear(canvas: &mut Canvas, skin: &Skin, side: f32, x: f32) {
    let outline = blob(&[
        (x - side * 8.0, -28.0),
        (x + side * 10.0, -32.0),
        (x + side * 19.0, -12.0),
        (x + side * 13.0, 14.0),
        (x + side * 2.0, 32.0),
        (x - side * 10.0, 26.0),
    ]);
    canvas.fill(outline, skin.base.mix(skin.shade, 0.35));
    let fold =
        curve(&[(x + side * 9.0, -20.0), (x + side * 11.0, -4.0), (x + side * 3.0, 8.0), (x + side * 4.0, 18.0)]);
    canvas.line(fold, 3.0, skin.line.faded(0.4));
}

fn freckles(canvas: &mut Canvas, skin: &Skin, shift: f32) {
    const PLACES: [(f32, f32, f32); 13] = [
        (28.0, 30.0, 2.4),
        (40.0, 24.0, 2.0),
        (36.0, 40.0, 2.2),
        (50.0, 34.0, 2.6),
        (60.0, 25.0, 1.8),
        (62.0, 42.0, 2.2),
        (48.0, 48.0, 1.8),
        (72.0, 33.0, 2.0),
        (18.0, 22.0, 1.8),
        (12.0, 34.0, 1.6),
        (72.0, 48.0, 1.6),
        (4.0, 12.0, 1.6),
        (32.0, 16.0, 1.5),
    ];
    let ink = skin.line.mix(skin.blush, 0.4).faded(0.42);
    for (x, y, radius) in PLACES {
        canvas.fill(circle(x + shift, y, radius), ink);
        canvas.fill(circle(shift - x - 3.0, y + 2.0, radius * 0.9), ink);
    }
}

fn years(canvas: &mut Canvas, look: &Look, shift: f32) {
    if look.years < 0.5 {
        return;
    }
    let ink = look.skin.line.faded(0.28 * look.years);
    for side in [-1.0, 1.0] {
        let at = |x: f32, y: f32| (side * x + shift, y);
        canvas.line(curve(&[at(24.0, 50.0), at(38.0, 62.0), at(45.0, 80.0)]), 3.0, ink);
        canvas.line(curve(&[at(66.0, 0.0), at(76.0, -5.0)]), 2.4, ink);
        canvas.line(curve(&[at(66.0, 6.0), at(77.0, 6.0)]), 2.4, ink);
        canvas.line(curve(&[at(28.0, 21.0), at(42.0, 24.0), at(56.0, 19.0)]), 2.4, ink);
    }
    canvas.line(curve(&[(shift - 34.0, -76.0), (shift, -80.0), (shift + 34.0, -76.0)]), 2.6, ink);
}

/// The nose, seen a little from the side that the head turns to.
pub(super) fn nose(canvas: &mut Canvas, look: &Look, pose: &Pose, light: f32) {
    let skin = &look.skin;
    let (tip, wing, length, bridge) = match look.nose {
        Nose::Button => (11.0, 12.0, 38.0, 0.16),
        Nose::Straight => (10.0, 13.0, 45.0, 0.34),
        Nose::Broad => (15.0, 20.0, 43.0, 0.24),
        Nose::Strong => (13.0, 15.0, 49.0, 0.42),
    };
    let shift = pose.turn * TURN;
    let place = Transform::from_translate(shift * 1.25, 0.0);
    canvas.moved(place, |canvas| {
        let far = -light;
        let side = blob(&[
            (far * 5.0 - shift * 0.3, -12.0),
            (far * 8.0, 10.0),
            (far * tip, length - 10.0),
            (far * wing, length),
            (far * 3.0, length + 3.0),
            (far * 1.0, 14.0),
        ]);
        canvas.fill(side, skin.shade.faded(0.35 + bridge));
        let (x, y) = (light * 2.0, length - 9.0);
        canvas.fill(circle(x, y, tip + 2.0), Ink::glow(x, y, tip + 2.0, skin.light.faded(0.85)));
        let base = [
            (-wing, length - 7.0),
            (-wing + 1.0, length + 1.0),
            (-wing * 0.45, length + 1.5),
            (0.0, length + 5.5),
            (wing * 0.45, length + 1.5),
            (wing - 1.0, length + 1.0),
            (wing, length - 7.0),
        ];
        canvas.line(curve(&base), 3.2, skin.line.faded(0.78));
    });
}

/// The mouth in the mood of the moment.
pub(super) fn mouth(canvas: &mut Canvas, look: &Look, pose: &Pose) {
    let place = Transform::from_translate(pose.turn * TURN, 83.0 * (0.6 + 0.4 * look.face.length));
    canvas.moved(place, |canvas| match pose.mood.mouth() {
        Mouth::Rest => closed(canvas, look, look.lips.width * 1.04, 3.0, 0.0),
        Mouth::Smile => closed(canvas, look, look.lips.width * 1.24, 10.0, 0.0),
        Mouth::Aside => closed(canvas, look, look.lips.width * 1.05, 4.0, 6.0),
        Mouth::Teeth => open(canvas, look, look.lips.width * 1.2, 17.0, false),
        Mouth::Open => open(canvas, look, look.lips.width * 1.22, 30.0, true),
        Mouth::Oh => oh(canvas, look),
    });
}

fn closed(canvas: &mut Canvas, look: &Look, width: f32, lift: f32, aside: f32) {
    let (lips, skin) = (look.lips, &look.skin);
    let (upper, lower) = (6.0 * lips.full, 8.5 * lips.full);
    let (left, right) = ((-width, -lift), (width, -lift - aside));
    let seam =
        [left, (-width * 0.5, 0.6 - lift * 0.2), (0.0, 2.0), (width * 0.5, 0.6 - lift * 0.2 - aside * 0.4), right];
    let [_, seam_left, middle, seam_right, _] = seam;
    let top = [
        left,
        (-width * 0.5, -upper * 0.72 - lift * 0.35),
        (-5.5, -upper),
        (0.0, -upper + 2.0),
        (5.5, -upper),
        (width * 0.5, -upper * 0.72 - lift * 0.35 - aside * 0.5),
        right,
        seam_right,
        middle,
        seam_left,
    ];
    let bottom = [
        (-width * 0.9, -lift * 0.85),
        (-width * 0.5, lower * 0.8 - lift * 0.1),
        (0.0, lower + 2.0),
        (width * 0.5, lower * 0.8 - lift * 0.1 - aside * 0.3),
        (width * 0.9, -lift * 0.85 - aside * 0.9),
        seam_right,
        middle,
        seam_left,
    ];
    canvas.fill(blob(&bottom), lips.tone.mix(skin.base, 0.18));
    canvas.fill(blob(&top), lips.tone.darker(0.1));
    canvas.fill(oval(0.0, lower * 0.55 + 1.0, width * 0.3, lower * 0.22), skin.light.faded(0.28));
    canvas.line(curve(&seam), 2.8, lips.tone.mix(skin.line, 0.75).darker(0.25));
    for (x, y) in [left, right] {
        canvas.line(
            curve(&[(x - 2.5 * x.signum(), y + 1.0), (x + 1.5 * x.signum(), y - 2.0)]),
            2.8,
            skin.line.faded(0.6),
        );
    }
    canvas.fill(oval(0.0, lower + 9.0, width * 0.42, 3.0), skin.shade.faded(0.5));
}

fn open(canvas: &mut Canvas, look: &Look, width: f32, depth: f32, tongue: bool) {
    const DARK: Tone = Tone::hex(0x5A1E26);
    const TEETH: Tone = Tone::hex(0xFFFBF4);
    let lips = look.lips;
    let grow = 3.4 * lips.full;
    let opening = |more: f32| {
        blob(&[
            (-width - more, -9.0 - more * 0.3),
            (-width * 0.5, -5.5 - more),
            (0.0, -3.5 - more * 0.8),
            (width * 0.5, -5.5 - more),
            (width + more, -9.0 - more * 0.3),
            (width * 0.72, depth * 0.62 + more - 3.0),
            (0.0, depth - 2.0 + more * 1.25),
            (-width * 0.72, depth * 0.62 + more - 3.0),
        ])
    };
    canvas.fill(opening(grow), lips.tone);
    canvas.fill(opening(0.0), DARK);
    canvas.inside(opening(0.0), |canvas| {
        if tongue {
            canvas.fill(oval(0.0, depth + 1.0, width * 0.55, depth * 0.42), Tone::hex(0xD9686A));
        }
        let reach = if tongue { 7.0 } else { depth * 0.72 };
        let teeth = [
            (-width - 6.0, -20.0),
            (width + 6.0, -20.0),
            (width * 0.9, reach - 6.0),
            (0.0, reach),
            (-width * 0.9, reach - 6.0),
        ];
        canvas.fill(blob(&teeth), TEETH);
    });
    canvas.fill(oval(0.0, depth + 11.0, width * 0.36, 3.0), look.skin.shade.faded(0.5));
}

fn oh(canvas: &mut Canvas, look: &Look) {
    let grow = 4.0 * look.lips.full;
    canvas.fill(oval(0.0, 4.0, 13.0 + grow, 15.0 + grow), look.lips.tone);
    canvas.fill(oval(0.0, 4.0, 12.0, 14.0), Tone::hex(0x5A1E26));
    canvas.fill(oval(0.0, 13.0, 8.0, 5.0), Tone::hex(0xC75B5F));
}
