//! Leaves, trees, pumpkins, snow: the things that the seasons' scenes are made of.

use tiny_skia::Transform;

use super::{
    canvas::{Canvas, Ink, blob, circle, cloud, curve, oval, polygon, rect},
    chance::Chance,
    tone::Tone,
};

pub(super) const LEAVES: [Tone; 6] = [
    Tone::hex(0xC8452E),
    Tone::hex(0xE07F2C),
    Tone::hex(0xEDB23E),
    Tone::hex(0x9C3B2A),
    Tone::hex(0xB8742C),
    Tone::hex(0x8A8F3C),
];

/// Places `draw` at a point, turned by degrees and scaled.
pub(super) fn put(canvas: &mut Canvas, at: (f32, f32), turn: f32, scale: f32, draw: impl FnOnce(&mut Canvas)) {
    let place = Transform::from_translate(at.0, at.1).pre_concat(Transform::from_rotate(turn)).pre_scale(scale, scale);
    canvas.moved(place, draw);
}

/// One leaf about 100 long: beech, oak or maple by `kind`.
pub(super) fn leaf(canvas: &mut Canvas, kind: usize, tone: Tone) {
    let vein = tone.darker(0.32).faded(0.8);
    match kind % 3 {
        0 => {
            canvas.fill(
                blob(&[(0.0, 46.0), (-27.0, 12.0), (-22.0, -24.0), (0.0, -54.0), (22.0, -24.0), (27.0, 12.0)]),
                tone,
            );
            for y in [-26.0, -6.0, 14.0] {
                canvas.line(curve(&[(0.0, y + 12.0), (16.0, y - 2.0)]), 2.0, vein);
                canvas.line(curve(&[(0.0, y + 12.0), (-16.0, y - 2.0)]), 2.0, vein);
            }
        }
        1 => {
            let side = [
                (8.0, 40.0),
                (26.0, 28.0),
                (12.0, 16.0),
                (32.0, 4.0),
                (14.0, -8.0),
                (27.0, -24.0),
                (11.0, -32.0),
                (0.0, -54.0),
            ];
            let left = side.iter().rev().skip(1).map(|&(x, y)| (-x, y));
            canvas.fill(blob(&side.iter().copied().chain(left).collect::<Vec<_>>()), tone);
        }
        _ => {
            let side = [
                (5.0, 36.0),
                (34.0, 36.0),
                (28.0, 20.0),
                (54.0, 2.0),
                (40.0, -4.0),
                (44.0, -26.0),
                (22.0, -16.0),
                (20.0, -36.0),
                (10.0, -32.0),
                (0.0, -58.0),
            ];
            let left = side.iter().rev().skip(1).map(|&(x, y)| (-x, y));
            canvas.fill(polygon(&side.iter().copied().chain(left).collect::<Vec<_>>()), tone);
            canvas.line(curve(&[(0.0, 34.0), (30.0, 4.0)]), 2.0, vein);
            canvas.line(curve(&[(0.0, 34.0), (-30.0, 4.0)]), 2.0, vein);
        }
    }
    canvas.line(curve(&[(0.0, -44.0), (1.0, 20.0), (4.0, 66.0)]), 3.0, vein);
}

/// Leaves in the air, away from the face in the middle.
pub(super) fn falling_leaves(canvas: &mut Canvas, chance: &mut Chance, height: f32, count: usize, size: (f32, f32)) {
    for _ in 0..count {
        let at = beside(chance, height);
        let (turn, scale, kind) = (chance.within(0.0, 360.0), chance.within(size.0, size.1), chance.below(3));
        let tone = chance.pick(&LEAVES);
        let squash = chance.within(0.55, 1.0);
        put(canvas, at, turn, scale, |canvas| {
            canvas.moved(Transform::from_scale(squash, 1.0), |canvas| leaf(canvas, kind, tone))
        });
    }
}

/// A point of the picture that does not hide the face.
fn beside(chance: &mut Chance, height: f32) -> (f32, f32) {
    let x = if chance.hits(50) { chance.within(0.0, 210.0) } else { chance.within(790.0, 1000.0) };
    (x, chance.within(0.0, height))
}

