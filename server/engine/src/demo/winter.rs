//! The winter scenes behind the family Okafor.

use super::{
    canvas::{Canvas, Ink, blob, circle, curve, oval, polygon, rect},
    chance::Chance,
    nature::{bokeh, crystal, fir, hill, put, sky, snowfall, tree},
    tone::Tone,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Winter {
    Night,
    Meadow,
    Garland,
    Aurora,
    Crystals,
    Village,
    Peaks,
    Moon,
}

const SNOW: Tone = Tone::hex(0xF4F7FB);

/// Draws the scene over the whole picture of 1000 by `height`.
pub(super) fn behind(canvas: &mut Canvas, scene: Winter, height: f32, chance: &mut Chance) {
    match scene {
        Winter::Night => night(canvas, height, chance),
        Winter::Meadow => meadow(canvas, height, chance),
        Winter::Garland => garland(canvas, height, chance),
        Winter::Aurora => aurora(canvas, height, chance),
        Winter::Crystals => crystals(canvas, height, chance),
        Winter::Village => village(canvas, height, chance),
        Winter::Peaks => peaks(canvas, height, chance),
        Winter::Moon => moon(canvas, height, chance),
    }
}

/// What drifts between the person and the eye.
pub(super) fn before(canvas: &mut Canvas, scene: Winter, height: f32, chance: &mut Chance) {
    match scene {
        Winter::Crystals | Winter::Garland => {}
        Winter::Aurora | Winter::Peaks => snowfall(canvas, chance, height, 5, true),
        Winter::Night | Winter::Meadow | Winter::Village | Winter::Moon => snowfall(canvas, chance, height, 14, true),
    }
}

fn stars(canvas: &mut Canvas, height: f32, chance: &mut Chance, count: usize) {
    for _ in 0..count {
        let (x, y) = (chance.within(0.0, 1000.0), chance.within(0.0, height * 0.6));
        canvas.fill(circle(x, y, chance.within(1.4, 3.6)), Tone::hex(0xFFF6DE).faded(chance.within(0.4, 1.0)));
    }
}

fn firs(
    canvas: &mut Canvas,
    chance: &mut Chance,
    y: f32,
    count: usize,
    size: (f32, f32),
    tone: Tone,
    snow: Option<Tone>,
) {
    for at in 0..count {
        let x = (at as f32 + chance.within(0.1, 0.9)) * 1000.0 / count as f32;
        fir(canvas, x, y + chance.within(-10.0, 24.0), chance.within(size.0, size.1), tone, snow);
    }
}

fn night(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0x16213F, 0x4A6A94), (0x1B1B3A, 0x6A5C92), (0x0F2A3D, 0x3F7C8C)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    stars(canvas, height, chance, 70);
    let (x, y) = (if chance.hits(50) { 190.0 } else { 810.0 }, height * 0.17);
    canvas.fill(circle(x, y, 170.0), Ink::glow(x, y, 170.0, Tone::hex(0xFFF3CF).faded(0.5)));
    canvas.fill(circle(x, y, 54.0), Tone::hex(0xFFF5DA));
    let far = Tone::hex(top).mix(Tone::hex(low), 0.55);
    firs(canvas, chance, height * 0.68, 13, (200.0, 330.0), far, None);
    hill(canvas, chance, height * 0.68, 14.0, Tone::hex(0xA9BFDA));
    firs(canvas, chance, height * 0.8, 7, (320.0, 470.0), Tone::hex(0x1F4A4A), Some(Tone::hex(0xDCE7F2)));
    hill(canvas, chance, height * 0.79, 10.0, Ink::down(height * 0.76, height, &[SNOW, Tone::hex(0xB4C7DF)]));
    snowfall(canvas, chance, height, 70, false);
}

