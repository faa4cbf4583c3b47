//! Scarves and hats.

use super::{
    canvas::{Canvas, Ink, blob, circle, cloud, curve, oval, polygon},
    look::{Look, Style},
    tone::Tone,
};

/// A scarf in its weave and two colours.
#[derive(Clone, Copy)]
pub(super) struct Scarf {
    pub weave: Weave,
    pub main: Tone,
    pub second: Tone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weave {
    Plain,
    Stripes,
    Tartan,
}

/// A hat in its colours.
#[derive(Clone, Copy)]
pub(super) struct Hat {
    pub shape: HatShape,
    pub main: Tone,
    pub second: Tone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HatShape {
    Beanie,
    Bobble,
    Beret,
    Felt,
    Trapper,
    Muffs,
    LeafCrown,
}

impl Hat {
    /// Whether hair above its rim would stick through it.
    pub(super) fn covers_hair(self) -> bool {
        !matches!(self.shape, HatShape::Muffs | HatShape::LeafCrown)
    }
}

pub(super) fn scarf(canvas: &mut Canvas, look: &Look, scarf: Scarf) {
    let b = look.build.clamp(0.92, 1.08);
    let tail = [
        (18.0 * b, 214.0),
        (84.0 * b, 224.0),
        (104.0 * b, 330.0),
        (98.0 * b, 452.0),
        (36.0 * b, 458.0),
        (30.0 * b, 330.0),
    ];
    canvas.inside(blob(&tail), |canvas| weave(canvas, scarf, true));
    canvas.line(blob(&tail), 3.0, scarf.main.darker(0.4).faded(0.7));
    for fringe in 0..6 {
        let x = (40.0 + fringe as f32 * 11.0) * b;
        canvas.line(
            curve(&[(x, 452.0), (x + 1.0, 480.0)]),
            5.0,
            if fringe % 2 == 0 { scarf.main } else { scarf.second },
        );
    }
    let under = [
        (-98.0 * b, 158.0),
        (-46.0, 188.0),
        (40.0, 192.0),
        (100.0 * b, 158.0),
        (122.0 * b, 200.0),
        (80.0 * b, 250.0),
        (0.0, 266.0),
        (-84.0 * b, 250.0),
        (-124.0 * b, 204.0),
    ];
    canvas.inside(blob(&under), |canvas| {
        weave(canvas, scarf, false);
        canvas.fill(oval(0.0, 160.0, 110.0, 52.0), scarf.main.darker(0.55).faded(0.4));
    });
    let over = [
        (-108.0 * b, 142.0),
        (-60.0, 160.0),
        (0.0, 170.0),
        (62.0, 158.0),
        (108.0 * b, 138.0),
        (116.0 * b, 172.0),
        (70.0, 214.0),
        (-6.0, 226.0),
        (-76.0, 212.0),
        (-118.0 * b, 176.0),
    ];
    canvas.inside(blob(&over), |canvas| {
        weave(canvas, scarf, false);
        canvas.fill(oval(0.0, 132.0, 118.0, 42.0), scarf.main.darker(0.55).faded(0.34));
    });
    for fold in [
        [(-96.0 * b, 164.0), (-40.0, 194.0), (10.0, 202.0)],
        [(100.0 * b, 166.0), (60.0, 190.0), (16.0, 200.0)],
        [(-100.0 * b, 214.0), (-50.0, 238.0), (0.0, 246.0)],
    ] {
        canvas.line(curve(&fold), 3.2, scarf.main.darker(0.4).faded(0.6));
    }
    canvas.line(blob(&over), 3.0, scarf.main.darker(0.4).faded(0.6));
}

/// Fills the present clip with the scarf's cloth.
fn weave(canvas: &mut Canvas, scarf: Scarf, hanging: bool) {
    let Scarf { main, second, weave } = scarf;
    canvas.fill(
        polygon(&[(-200.0, 100.0), (200.0, 100.0), (200.0, 500.0), (-200.0, 500.0)]),
        Ink::down(140.0, 300.0, &[main.lighter(0.12), main, main.darker(0.12)]),
    );
    if weave == Weave::Plain {
        return;
    }
    for step in -6..=16 {
        let at = step as f32 * 34.0;
        let across = if hanging {
            [(-40.0, 190.0 + at), (60.0, 194.0 + at), (140.0, 190.0 + at)]
        } else {
            [(at - 90.0, 110.0), (at - 84.0, 190.0), (at - 70.0, 290.0)]
        };
        canvas.line(curve(&across), 13.0, second.faded(0.85));
        if weave == Weave::Tartan {
            let thread: Vec<_> =
                across.iter().map(|&(x, y)| if hanging { (x, y + 17.0) } else { (x + 17.0, y) }).collect();
            canvas.line(curve(&thread), 3.0, Tone::hex(0xF4E3B8).faded(0.75));
        }
    }
    if weave == Weave::Tartan {
        for step in 0..10 {
            let at = step as f32 * 30.0;
            let along = if hanging {
                [(30.0 + at, 200.0), (40.0 + at, 330.0), (40.0 + at, 500.0)]
            } else {
                [(-140.0, 120.0 + at), (0.0, 152.0 + at), (140.0, 118.0 + at)]
            };
            canvas.line(curve(&along), 9.0, second.darker(0.2).faded(0.5));
        }
    }
}

pub(super) fn hat(canvas: &mut Canvas, look: &Look, hat: Hat) {
    let Hat { main, second, .. } = hat;
    // Thick hair lifts and widens what is worn over it.
    let thick = matches!(look.hair.style, Style::Afro | Style::Headscarf | Style::Bob | Style::LongWaves);
    let full = if thick && hat.covers_hair() { 1.09 } else { 1.0 };
    let place = tiny_skia::Transform::from_row(full, 0.0, 0.0, full, 0.0, 4.0);
    canvas.moved(place, |canvas| match hat.shape {
        HatShape::Beanie => beanie(canvas, main, second, false),
        HatShape::Bobble => beanie(canvas, main, second, true),
        HatShape::Beret => beret(canvas, main),
        HatShape::Felt => felt(canvas, main, second),
        HatShape::Trapper => trapper(canvas, main, second),
        HatShape::Muffs => muffs(canvas, main, second),
        HatShape::LeafCrown => leaf_crown(canvas),
    });
}

fn beanie(canvas: &mut Canvas, main: Tone, second: Tone, bobble: bool) {
    if bobble {
        canvas.fill(
            cloud(0.0, -216.0, 42.0, 40.0, 17),
            Ink::around(-12.0, -232.0, 70.0, &[second.lighter(0.4), second, second.darker(0.25)]),
        );
    }
    let crown = [
        (-107.0, -66.0),
        (-108.0, -118.0),
        (-78.0, -168.0),
        (0.0, -192.0),
        (78.0, -168.0),
        (108.0, -118.0),
        (107.0, -66.0),
        (0.0, -78.0),
    ];
    canvas
        .fill(blob(&crown), Ink::along((-80.0, -190.0), (90.0, -60.0), &[main.lighter(0.2), main, main.darker(0.22)]));
    canvas.inside(blob(&crown), |canvas| {
        for rib in -5..=5 {
            let x = rib as f32 * 20.0;
            canvas.line(
                curve(&[(x * 0.16, -196.0), (x * 0.86, -150.0), (x, -80.0)]),
                3.0,
                main.darker(0.3).faded(0.55),
            );
        }
        if bobble {
            for at in -6..=6 {
                let x = at as f32 * 18.0;
                let y = -124.0 + (x / 100.0).powi(2) * 8.0;
                canvas.fill(polygon(&[(x, y - 9.0), (x + 8.0, y), (x, y + 9.0), (x - 8.0, y)]), second);
            }
        }
    });
    let brim = [
        (-113.0, -92.0),
        (-60.0, -103.0),
        (0.0, -106.0),
        (60.0, -103.0),
        (113.0, -92.0),
        (115.0, -58.0),
        (60.0, -63.0),
        (0.0, -66.0),
        (-60.0, -63.0),
        (-115.0, -58.0),
    ];
    let cuff = if bobble { second } else { main.lighter(0.1) };
    canvas
        .fill(blob(&brim), Ink::along((-110.0, -100.0), (110.0, -60.0), &[cuff.lighter(0.14), cuff, cuff.darker(0.2)]));
    canvas.inside(blob(&brim), |canvas| {
        for rib in -9..=9 {
            let x = rib as f32 * 12.6;
            canvas.line(curve(&[(x * 0.98, -108.0), (x, -82.0), (x, -56.0)]), 2.6, cuff.darker(0.3).faded(0.55));
        }
    });
}

fn beret(canvas: &mut Canvas, main: Tone) {
    let puff = [
        (-104.0, -84.0),
        (-128.0, -128.0),
        (-96.0, -174.0),
        (-10.0, -194.0),
        (90.0, -180.0),
        (140.0, -136.0),
        (128.0, -98.0),
        (70.0, -84.0),
        (0.0, -90.0),
    ];
    canvas
        .fill(blob(&puff), Ink::along((-80.0, -190.0), (110.0, -80.0), &[main.lighter(0.22), main, main.darker(0.25)]));
    canvas.line(curve(&[(6.0, -190.0), (12.0, -206.0)]), 7.0, main.darker(0.1));
    canvas.line(
        curve(&[(-104.0, -84.0), (-50.0, -96.0), (10.0, -98.0), (70.0, -92.0), (108.0, -80.0)]),
        13.0,
        main.darker(0.28),
    );
    canvas.line(curve(&[(-96.0, -140.0), (-50.0, -168.0), (10.0, -176.0)]), 5.0, main.lighter(0.4).faded(0.5));
}

fn felt(canvas: &mut Canvas, main: Tone, second: Tone) {
    let crown = [
        (-98.0, -86.0),
        (-94.0, -150.0),
        (-62.0, -196.0),
        (-16.0, -188.0),
        (26.0, -190.0),
        (66.0, -194.0),
        (94.0, -150.0),
        (98.0, -86.0),
        (0.0, -96.0),
    ];
    canvas
        .fill(blob(&crown), Ink::along((-80.0, -190.0), (90.0, -80.0), &[main.lighter(0.2), main, main.darker(0.24)]));
    canvas.line(curve(&[(-8.0, -186.0), (0.0, -168.0), (8.0, -150.0)]), 5.0, main.darker(0.3).faded(0.6));
    canvas.line(curve(&[(-94.0, -98.0), (0.0, -110.0), (94.0, -98.0)]), 24.0, second);
    let brim = [
        (-186.0, -66.0),
        (-120.0, -90.0),
        (0.0, -102.0),
        (120.0, -90.0),
        (186.0, -66.0),
        (120.0, -62.0),
        (0.0, -74.0),
        (-120.0, -62.0),
    ];
    canvas.fill(blob(&brim), Ink::down(-104.0, -58.0, &[main.lighter(0.12), main.darker(0.16)]));
}

fn trapper(canvas: &mut Canvas, main: Tone, fur: Tone) {
    let crown = [
        (-106.0, -70.0),
        (-108.0, -124.0),
        (-76.0, -174.0),
        (0.0, -192.0),
        (76.0, -174.0),
        (108.0, -124.0),
        (106.0, -70.0),
        (0.0, -86.0),
    ];
    canvas
        .fill(blob(&crown), Ink::along((-80.0, -190.0), (90.0, -60.0), &[main.lighter(0.2), main, main.darker(0.22)]));
    for x in [-44.0, 0.0, 44.0] {
        canvas.line(curve(&[(x * 0.2, -190.0), (x, -140.0), (x * 1.2, -90.0)]), 3.0, main.darker(0.3).faded(0.7));
    }
    for side in [-1.0, 1.0] {
        let flap = [(104.0, -84.0), (118.0, -34.0), (118.0, 10.0), (114.0, 66.0)].map(|(x, y)| (side * x, y));
        self::fur(canvas, &flap, 48.0, fur);
    }
    self::fur(canvas, &[(-92.0, -84.0), (-48.0, -98.0), (0.0, -102.0), (48.0, -98.0), (92.0, -84.0)], 46.0, fur);
}

/// A band of fur along a line: a soft body under three rows of combed hairs.
pub(super) fn fur(canvas: &mut Canvas, line: &[(f32, f32)], width: f32, tone: Tone) {
    const HAIRS: usize = 12;
    canvas.line(curve(line), width, tone.darker(0.08));
    canvas.line(curve(line), width * 0.5, tone.lighter(0.14));
    for (row, start, reach, sweep) in
        [(0, 0.4, 0.17, 9.0), (1, -0.4, -0.17, 9.0), (2, 0.06, 0.16, 12.0), (3, -0.14, 0.14, 12.0)]
    {
        for (at, pair) in line.windows(2).enumerate() {
            let [(from_x, from_y), (to_x, to_y)] = [pair[0], pair[1]];
            let length = (to_x - from_x).hypot(to_y - from_y).max(1.0);
            let (along_x, along_y) = ((to_x - from_x) / length, (to_y - from_y) / length);
            for hair in 0..HAIRS {
                let t = (hair as f32 + 0.5 * (row % 2) as f32) / HAIRS as f32 * length;
                let wild = ((at * 31 + hair * 17 + row * 7) as f32 * 2.4).sin();
                let (out, swept) = (width * reach * (1.0 + wild * 0.35), sweep * (0.4 + wild));
                let (x, y) =
                    (from_x + along_x * t - along_y * width * start, from_y + along_y * t + along_x * width * start);
                let tip = (x - along_y * out + along_x * swept, y + along_x * out + along_y * swept);
                let ink = match row {
                    2 | 3 => tone.lighter(0.45).faded(0.6),
                    _ if wild > 0.2 => tone.lighter(0.2),
                    _ => tone.darker(0.08),
                };
                canvas.line(curve(&[(x, y), tip]), if row < 2 { 5.4 } else { 2.6 }, ink);
            }
        }
    }
}

fn muffs(canvas: &mut Canvas, main: Tone, second: Tone) {
    let band = [
        (-116.0, -20.0),
        (-114.0, -90.0),
        (-72.0, -152.0),
        (0.0, -176.0),
        (72.0, -152.0),
        (114.0, -90.0),
        (116.0, -20.0),
    ];
    canvas.line(curve(&band), 10.0, second.darker(0.25));
    canvas.line(curve(&band), 6.0, second);
    for side in [-1.0, 1.0] {
        let x = side * 116.0;
        canvas.fill(
            cloud(x, 0.0, 33.0, 40.0, 15),
            Ink::around(x - 10.0, -14.0, 62.0, &[main.lighter(0.4), main, main.darker(0.25)]),
        );
    }
}

fn leaf_crown(canvas: &mut Canvas) {
    const LEAVES: [u32; 5] = [0xC8452E, 0xE08A2C, 0xEDB63E, 0x9C3B2A, 0xB8742C];
    for at in 0..13 {
        let t = at as f32 / 12.0 - 0.5;
        let (x, y) = (t * 216.0, -150.0 + t * t * 260.0);
        let tone = Tone::hex(LEAVES[at % LEAVES.len()]);
        let lean = t * 110.0 + if at % 2 == 0 { -24.0 } else { 20.0 };
        let place = tiny_skia::Transform::from_translate(x, y).pre_concat(tiny_skia::Transform::from_rotate(lean));
        canvas.moved(place, |canvas| {
            canvas.fill(blob(&[(0.0, 14.0), (-15.0, -6.0), (0.0, -38.0), (15.0, -6.0)]), tone);
            canvas.line(curve(&[(0.0, 14.0), (0.0, -26.0)]), 2.2, tone.darker(0.35));
        });
        if at % 3 == 1 {
            canvas.fill(circle(x + 8.0, y + 6.0, 7.0), Tone::hex(0x8E2430));
        }
    }
}