/// Snow in the air: soft near flakes and small far ones.
pub(super) fn snowfall(canvas: &mut Canvas, chance: &mut Chance, height: f32, count: usize, near: bool) {
    for _ in 0..count {
        let (x, y) =
            if near { beside(chance, height) } else { (chance.within(0.0, 1000.0), chance.within(0.0, height)) };
        if near {
            let radius = chance.within(9.0, 22.0);
            canvas.fill(circle(x, y, radius), Ink::glow(x, y, radius, Tone::WHITE.faded(0.95)));
        } else {
            canvas.fill(circle(x, y, chance.within(1.6, 5.0)), Tone::WHITE.faded(chance.within(0.4, 0.9)));
        }
    }
}

/// A six-armed crystal of radius 50.
pub(super) fn crystal(canvas: &mut Canvas, tone: Tone, width: f32) {
    for arm in 0..6 {
        canvas.moved(Transform::from_rotate(arm as f32 * 60.0), |canvas| {
            canvas.line(curve(&[(0.0, 0.0), (0.0, -50.0)]), width, tone);
            for y in [-22.0, -36.0] {
                canvas.line(polygon(&[(-11.0, y - 10.0), (0.0, y), (11.0, y - 10.0), (0.0, y)]), width * 0.8, tone);
            }
        });
    }
}

/// The sky down to the horizon, from tone to tone in equal bands: two-stop gradients, because they are quick.
pub(super) fn sky(canvas: &mut Canvas, height: f32, tones: &[Tone]) {
    let depth = height * 0.86 / tones.len().saturating_sub(1).max(1) as f32;
    for (at, pair) in tones.windows(2).enumerate() {
        let top = at as f32 * depth;
        canvas.fill(rect(0.0, top, 1000.0, height - top), Ink::down(top, top + depth, pair));
    }
}

/// Ground that rolls across the picture from `y` down.
pub(super) fn hill(canvas: &mut Canvas, chance: &mut Chance, y: f32, swell: f32, ink: impl Into<Ink>) {
    let mut ridge: Vec<(f32, f32)> = (-2..=6)
        .map(|at| (at as f32 * 250.0 - 120.0 + chance.within(-50.0, 50.0), y + chance.within(-swell, swell)))
        .collect();
    ridge.push((1700.0, y + 1900.0));
    ridge.push((-700.0, y + 1900.0));
    canvas.fill(blob(&ridge), ink);
}

/// A round-crowned tree standing at (x, y).
pub(super) fn tree(canvas: &mut Canvas, x: f32, y: f32, size: f32, tone: Tone) {
    let bark = tone.darker(0.62);
    canvas.line(curve(&[(x, y), (x + size * 0.02, y - size * 0.55)]), size * 0.085, bark);
    canvas.line(curve(&[(x, y - size * 0.36), (x + size * 0.14, y - size * 0.6)]), size * 0.04, bark);
    for (dx, dy, r, shade) in [(0.2, 0.7, 0.25, 0.16), (-0.2, 0.68, 0.26, 0.06), (0.02, 0.9, 0.3, 0.0)] {
        let (cx, cy, r) = (x + dx * size, y - dy * size, r * size);
        let body = tone.darker(shade);
        canvas.fill(
            cloud(cx, cy, r, r * 0.94, 13),
            Ink::around(cx - r * 0.4, cy - r * 0.5, r * 1.8, &[body.lighter(0.22), body, body.darker(0.25)]),
        );
    }
}

