//! Neck, shoulders and what is worn on them.

use super::{
    accessories,
    canvas::{Canvas, Ink, Shape, blob, circle, cloud, curve, mirrored, oval, pill, polygon, rect},
    face,
    look::Look,
    tone::Tone,
};

/// A garment in its colours.
#[derive(Clone, Copy)]
pub(super) struct Garment {
    pub cut: Cut,
    pub main: Tone,
    /// Of what is worn beneath, or of the pattern.
    pub second: Tone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Tee,
    Turtleneck,
    Nordic,
    Cardigan,
    Coat,
    Duffle,
    Denim,
    Puffer,
    Parka,
}

impl Cut {
    /// Whether its collar reaches the chin, so that no scarf is worn over it.
    pub(super) fn is_high(self) -> bool {
        matches!(self, Self::Puffer | Self::Parka)
    }
}

/// The torso's outline, cut off below every frame.
fn torso(build: f32) -> Shape {
    mirrored(&[
        (0.0, 176.0),
        (44.0, 172.0),
        (92.0, 198.0),
        (160.0 * build, 226.0),
        (214.0 * build, 272.0),
        (238.0 * build, 360.0),
        (250.0 * build, 520.0),
        (256.0 * build, 700.0),
        (0.0, 900.0),
    ])
}

/// What rises behind the head: hoods.
pub(super) fn behind(canvas: &mut Canvas, look: &Look, garment: &Garment) {
    if garment.cut == Cut::Parka {
        canvas.fill(oval(0.0, 150.0, 176.0 * look.build, 116.0), garment.main.darker(0.25));
    }
}

pub(super) fn neck(canvas: &mut Canvas, look: &Look) {
    let (skin, b) = (&look.skin, look.build);
    let neck = mirrored(&[
        (0.0, 60.0),
        (46.0 * b, 60.0),
        (46.0 * b, 140.0),
        (54.0 * b, 184.0),
        (84.0 * b, 212.0),
        (0.0, 300.0),
    ]);
    canvas.fill(neck.clone(), skin.base.mix(skin.shade, 0.25));
    canvas.inside(neck, |canvas| {
        canvas.moved(tiny_skia::Transform::from_translate(8.0, 34.0), |canvas| {
            canvas.fill(face::outline(&look.face), skin.shade.darker(0.12).faded(0.72));
        });
    });
}

pub(super) fn garment(canvas: &mut Canvas, look: &Look, garment: &Garment) {
    let build = look.build;
    let Garment { main, second, .. } = *garment;
    match garment.cut {
        Cut::Tee => tee(canvas, look, main),
        Cut::Turtleneck => {
            body(canvas, build, main);
            canvas.inside(torso(build), |canvas| cables(canvas, build, main));
            rolled_collar(canvas, build, main);
        }
        Cut::Nordic => nordic(canvas, build, main, second),
        Cut::Cardigan => {
            tee(canvas, look, second);
            canvas.inside(torso(build), |canvas| cardigan(canvas, build, main));
        }
        Cut::Coat => {
            body(canvas, build, second);
            rolled_collar(canvas, build, second);
            canvas.inside(torso(build), |canvas| lapels(canvas, build, main));
        }
        Cut::Duffle => duffle(canvas, build, main, second),
        Cut::Denim => {
            tee(canvas, look, second);
            canvas.inside(torso(build), |canvas| denim(canvas, build, main));
        }
        Cut::Puffer => puffer(canvas, build, main, second),
        Cut::Parka => parka(canvas, build, main, second),
    }
}

/// The torso in one tone, lit from above and darker under the arms.
fn body(canvas: &mut Canvas, build: f32, tone: Tone) {
    canvas.fill(torso(build), Ink::down(180.0, 460.0, &[tone.lighter(0.08), tone, tone.darker(0.16)]));
    for side in [-1.0, 1.0] {
        let sleeve = [(side * 178.0 * build, 330.0), (side * 168.0 * build, 400.0), (side * 176.0 * build, 520.0)];
        canvas.line(curve(&sleeve), 4.0, tone.darker(0.35).faded(0.7));
    }
}

