//! Hair that stands round and full.

use super::{
    canvas::{Canvas, Ink, circle, cloud, curve},
    hair::mass,
    look::Hair,
};

/// The round of hair behind the head; a hat leaves it the sides.
pub(super) fn behind(canvas: &mut Canvas, hair: &Hair, hat: bool) {
    if hat {
        for side in [-1.0, 1.0] {
            canvas.fill(cloud(side * 106.0, -22.0, 56.0, 74.0, 13), Ink::down(-100.0, 60.0, &[hair.tone, hair.shade]));
        }
    } else {
        let round = [hair.tone.mix(hair.light, 0.5), hair.tone, hair.shade];
        canvas.fill(cloud(0.0, -62.0, 160.0, 146.0, 22), Ink::around(-50.0, -150.0, 290.0, &round));
        curls(canvas, hair);
    }
}

/// The hairline.
pub(super) fn front(canvas: &mut Canvas, hair: &Hair) {
    mass(
        canvas,
        hair,
        &[
            (-104.0, 30.0),
            (-118.0, -40.0),
            (-104.0, -120.0),
            (-50.0, -170.0),
            (0.0, -180.0),
            (50.0, -170.0),
            (104.0, -120.0),
            (118.0, -40.0),
            (104.0, 30.0),
            (94.0, -14.0),
            (88.0, -56.0),
            (70.0, -86.0),
            (36.0, -100.0),
            (0.0, -98.0),
            (-36.0, -100.0),
            (-70.0, -86.0),
            (-88.0, -56.0),
            (-94.0, -14.0),
        ],
    );
    for at in 0..15 {
        let angle = std::f32::consts::PI * (1.02 + 0.0686 * at as f32);
        let wobble = (at as f32 * 2.4).sin();
        let (x, y) = (angle.cos() * 92.0, angle.sin() * (93.0 + wobble * 2.0) - 9.0);
        canvas.fill(circle(x, y, 9.0 + wobble * 1.6), hair.tone.mix(hair.shade, (x + 90.0) / 260.0));
    }
}

fn curls(canvas: &mut Canvas, hair: &Hair) {
    for at in 0..46 {
        let (angle, out) = (at as f32 * 2.399, ((at as f32 + 6.0) / 52.0).sqrt());
        let (x, y) = (angle.cos() * 158.0 * out, angle.sin() * 146.0 * out - 66.0);
        let bow = curve(&[(x - 8.0, y + 3.0), (x - 3.0, y - 6.0), (x + 6.0, y - 4.0), (x + 7.0, y + 4.0)]);
        canvas.line(bow, 2.6, hair.light.faded(if at % 2 == 0 { 0.55 } else { 0.3 }));
    }
}