fn meadow(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0x8DB8D6, 0xE9F1F4), (0xA7C4D8, 0xF8E6DC), (0xB8C9D9, 0xF3F0EE)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    let sun = (chance.within(150.0, 850.0), height * 0.2);
    canvas.fill(circle(sun.0, sun.1, 240.0), Ink::glow(sun.0, sun.1, 240.0, Tone::hex(0xFFF8E4)));
    hill(canvas, chance, height * 0.54, 24.0, Tone::hex(0xCFDFEC));
    firs(canvas, chance, height * 0.58, 12, (110.0, 170.0), Tone::hex(0x7FA0A6), Some(SNOW.faded(0.8)));
    hill(canvas, chance, height * 0.64, 22.0, Tone::hex(0xE0EAF3));
    for x in [60.0, 930.0] {
        tree(canvas, x + chance.within(-60.0, 60.0), height * 0.76, chance.within(340.0, 440.0), Tone::hex(0xDDEAF2));
    }
    firs(canvas, chance, height * 0.76, 5, (230.0, 340.0), Tone::hex(0x4B7A78), Some(SNOW));
    hill(canvas, chance, height * 0.76, 12.0, Ink::down(height * 0.74, height, &[Tone::WHITE, Tone::hex(0xCADBEA)]));
    snowfall(canvas, chance, height, 40, false);
}