fn tee(canvas: &mut Canvas, look: &Look, tone: Tone) {
    body(canvas, look.build, tone);
    let skin = &look.skin;
    let neckline = mirrored(&[(0.0, 120.0), (60.0, 150.0), (74.0, 196.0), (48.0, 226.0), (0.0, 238.0)]);
    canvas.inside(neckline.clone(), |canvas| neck(canvas, look));
    canvas.inside(rect(-100.0, 186.0, 200.0, 80.0), |canvas| canvas.line(neckline, 9.0, tone.darker(0.14)));
    for side in [-1.0, 1.0] {
        canvas.line(curve(&[(side * 14.0, 214.0), (side * 40.0, 204.0)]), 3.0, skin.shade.faded(0.8));
    }
}

fn rolled_collar(canvas: &mut Canvas, build: f32, tone: Tone) {
    let w = 62.0 * build.max(0.9);
    let collar = mirrored(&[
        (0.0, 146.0),
        (w * 0.8, 140.0),
        (w, 152.0),
        (w * 1.1, 190.0),
        (w * 1.12, 214.0),
        (w * 0.6, 228.0),
        (0.0, 232.0),
    ]);
    canvas.fill(collar.clone(), Ink::down(138.0, 232.0, &[tone.darker(0.12), tone.lighter(0.12), tone.darker(0.06)]));
    canvas.inside(collar, |canvas| {
        for rib in -6..=6 {
            let x = rib as f32 * w / 5.6;
            canvas.line(curve(&[(x * 0.92, 140.0), (x, 190.0), (x * 1.04, 234.0)]), 2.6, tone.darker(0.28).faded(0.55));
        }
        canvas.fill(oval(0.0, 138.0, w, 16.0), tone.darker(0.5).faded(0.4));
    });
}

fn cables(canvas: &mut Canvas, build: f32, tone: Tone) {
    for x in [-112.0, 0.0, 112.0] {
        for strand in [-1.0, 1.0] {
            let braid: Vec<_> = (0..14)
                .map(|at| (x * build + strand * 15.0 * if at % 2 == 0 { 1.0 } else { -1.0 }, 216.0 + at as f32 * 26.0))
                .collect();
            canvas.line(curve(&braid), 9.0, tone.darker(0.2).faded(0.8));
            let raised: Vec<_> = braid.iter().map(|&(x, y)| (x - 2.0, y - 3.0)).collect();
            canvas.line(curve(&raised), 6.0, tone.lighter(0.16));
        }
    }
    for x in [-172.0, -58.0, 58.0, 172.0] {
        canvas.line(
            curve(&[(x * build * 0.94, 200.0), (x * build, 330.0), (x * build, 560.0)]),
            3.0,
            tone.darker(0.24).faded(0.7),
        );
    }
}

fn nordic(canvas: &mut Canvas, build: f32, tone: Tone, pattern: Tone) {
    body(canvas, build, tone);
    canvas.inside(torso(build), |canvas| {
        let on_yoke = |radius: f32, angle: f32| (angle.sin() * radius * 1.16 * build, 130.0 + angle.cos() * radius);
        for (radius, count, size) in
            [(104.0, 19, 5.0), (136.0, 15, 11.0), (170.0, 25, 5.0), (206.0, 17, 12.0), (240.0, 33, 5.0)]
        {
            for at in 0..count {
                let angle = (at as f32 / (count - 1) as f32 - 0.5) * 2.9;
                let (x, y) = on_yoke(radius, angle);
                if size < 10.0 {
                    canvas.fill(circle(x, y, size), pattern);
                } else {
                    canvas.fill(polygon(&[(x, y - size), (x + size, y), (x, y + size), (x - size, y)]), pattern);
                    canvas.fill(circle(x, y, size * 0.3), tone);
                }
            }
        }
        for radius in [118.0, 156.0, 186.0, 226.0] {
            let ring: Vec<_> = (0..=12).map(|at| on_yoke(radius, (at as f32 / 12.0 - 0.5) * 3.0)).collect();
            canvas.line(curve(&ring), 3.4, pattern.faded(0.75));
        }
    });
    rolled_collar(canvas, build, tone);
}

