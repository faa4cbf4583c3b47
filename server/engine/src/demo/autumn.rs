//! The autumn scenes behind the family Lindqvist.

use super::{
    canvas::{Canvas, Ink, circle, curve, rect},
    chance::Chance,
    nature::{LEAVES, birch, bokeh, falling_leaves, fir, hill, leaf, pumpkin, put, sky, tree},
    tone::Tone,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Autumn {
    Park,
    Mist,
    Pumpkins,
    Lanterns,
    Print,
    Harvest,
    Birches,
    Rain,
}

/// Draws the scene over the whole picture of 1000 by `height`.
pub(super) fn behind(canvas: &mut Canvas, scene: Autumn, height: f32, chance: &mut Chance) {
    match scene {
        Autumn::Park => park(canvas, height, chance),
        Autumn::Mist => mist(canvas, height, chance),
        Autumn::Pumpkins => pumpkins(canvas, height, chance),
        Autumn::Lanterns => lanterns(canvas, height, chance),
        Autumn::Print => print(canvas, height, chance),
        Autumn::Harvest => harvest(canvas, height, chance),
        Autumn::Birches => birches(canvas, height, chance),
        Autumn::Rain => rain(canvas, height, chance),
    }
}

/// What drifts between the person and the eye.
pub(super) fn before(canvas: &mut Canvas, scene: Autumn, height: f32, chance: &mut Chance) {
    match scene {
        Autumn::Park | Autumn::Harvest | Autumn::Birches => falling_leaves(canvas, chance, height, 5, (0.6, 1.1)),
        Autumn::Mist => {
            let haze = Tone::hex(0xEFE6DA);
            canvas.fill(
                rect(0.0, height * 0.6, 1000.0, height * 0.4),
                Ink::down(height * 0.7, height, &[haze.faded(0.0), haze.faded(0.55)]),
            );
            falling_leaves(canvas, chance, height, 3, (0.5, 0.8));
        }
        Autumn::Pumpkins => {
            for (x, size) in [(110.0, 1.25), (905.0, 1.1)] {
                if chance.hits(60) {
                    put(canvas, (x, height + 20.0), 0.0, size, |canvas| pumpkin(canvas, Tone::hex(0xE58A2E)));
                }
            }
        }
        Autumn::Lanterns | Autumn::Print | Autumn::Rain => {}
    }
}

fn park(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0x9CC3CF, 0xF7E3BC), (0xF3C18D, 0xFCE9C9), (0xB9CFC4, 0xF6E7C6)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    let sun = (chance.within(120.0, 880.0), height * 0.24);
    canvas.fill(circle(sun.0, sun.1, 260.0), Ink::glow(sun.0, sun.1, 260.0, Tone::hex(0xFFF6DC).faded(0.9)));
    hill(canvas, chance, height * 0.52, 26.0, Tone::hex(0xD9A45B).mix(Tone::hex(low), 0.45));
    for _ in 0..7 {
        let (x, tone) = (chance.within(0.0, 1000.0), chance.pick(&LEAVES));
        tree(canvas, x, height * 0.58, chance.within(150.0, 230.0), tone.mix(Tone::hex(low), 0.4));
    }
    hill(canvas, chance, height * 0.62, 18.0, Tone::hex(0xC98A45));
    for x in [-10.0, 120.0, 860.0, 990.0] {
        let tone = chance.pick(&LEAVES);
        tree(canvas, x + chance.within(-40.0, 40.0), height * 0.72, chance.within(330.0, 450.0), tone);
    }
    hill(
        canvas,
        chance,
        height * 0.76,
        12.0,
        Ink::down(height * 0.7, height, &[Tone::hex(0xB5763A), Tone::hex(0x86502A)]),
    );
    falling_leaves(canvas, chance, height, 12, (0.25, 0.5));
}