fn garland(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) =
        chance.pick(&[(0x2B1830, 0x5A2440), (0x14283A, 0x254E5C), (0x3A1A1E, 0x7A2E2E), (0x17302A, 0x2F5A48)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    let glows = [Tone::hex(0xFFD27A), Tone::hex(0xFF9F6B), Tone::hex(0xFFF0CC)];
    bokeh(canvas, chance, height, &glows, 14);
    for row in 0..3 {
        let y = height * (0.06 + 0.17 * row as f32);
        let (left, right, sag) =
            (y + chance.within(-40.0, 40.0), y + chance.within(-40.0, 40.0), chance.within(70.0, 130.0));
        let at = |t: f32| (t * 1040.0 - 20.0, left + (right - left) * t + sag * 4.0 * t * (1.0 - t));
        let wire: Vec<_> = (0..=12).map(|step| at(step as f32 / 12.0)).collect();
        canvas.line(curve(&wire), 3.4, Tone::BLACK.faded(0.55));
        for bulb in 0..9 {
            let (x, y) = at((bulb as f32 + 0.5) / 9.0);
            let tone = chance.pick(&[Tone::hex(0xFFD98A), Tone::hex(0xFFB56B), Tone::hex(0xFFF1CF)]);
            canvas.fill(circle(x, y + 18.0, 62.0), Ink::glow(x, y + 18.0, 62.0, tone.faded(0.7)));
            canvas.fill(rect(x - 5.0, y - 4.0, 10.0, 12.0), Tone::hex(0x2A2022));
            canvas.fill(oval(x, y + 20.0, 10.0, 14.0), tone.lighter(0.5));
        }
    }
}

fn aurora(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    sky(canvas, height, &[Tone::hex(0x0B1530), Tone::hex(0x17385A), Tone::hex(0x2E6E7C)]);
    stars(canvas, height, chance, 60);
    let veils =
        chance.pick(&[[0x5BE3A8, 0x3FC6C0, 0x8F7BE8], [0x7DEB8E, 0x46C9A4, 0xD16FD0], [0x66D9E8, 0x5B8DEF, 0xB37BE8]]);
    for (at, veil) in veils.into_iter().enumerate() {
        let (y, tone) = (height * (0.1 + 0.1 * at as f32), Tone::hex(veil));
        let crest: Vec<_> = (0..7).map(|step| (step as f32 * 190.0 - 80.0, y + chance.within(-60.0, 60.0))).collect();
        let foot = crest.iter().rev().map(|&(x, y)| (x - 40.0, y + height * 0.34));
        let veil: Vec<_> = crest.iter().copied().chain(foot).collect();
        let fade = [tone.faded(0.0), tone.faded(0.5), tone.faded(0.22), tone.faded(0.0)];
        canvas.fill(blob(&veil), Ink::down(y - 70.0, y + height * 0.34, &fade));
    }
    hill(canvas, chance, height * 0.66, 30.0, Tone::hex(0x1E4258));
    firs(canvas, chance, height * 0.76, 11, (180.0, 330.0), Tone::hex(0x0E2A38), None);
    hill(
        canvas,
        chance,
        height * 0.76,
        12.0,
        Ink::down(height * 0.74, height, &[Tone::hex(0xBFE0E2), Tone::hex(0x6E9DB8)]),
    );
    snowfall(canvas, chance, height, 30, false);
}

fn crystals(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let ground = Tone::hex(chance.pick(&[0x8E2F3C, 0x2F5D54, 0xA9C8DC, 0x34466E, 0xD9C3B0, 0x6D5480]));
    canvas.fill(
        rect(0.0, 0.0, 1000.0, height),
        Ink::around(500.0, height * 0.42, 800.0, &[ground.lighter(0.2), ground.darker(0.16)]),
    );
    for row in 0..((height / 150.0) as usize + 2) {
        for column in 0..8 {
            let at = (column as f32 * 150.0 + if row % 2 == 0 { 0.0 } else { 75.0 } - 30.0, row as f32 * 140.0 - 10.0);
            if (row + column) % 2 == 0 {
                let size = if (row + column) % 4 == 0 { 1.05 } else { 0.7 };
                put(canvas, at, 15.0, size, |canvas| crystal(canvas, Tone::WHITE.faded(0.55), 4.4));
            } else {
                canvas.fill(circle(at.0, at.1, 8.0), Tone::WHITE.faded(0.5));
            }
        }
    }
}

fn village(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0x2B3A67, 0xE39A86), (0x233B5E, 0x7FA3C7), (0x4A3B6B, 0xF0A98B)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(top).mix(Tone::hex(low), 0.6), Tone::hex(low)]);
    stars(canvas, height, chance, 30);
    hill(canvas, chance, height * 0.56, 34.0, Tone::hex(0x8FA3C4));
    firs(canvas, chance, height * 0.62, 9, (130.0, 210.0), Tone::hex(0x3B566E), Some(SNOW.faded(0.5)));
    hill(canvas, chance, height * 0.66, 16.0, Tone::hex(0xC6D4E8));
    for x in [60.0, 215.0, 800.0, 945.0] {
        let (x, width, tall) =
            (x + chance.within(-24.0, 24.0), chance.within(150.0, 180.0), chance.within(120.0, 210.0));
        let wall = Tone::hex(chance.pick(&[0x8A3F3A, 0xB5723E, 0x4F5F7A, 0x7A5A4C]));
        let base = height * 0.74;
        canvas.fill(
            rect(x - width / 2.0, base - tall, width, tall + 40.0),
            Ink::along((x - width / 2.0, 0.0), (x + width / 2.0, 0.0), &[wall, wall.darker(0.25)]),
        );
        let peak = base - tall - width * 0.62;
        canvas.fill(
            polygon(&[(x - width * 0.64, base - tall + 8.0), (x, peak), (x + width * 0.64, base - tall + 8.0)]),
            SNOW,
        );
        canvas.fill(
            polygon(&[
                (x - width * 0.44, base - tall + 4.0),
                (x, peak + width * 0.26),
                (x + width * 0.44, base - tall + 4.0),
            ]),
            wall.darker(0.2),
        );
        for (dx, dy) in [(-0.22, 0.32), (0.22, 0.32), (-0.22, 0.72), (0.22, 0.72)] {
            let (wx, wy) = (x + dx * width, base - tall + dy * tall);
            canvas.fill(circle(wx, wy, 46.0), Ink::glow(wx, wy, 46.0, Tone::hex(0xFFC766).faded(0.6)));
            canvas.fill(rect(wx - 14.0, wy - 18.0, 28.0, 36.0), Tone::hex(0xFFDF94));
            canvas.line(curve(&[(wx, wy - 18.0), (wx, wy + 18.0)]), 3.0, wall.darker(0.4));
        }
    }
    hill(canvas, chance, height * 0.76, 10.0, Ink::down(height * 0.74, height, &[SNOW, Tone::hex(0xAFC2DE)]));
    snowfall(canvas, chance, height, 70, false);
}