fn cardigan(canvas: &mut Canvas, build: f32, tone: Tone) {
    for side in [-1.0, 1.0] {
        let half = [
            (side * 66.0, 176.0),
            (side * 300.0 * build, 170.0),
            (side * 300.0 * build, 700.0),
            (side * 12.0, 720.0),
            (side * 16.0, 420.0),
            (side * 44.0, 290.0),
        ];
        let sheet = polygon(&half);
        canvas.fill(sheet, Ink::down(180.0, 460.0, &[tone.lighter(0.1), tone, tone.darker(0.15)]));
        let band = [(side * 66.0, 172.0), (side * 46.0, 290.0), (side * 18.0, 420.0), (side * 14.0, 640.0)];
        canvas.line(curve(&band), 22.0, tone.darker(0.16));
        canvas.line(curve(&band), 2.4, tone.lighter(0.25).faded(0.6));
        let sleeve = [(side * 178.0 * build, 330.0), (side * 170.0 * build, 420.0), (side * 176.0 * build, 520.0)];
        canvas.line(curve(&sleeve), 4.0, tone.darker(0.35).faded(0.7));
    }
    for y in [356.0, 424.0, 492.0] {
        canvas.fill(circle(24.0 - (y - 356.0) * 0.07, y, 7.5), tone.lighter(0.55));
    }
}

fn lapels(canvas: &mut Canvas, build: f32, tone: Tone) {
    for side in [-1.0, 1.0] {
        let front = polygon(&[
            (side * 64.0, 176.0),
            (side * 300.0, 160.0),
            (side * 300.0, 700.0),
            (side * -8.0, 700.0),
            (side * -4.0, 400.0),
        ]);
        canvas.fill(front, Ink::down(190.0, 470.0, &[tone.lighter(0.07), tone, tone.darker(0.2)]));
        let sleeve = [(side * 180.0 * build, 330.0), (side * 172.0 * build, 420.0), (side * 178.0 * build, 540.0)];
        canvas.line(curve(&sleeve), 4.0, tone.darker(0.4).faded(0.7));
    }
    for side in [1.0, -1.0] {
        let lapel = [
            (side * 58.0, 172.0),
            (side * 100.0, 196.0),
            (side * 120.0, 268.0),
            (side * 92.0, 282.0),
            (side * 104.0, 304.0),
            (side * 0.0, 418.0),
            (side * 40.0, 290.0),
        ];
        canvas.fill(polygon(&lapel), Ink::down(180.0, 420.0, &[tone.lighter(0.16), tone.lighter(0.04)]));
        canvas.line(polygon(&lapel), 3.0, tone.darker(0.38).faded(0.8));
    }
    canvas.line(curve(&[(-2.0, 418.0), (-4.0, 640.0)]), 3.4, tone.darker(0.4));
    for y in [446.0, 520.0] {
        canvas.fill(circle(-30.0, y, 10.0), tone.darker(0.42));
        canvas.fill(circle(-32.0, y - 2.0, 4.0), tone.lighter(0.2).faded(0.6));
    }
}

fn duffle(canvas: &mut Canvas, build: f32, tone: Tone, second: Tone) {
    body(canvas, build, tone);
    rolled_collar(canvas, build, second);
    canvas.inside(torso(build), |canvas| {
        for side in [-1.0, 1.0] {
            let hood = [
                (side * 54.0, 168.0),
                (side * 118.0, 186.0),
                (side * 150.0, 230.0),
                (side * 110.0, 284.0),
                (side * 30.0, 300.0),
                (side * 2.0, 278.0),
                (side * 46.0, 236.0),
            ];
            canvas.fill(blob(&hood), Ink::down(180.0, 300.0, &[tone.lighter(0.2), tone.lighter(0.02)]));
            canvas.line(blob(&hood), 3.0, tone.darker(0.35).faded(0.6));
        }
        canvas.line(curve(&[(0.0, 290.0), (0.0, 640.0)]), 3.4, tone.darker(0.4));
        for y in [338.0, 420.0, 502.0] {
            canvas.line(curve(&[(-58.0, y), (0.0, y - 4.0), (58.0, y)]), 4.6, Tone::hex(0xEADFC8));
            canvas.fill(pill(-22.0, y - 10.0, 44.0, 13.0, 6.0), Tone::hex(0x8A5A34));
            canvas.fill(pill(-18.0, y - 9.0, 30.0, 4.0, 2.0), Tone::hex(0xB98551));
        }
    });
}