/// A fir standing at (x, y), under snow where `snow` is given.
pub(super) fn fir(canvas: &mut Canvas, x: f32, y: f32, size: f32, tone: Tone, snow: Option<Tone>) {
    canvas.fill(rect(x - size * 0.03, y - size * 0.14, size * 0.06, size * 0.16), tone.darker(0.5));
    for tier in 0..4 {
        let t = tier as f32;
        let (top, bottom, half) =
            (y - size * (0.46 + t * 0.18), y - size * (0.08 + t * 0.19), size * (0.30 - t * 0.062));
        let skirt = [
            (x, top),
            (x + half * 0.5, (top + bottom) / 2.0),
            (x + half, bottom),
            (x + half * 0.4, bottom - size * 0.02),
            (x, bottom + size * 0.025),
            (x - half * 0.4, bottom - size * 0.02),
            (x - half, bottom),
            (x - half * 0.5, (top + bottom) / 2.0),
        ];
        canvas.fill(
            polygon(&skirt),
            Ink::along((x - half, top), (x + half, bottom), &[tone.lighter(0.12), tone.darker(0.18)]),
        );
        if let Some(snow) = snow {
            let cap = [
                (x, top),
                (x + half * 0.62, bottom - (bottom - top) * 0.36),
                (x + half * 0.26, bottom - (bottom - top) * 0.44),
                (x, bottom - (bottom - top) * 0.3),
                (x - half * 0.34, bottom - (bottom - top) * 0.46),
                (x - half * 0.62, bottom - (bottom - top) * 0.36),
            ];
            canvas.fill(polygon(&cap), snow);
        }
    }
}

/// A bare birch from top to bottom of the picture.
pub(super) fn birch(canvas: &mut Canvas, chance: &mut Chance, x: f32, width: f32, height: f32, tone: Tone) {
    let lean = chance.within(-30.0, 30.0);
    let trunk = polygon(&[
        (x - width / 2.0, height),
        (x + width / 2.0, height),
        (x + lean + width * 0.34, -20.0),
        (x + lean - width * 0.34, -20.0),
    ]);
    canvas.fill(
        trunk.clone(),
        Ink::along((x - width / 2.0, 0.0), (x + width / 2.0, 0.0), &[tone, tone.darker(0.04), tone.darker(0.3)]),
    );
    canvas.inside(trunk, |canvas| {
        for _ in 0..14 {
            let (y, reach) = (chance.within(0.0, height), chance.within(0.2, 0.7) * width);
            let from = if chance.hits(50) {
                x - width * 0.5 + lean * (1.0 - y / height)
            } else {
                x + lean * (1.0 - y / height)
            };
            canvas.fill(oval(from + reach * 0.5, y, reach * 0.5, width * 0.05), Tone::hex(0x3A3230).faded(0.75));
        }
    });
}

/// A pumpkin about 200 wide with its foot at the origin.
pub(super) fn pumpkin(canvas: &mut Canvas, tone: Tone) {
    canvas.fill(oval(0.0, 0.0, 112.0, 16.0), Tone::BLACK.faded(0.22));
    for (x, wide, shade) in
        [(-62.0, 46.0, 0.2), (62.0, 46.0, 0.26), (-34.0, 46.0, 0.08), (36.0, 46.0, 0.14), (0.0, 44.0, 0.0)]
    {
        let body = tone.darker(shade);
        canvas.fill(
            oval(x, -70.0, wide, 68.0),
            Ink::around(x - 14.0, -104.0, 130.0, &[body.lighter(0.28), body, body.darker(0.3)]),
        );
    }
    canvas.line(curve(&[(2.0, -132.0), (0.0, -154.0), (16.0, -172.0)]), 18.0, Tone::hex(0x6B7238));
    canvas.line(curve(&[(6.0, -138.0), (48.0, -156.0), (70.0, -134.0), (84.0, -146.0)]), 5.0, Tone::hex(0x7D8540));
}

/// Lights out of focus.
pub(super) fn bokeh(canvas: &mut Canvas, chance: &mut Chance, height: f32, tones: &[Tone; 3], count: usize) {
    for _ in 0..count {
        let (x, y, radius) = (chance.within(0.0, 1000.0), chance.within(0.0, height * 0.85), chance.within(24.0, 84.0));
        let tone = chance.pick(tones).faded(chance.within(0.16, 0.42));
        canvas.fill(circle(x, y, radius), Ink::around(x, y, radius, &[tone.faded(0.75), tone.faded(0.85), tone]));
        canvas.line(circle(x, y, radius - 1.5), 2.4, tone.lighter(0.4).faded(0.7));
    }
}