fn peaks(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let dusk =
        chance.pick(&[[0x5B6FA8, 0xE59AA8, 0xFBD3B6], [0x7FB2D8, 0xCFE3EE, 0xF6F2EC], [0x3E4C86, 0xB07BB0, 0xF5B8A0]]);
    let [_, middle, low] = dusk.map(Tone::hex);
    sky(canvas, height, &dusk.map(Tone::hex));
    for (layer, y) in [0.6, 0.68].into_iter().enumerate() {
        let rock = middle.mix(Tone::hex(0x46557E), 0.45 + 0.3 * layer as f32);
        for at in 0..5 {
            let (x, tall) = (
                at as f32 * 260.0 - 20.0 + chance.within(-60.0, 60.0),
                chance.within(220.0, 400.0) - 60.0 * layer as f32,
            );
            let base = height * y + 60.0;
            let peak = base - tall;
            canvas.fill(polygon(&[(x - 260.0, base), (x, peak), (x + 260.0, base)]), rock);
            let shade = polygon(&[(x, peak), (x + 260.0, base), (x + 30.0, base)]);
            canvas.fill(shade, rock.darker(0.2));
            let (l, r) = (tall * 0.36, 260.0 * 0.36);
            let cap = [
                (x, peak),
                (x + r, peak + l),
                (x + r * 0.45, peak + l * 0.8),
                (x + r * 0.1, peak + l * 1.2),
                (x - r * 0.4, peak + l * 0.82),
                (x - r, peak + l),
            ];
            canvas.fill(polygon(&cap), SNOW.mix(low, 0.25));
        }
    }
    hill(canvas, chance, height * 0.7, 16.0, Tone::hex(0xD4DEEE).mix(low, 0.2));
    firs(canvas, chance, height * 0.78, 9, (200.0, 330.0), Tone::hex(0x2F5560), Some(SNOW.faded(0.85)));
    hill(
        canvas,
        chance,
        height * 0.78,
        10.0,
        Ink::down(height * 0.76, height, &[SNOW, Tone::hex(0xB9CBE2).mix(low, 0.2)]),
    );
}

fn moon(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low, disc) =
        chance.pick(&[(0x22305C, 0x54709E, 0xF8EBCB), (0x3A2C56, 0x8A6A98, 0xFBD9C0), (0x1D4650, 0x5C96A0, 0xEAF4F0)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    stars(canvas, height, chance, 40);
    let disc = Tone::hex(disc);
    canvas.fill(circle(500.0, height * 0.44, 560.0), Ink::glow(500.0, height * 0.44, 560.0, disc.faded(0.45)));
    canvas
        .fill(circle(500.0, height * 0.44, 390.0), Ink::down(height * 0.1, height * 0.85, &[disc.lighter(0.3), disc]));
    for (x, y, r) in [(-250.0, -130.0, 52.0), (230.0, -190.0, 38.0), (270.0, 60.0, 64.0), (-270.0, 120.0, 34.0)] {
        canvas.fill(circle(500.0 + x, height * 0.44 + y, r), disc.darker(0.1).faded(0.6));
    }
    firs(canvas, chance, height * 0.86, 8, (220.0, 380.0), Tone::hex(top).darker(0.3), Some(SNOW.faded(0.35)));
    hill(canvas, chance, height * 0.86, 10.0, Ink::down(height * 0.82, height, &[SNOW, Tone::hex(low).lighter(0.4)]));
    snowfall(canvas, chance, height, 60, false);
}