fn denim(canvas: &mut Canvas, build: f32, tone: Tone) {
    const FLEECE: Tone = Tone::hex(0xF3E7D3);
    for side in [-1.0, 1.0] {
        let front = polygon(&[
            (side * 70.0, 176.0),
            (side * 300.0, 160.0),
            (side * 300.0, 700.0),
            (side * 26.0, 700.0),
            (side * 30.0, 380.0),
        ]);
        canvas.fill(front, Ink::down(190.0, 470.0, &[tone.lighter(0.1), tone, tone.darker(0.15)]));
        let seam = [(side * 54.0, 360.0), (side * 60.0, 460.0), (side * 58.0, 640.0)];
        canvas.line(curve(&seam), 2.6, Tone::hex(0xE2A65A).faded(0.8));
        let pocket = polygon(&[
            (side * 84.0, 372.0),
            (side * 150.0, 366.0),
            (side * 152.0, 392.0),
            (side * 118.0, 404.0),
            (side * 84.0, 396.0),
        ]);
        canvas.line(pocket, 3.0, tone.darker(0.3));
        let sleeve = [(side * 180.0 * build, 330.0), (side * 172.0 * build, 420.0), (side * 178.0 * build, 540.0)];
        canvas.line(curve(&sleeve), 4.0, tone.darker(0.4).faded(0.7));
        for (x, y, size) in [
            (66.0, 180.0, 26.0),
            (94.0, 200.0, 30.0),
            (110.0, 228.0, 30.0),
            (98.0, 258.0, 28.0),
            (78.0, 290.0, 26.0),
            (58.0, 322.0, 22.0),
            (42.0, 352.0, 18.0),
        ] {
            canvas.fill(
                cloud(side * x, y, size, size, 9),
                Ink::around(side * x - 6.0, y - 8.0, size * 1.6, &[FLEECE.lighter(0.5), FLEECE, FLEECE.darker(0.16)]),
            );
        }
    }
}

fn puffer(canvas: &mut Canvas, build: f32, tone: Tone, lining: Tone) {
    body(canvas, build * 1.08, tone);
    canvas.inside(torso(build * 1.08), |canvas| {
        for row in 0..7 {
            let y = 252.0 + row as f32 * 56.0;
            let bulge = Ink::down(y - 30.0, y + 26.0, &[tone.lighter(0.26), tone, tone.darker(0.26)]);
            canvas.fill(
                blob(&[
                    (-300.0, y - 22.0),
                    (0.0, y - 14.0),
                    (300.0, y - 22.0),
                    (300.0, y + 26.0),
                    (0.0, y + 32.0),
                    (-300.0, y + 26.0),
                ]),
                bulge,
            );
            canvas.line(
                curve(&[(-290.0, y + 26.0), (0.0, y + 34.0), (290.0, y + 26.0)]),
                3.4,
                tone.darker(0.42).faded(0.8),
            );
        }
    });
    for side in [-1.0, 1.0] {
        let collar = [
            (side * -4.0, 236.0),
            (side * 26.0, 172.0),
            (side * 74.0, 124.0),
            (side * 104.0, 148.0),
            (side * 112.0, 208.0),
            (side * 70.0, 252.0),
            (side * 10.0, 272.0),
        ];
        canvas.fill(blob(&collar), Ink::down(124.0, 270.0, &[tone.lighter(0.22), tone, tone.darker(0.2)]));
        canvas.line(
            curve(&[(side * 98.0, 172.0), (side * 60.0, 200.0), (side * 12.0, 218.0)]),
            3.2,
            tone.darker(0.4).faded(0.6),
        );
        canvas.line(curve(&[(side * 74.0, 126.0), (side * 28.0, 174.0), (side * 2.0, 232.0)]), 7.0, lining);
    }
    canvas.line(curve(&[(0.0, 240.0), (0.0, 640.0)]), 6.0, lining.darker(0.1));
    canvas.fill(pill(-5.0, 262.0, 10.0, 26.0, 5.0), Tone::hex(0xE9E4DA));
}

fn parka(canvas: &mut Canvas, build: f32, tone: Tone, fur: Tone) {
    body(canvas, build * 1.04, tone);
    canvas.line(curve(&[(0.0, 270.0), (0.0, 640.0)]), 5.0, tone.darker(0.4));
    for side in [-1.0, 1.0] {
        let pocket =
            polygon(&[(side * 60.0, 392.0), (side * 140.0, 384.0), (side * 142.0, 424.0), (side * 62.0, 430.0)]);
        canvas.line(pocket, 3.4, tone.darker(0.32));
    }
    let wide = build.max(0.94);
    let rim = [(128.0, 112.0), (146.0, 148.0), (132.0, 190.0), (102.0, 222.0), (66.0, 244.0), (26.0, 258.0)];
    let left = rim.iter().map(|&(x, y)| (-x * wide, y));
    let right = rim.iter().rev().map(|&(x, y)| (x * wide, y));
    accessories::fur(canvas, &left.chain(right).collect::<Vec<_>>(), 60.0, fur);
}