fn mist(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let air = Tone::hex(chance.pick(&[0xE6DED2, 0xDCE2DF, 0xEFDCC8]));
    let wood = Tone::hex(chance.pick(&[0x5E6B5C, 0x6B5A4C, 0x54646A]));
    sky(canvas, height, &[air.darker(0.12), air, air.lighter(0.3)]);
    let sun = (chance.pick(&[190.0, 810.0]) + chance.within(-60.0, 60.0), height * 0.2);
    canvas.fill(circle(sun.0, sun.1, 62.0), Tone::hex(0xFFF4DC).faded(0.85));
    canvas.fill(circle(sun.0, sun.1, 230.0), Ink::glow(sun.0, sun.1, 230.0, Tone::hex(0xFFF1D2).faded(0.7)));
    for layer in 0..4 {
        let depth = layer as f32 / 3.0;
        let tone = air.mix(wood, 0.16 + depth * 0.6);
        let base = height * (0.55 + depth * 0.28);
        for _ in 0..(10 - layer * 2) {
            let size = chance.within(240.0, 380.0) * (0.65 + depth * 0.65);
            fir(canvas, chance.within(-40.0, 1040.0), base + 40.0, size, tone, None);
        }
        hill(
            canvas,
            chance,
            base,
            14.0,
            Ink::down(base - 20.0, base + 190.0, &[tone, air.mix(wood, 0.05 + depth * 0.2)]),
        );
    }
}

fn pumpkins(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let dusk =
        chance.pick(&[[0x4A4A74, 0xD77F62, 0xF9C98A], [0x6FA0B4, 0xF3D9A8, 0xFBE7C4], [0x7A4A66, 0xE78A5C, 0xFBCF8F]]);
    sky(canvas, height, &dusk.map(Tone::hex));
    hill(canvas, chance, height * 0.54, 20.0, Tone::hex(0x8C5A3C));
    for _ in 0..6 {
        let tone = chance.pick(&LEAVES).darker(0.25);
        tree(canvas, chance.within(0.0, 1000.0), height * 0.58, chance.within(110.0, 190.0), tone);
    }
    let field = Tone::hex(0x6E7A3A);
    hill(canvas, chance, height * 0.6, 8.0, Ink::down(height * 0.6, height, &[field, field.darker(0.4)]));
    for row in 0..5 {
        let depth = row as f32 / 4.0;
        let y = height * (0.64 + depth * 0.32);
        for at in 0..7 {
            let x = at as f32 * 170.0 - 20.0 + chance.within(-50.0, 50.0) + if row % 2 == 0 { 0.0 } else { 80.0 };
            let tone = Tone::hex(chance.pick(&[0xE58A2E, 0xD96F28, 0xF0A347, 0xE9D8B4]));
            put(canvas, (x, y), 0.0, 0.2 + depth * 0.5, |canvas| pumpkin(canvas, tone));
        }
    }
}

fn lanterns(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0x2C1B1E, 0x7A3B22), (0x2A2430, 0x8A5230), (0x1E2A2C, 0x6D5A2E)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    let warm = [Tone::hex(0xFFC66B), Tone::hex(0xF5853F), Tone::hex(0xFFE3A6)];
    bokeh(canvas, chance, height, &warm, 26);
}

fn print(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let ground = Tone::hex(chance.pick(&[0xE3B04B, 0xC9694A, 0x8E9B7A, 0xEAD9BC, 0x7C4A4A, 0x4F6F73]));
    canvas.fill(
        rect(0.0, 0.0, 1000.0, height),
        Ink::around(500.0, height * 0.42, 800.0, &[ground.lighter(0.2), ground.darker(0.12)]),
    );
    let kind = chance.below(3);
    for row in 0..((height / 150.0) as usize + 2) {
        for column in 0..8 {
            let at = (column as f32 * 150.0 + if row % 2 == 0 { 0.0 } else { 75.0 } - 30.0, row as f32 * 140.0 - 10.0);
            let tone = if (row + column) % 3 == 0 { ground.darker(0.26) } else { ground.lighter(0.26) };
            let turn = ((row * 5 + column * 7) % 9) as f32 * 40.0;
            put(canvas, at, turn, 0.72, |canvas| leaf(canvas, kind, tone.faded(0.8)));
        }
    }
}

fn harvest(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low, disc) =
        chance.pick(&[(0xF6D7A7, 0xEFA866, 0xF26B3A), (0xF3E3CB, 0xE8C39A, 0xE9963E), (0x49586B, 0xA8705E, 0xF7B267)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    let disc = Tone::hex(disc);
    canvas.fill(
        circle(500.0, height * 0.44, 400.0),
        Ink::down(height * 0.44 - 400.0, height * 0.44 + 400.0, &[disc.lighter(0.2), disc, disc.darker(0.1)]),
    );
    for (x, side) in [(0.0, 1.0), (1000.0, -1.0)] {
        for branch in 0..2 {
            let y = height * (0.06 + 0.2 * branch as f32) + chance.within(-20.0, 30.0);
            let reach = chance.within(200.0, 330.0);
            let line = [(x - side * 30.0, y), (x + side * reach * 0.5, y + 20.0), (x + side * reach, y + 66.0)];
            canvas.line(curve(&line), 9.0, Tone::hex(0x5B3A2A));
            for bud in 0..6 {
                let t = bud as f32 / 5.0;
                let at = (x + side * reach * t, y + 60.0 * t + if bud % 2 == 0 { -24.0 } else { 30.0 });
                let (tone, turn) = (chance.pick(&LEAVES), chance.within(-70.0, 70.0));
                put(canvas, at, turn + side * 60.0, 0.72, |canvas| leaf(canvas, bud, tone));
            }
        }
    }
    falling_leaves(canvas, chance, height, 6, (0.3, 0.5));
}

fn birches(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0xF2C667, 0xF9E6B3), (0xE79A54, 0xF8D9A4), (0xC9D3B4, 0xF3E6BE)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    for _ in 0..26 {
        let (x, y, r) = (chance.within(0.0, 1000.0), chance.within(-40.0, height * 0.5), chance.within(60.0, 140.0));
        let tone = chance.pick(&LEAVES).mix(Tone::hex(low), 0.45).faded(0.45);
        canvas.fill(circle(x, y, r), tone);
    }
    hill(
        canvas,
        chance,
        height * 0.74,
        10.0,
        Ink::down(height * 0.7, height, &[Tone::hex(0xCB8B3F), Tone::hex(0x8F5527)]),
    );
    for at in 0..8 {
        let (x, width) = (at as f32 * 140.0 + chance.within(-40.0, 40.0), chance.within(20.0, 34.0));
        birch(canvas, chance, x, width, height * 0.78, Tone::hex(0xF1E8DA).mix(Tone::hex(low), 0.5));
    }
    for x in [40.0, 240.0, 790.0, 960.0] {
        let (x, width) = (x + chance.within(-50.0, 50.0), chance.within(44.0, 66.0));
        birch(canvas, chance, x, width, height * 0.92, Tone::hex(0xFAF4EA));
    }
    falling_leaves(canvas, chance, height, 14, (0.25, 0.5));
}

fn rain(canvas: &mut Canvas, height: f32, chance: &mut Chance) {
    let (top, low) = chance.pick(&[(0x3F5560, 0x8A9A98), (0x4A4E63, 0xA08D8B), (0x35505A, 0xB59C7C)]);
    sky(canvas, height, &[Tone::hex(top), Tone::hex(low)]);
    let glow = [Tone::hex(0xFFC98A), Tone::hex(0xE98B6A), Tone::hex(0xC7DDE2)];
    bokeh(canvas, chance, height, &glow, 14);
    for _ in 0..70 {
        let (x, y, fall) = (chance.within(-20.0, 1020.0), chance.within(-40.0, height), chance.within(30.0, 90.0));
        canvas.line(
            curve(&[(x, y), (x - fall * 0.22, y + fall)]),
            chance.within(1.6, 3.4),
            Tone::WHITE.faded(chance.within(0.15, 0.4)),
        );
    }
}
