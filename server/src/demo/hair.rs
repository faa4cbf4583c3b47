//! Hair and headscarves: what lies behind the head, and what lies over the face.

use super::{
    canvas::{Canvas, Ink, blob, circle, cloud, curve, mirrored, oval, rect, ring},
    look::{Hair, Look, Style},
};

type Points<'a> = &'a [(f32, f32)];

/// Below this a hat lets the hair be seen.
const HAT_LINE: f32 = -96.0;

/// The hair behind the head.
pub(crate) fn behind(canvas: &mut Canvas, look: &Look, hat: bool) {
    beneath_hat(canvas, hat, |canvas| {
        let hair = &look.hair;
        match hair.style {
            Style::LongWaves => {
                let outline = [
                    (0.0, -172.0),
                    (74.0, -158.0),
                    (118.0, -92.0),
                    (126.0, -10.0),
                    (118.0, 60.0),
                    (140.0, 130.0),
                    (128.0, 196.0),
                    (146.0, 262.0),
                    (96.0, 300.0),
                    (0.0, 250.0),
                ];
                canvas.fill(mirrored(&outline), Ink::down(-60.0, 260.0, &[hair.shade, hair.tone.mix(hair.shade, 0.4)]));
            }
            Style::Bob => {
                let outline =
                    [(0.0, -170.0), (76.0, -156.0), (120.0, -86.0), (128.0, 10.0), (124.0, 108.0), (80.0, 128.0), (0.0, 112.0)];
                canvas.fill(mirrored(&outline), hair.shade);
            }
            Style::Afro if hat => {
                for side in [-1.0, 1.0] {
                    canvas.fill(cloud(side * 106.0, -22.0, 56.0, 74.0, 13), Ink::down(-100.0, 60.0, &[hair.tone, hair.shade]));
                }
            }
            Style::Afro => {
                canvas.fill(cloud(0.0, -62.0, 160.0, 146.0, 22), Ink::around(-50.0, -150.0, 290.0, &[hair.tone.mix(hair.light, 0.5), hair.tone, hair.shade]));
                curls(canvas, hair);
            }
            Style::Bun => {
                canvas.fill(circle(6.0, -186.0, 48.0), Ink::around(-10.0, -205.0, 80.0, &[hair.light, hair.tone, hair.shade]));
                for (bend, x) in [(-22.0, -18.0), (0.0, 6.0), (20.0, 30.0)] {
                    canvas.line(curve(&[(x, -228.0), (x + bend, -190.0), (6.0 + bend * 0.4, -146.0)]), 3.0, hair.shade.faded(0.6));
                }
            }
            Style::Headscarf => {
                let drape = [(0.0, -174.0), (84.0, -156.0), (122.0, -80.0), (124.0, 10.0), (108.0, 90.0), (120.0, 170.0), (0.0, 230.0)];
                canvas.fill(mirrored(&drape), hair.shade);
            }
            Style::SidePart | Style::Cropped | Style::Waves => {}
        }
    });
}

/// The hair over forehead and temples, drawn after the face.
pub(crate) fn front(canvas: &mut Canvas, look: &Look, hat: bool) {
    beneath_hat(canvas, hat, |canvas| match look.hair.style {
        Style::LongWaves => long_waves(canvas, &look.hair),
        Style::SidePart => side_part(canvas, &look.hair),
        Style::Bun => swept_up(canvas, &look.hair),
        Style::Headscarf => headscarf(canvas, &look.hair),
        Style::Afro => afro(canvas, &look.hair),
        Style::Cropped => cropped(canvas, &look.hair),
        Style::Bob => bob(canvas, &look.hair),
        Style::Waves => waves(canvas, &look.hair),
    });
}

/// A headscarf's fall over neck and chest, drawn over the garment.
pub(crate) fn drape(canvas: &mut Canvas, look: &Look) {
    let hair = &look.hair;
    if hair.style != Style::Headscarf {
        return;
    }
    let fall = mirrored(&[(0.0, 90.0), (90.0, 96.0), (112.0, 160.0), (118.0, 208.0), (66.0, 250.0), (0.0, 266.0)]);
    canvas.fill(fall, Ink::along((-90.0, 110.0), (100.0, 260.0), &[hair.tone, hair.tone.mix(hair.shade, 0.5), hair.shade]));
    for fold in [
        [(-96.0, 150.0), (-40.0, 206.0), (40.0, 232.0)],
        [(98.0, 140.0), (56.0, 186.0), (-20.0, 214.0)],
        [(-104.0, 196.0), (-60.0, 230.0), (-6.0, 252.0)],
    ] {
        canvas.line(curve(&fold), 3.4, hair.shade.darker(0.15).faded(0.7));
    }
}

fn beneath_hat(canvas: &mut Canvas, hat: bool, draw: impl FnOnce(&mut Canvas)) {
    if hat {
        canvas.inside(rect(-400.0, HAT_LINE, 800.0, 900.0), draw);
    } else {
        draw(canvas);
    }
}

/// A mass of hair in the tone's own light and shade.
fn mass(canvas: &mut Canvas, hair: &Hair, points: Points<'_>) {
    canvas.fill(blob(points), Ink::along((-70.0, -190.0), (90.0, 90.0), &[hair.light.mix(hair.tone, 0.55), hair.tone, hair.shade]));
}

fn strands(canvas: &mut Canvas, hair: &Hair, lines: &[Points<'_>]) {
    for (at, line) in lines.iter().enumerate() {
        let ink = if at % 2 == 0 { hair.shade.faded(0.55) } else { hair.light.faded(0.6) };
        canvas.line(curve(line), 3.2, ink);
    }
}

fn long_waves(canvas: &mut Canvas, hair: &Hair) {
    let left = [
        (22.0, -166.0),
        (-50.0, -172.0),
        (-108.0, -116.0),
        (-124.0, -30.0),
        (-112.0, 40.0),
        (-136.0, 110.0),
        (-118.0, 170.0),
        (-140.0, 236.0),
        (-112.0, 272.0),
        (-84.0, 224.0),
        (-90.0, 160.0),
        (-80.0, 100.0),
        (-92.0, 34.0),
        (-90.0, -30.0),
        (-64.0, -84.0),
        (-8.0, -120.0),
    ];
    let right = [
        (10.0, -164.0),
        (62.0, -166.0),
        (110.0, -112.0),
        (122.0, -28.0),
        (112.0, 44.0),
        (134.0, 112.0),
        (116.0, 176.0),
        (136.0, 232.0),
        (104.0, 262.0),
        (82.0, 210.0),
        (92.0, 150.0),
        (84.0, 96.0),
        (96.0, 30.0),
        (92.0, -36.0),
        (72.0, -92.0),
        (34.0, -128.0),
    ];
    mass(canvas, hair, &right);
    mass(canvas, hair, &left);
    strands(
        canvas,
        hair,
        &[
            &[(12.0, -158.0), (-52.0, -140.0), (-98.0, -80.0), (-106.0, -10.0), (-100.0, 44.0), (-116.0, 112.0), (-102.0, 170.0)],
            &[(4.0, -160.0), (-60.0, -152.0), (-108.0, -90.0), (-114.0, -20.0)],
            &[(26.0, -156.0), (76.0, -130.0), (102.0, -60.0), (104.0, 10.0), (106.0, 70.0), (118.0, 130.0), (102.0, 190.0)],
            &[(34.0, -158.0), (86.0, -138.0), (112.0, -70.0), (114.0, -10.0)],
            &[(0.0, -146.0), (-44.0, -124.0), (-86.0, -70.0)],
        ],
    );
}

fn side_part(canvas: &mut Canvas, hair: &Hair) {
    mass(
        canvas,
        hair,
        &[
            (-103.0, 4.0),
            (-108.0, -60.0),
            (-104.0, -118.0),
            (-66.0, -164.0),
            (-8.0, -190.0),
            (58.0, -184.0),
            (104.0, -140.0),
            (110.0, -66.0),
            (103.0, 2.0),
            (95.0, -20.0),
            (90.0, -74.0),
            (66.0, -110.0),
            (16.0, -112.0),
            (-34.0, -126.0),
            (-66.0, -118.0),
            (-88.0, -74.0),
            (-94.0, -20.0),
        ],
    );
    strands(
        canvas,
        hair,
        &[
            &[(-68.0, -126.0), (-52.0, -152.0), (-8.0, -168.0), (50.0, -162.0), (88.0, -124.0)],
            &[(-62.0, -130.0), (-20.0, -152.0), (36.0, -148.0), (78.0, -116.0)],
            &[(-60.0, -124.0), (-10.0, -136.0), (40.0, -130.0), (72.0, -110.0)],
            &[(-78.0, -126.0), (-70.0, -144.0), (-40.0, -166.0)],
        ],
    );
}

fn swept_up(canvas: &mut Canvas, hair: &Hair) {
    mass(
        canvas,
        hair,
        &[
            (-104.0, 16.0),
            (-110.0, -50.0),
            (-100.0, -112.0),
            (-60.0, -158.0),
            (6.0, -172.0),
            (68.0, -156.0),
            (104.0, -108.0),
            (110.0, -48.0),
            (104.0, 16.0),
            (96.0, -24.0),
            (80.0, -82.0),
            (34.0, -104.0),
            (-16.0, -122.0),
            (-52.0, -96.0),
            (-88.0, -70.0),
            (-96.0, -22.0),
        ],
    );
    strands(
        canvas,
        hair,
        &[
            &[(-98.0, -40.0), (-92.0, -90.0), (-52.0, -136.0), (0.0, -164.0)],
            &[(-76.0, -82.0), (-40.0, -118.0), (4.0, -160.0)],
            &[(96.0, -44.0), (90.0, -94.0), (54.0, -136.0), (12.0, -164.0)],
            &[(74.0, -88.0), (44.0, -118.0), (10.0, -158.0)],
            &[(-14.0, -122.0), (0.0, -140.0), (6.0, -160.0)],
        ],
    );
    canvas.line(curve(&[(-99.0, 0.0), (-106.0, 28.0), (-98.0, 52.0)]), 4.0, hair.tone);
    canvas.line(curve(&[(99.0, 0.0), (107.0, 30.0), (100.0, 58.0)]), 4.0, hair.tone);
}

fn headscarf(canvas: &mut Canvas, hair: &Hair) {
    let outer = [
        (0.0, -172.0),
        (76.0, -156.0),
        (118.0, -84.0),
        (120.0, 6.0),
        (108.0, 84.0),
        (78.0, 146.0),
        (0.0, 176.0),
        (-78.0, 146.0),
        (-108.0, 84.0),
        (-120.0, 6.0),
        (-118.0, -84.0),
        (-76.0, -156.0),
    ];
    let hole = [
        (0.0, -108.0),
        (58.0, -92.0),
        (86.0, -40.0),
        (88.0, 22.0),
        (72.0, 84.0),
        (36.0, 122.0),
        (0.0, 132.0),
        (-36.0, 122.0),
        (-72.0, 84.0),
        (-88.0, 22.0),
        (-86.0, -40.0),
        (-58.0, -92.0),
    ];
    let inner: Vec<_> = hole.iter().map(|&(x, y)| (x * 1.09, (y - 8.0) * 1.09 + 6.0)).collect();
    canvas.fill(ring(&inner, &hole), hair.shade.darker(0.25));
    let silk = Ink::along((-90.0, -170.0), (100.0, 150.0), &[hair.light, hair.tone, hair.shade]);
    canvas.fill(ring(&outer, &inner), silk);
    for fold in [
        [(-58.0, -150.0), (-98.0, -90.0), (-106.0, -10.0), (-92.0, 80.0)],
        [(10.0, -160.0), (-66.0, -118.0), (-100.0, -40.0), (-98.0, 40.0)],
        [(40.0, -156.0), (92.0, -106.0), (106.0, -20.0), (96.0, 70.0)],
        [(-50.0, 138.0), (0.0, 152.0), (56.0, 138.0), (96.0, 84.0)],
    ] {
        canvas.line(curve(&fold), 3.4, hair.shade.faded(0.6));
    }
    canvas.line(curve(&[(-36.0, -150.0), (-88.0, -96.0), (-100.0, -30.0)]), 4.0, hair.light.faded(0.55));
}

fn afro(canvas: &mut Canvas, hair: &Hair) {
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

fn cropped(canvas: &mut Canvas, hair: &Hair) {
    let cap = blob(&[
        (-101.0, 10.0),
        (-103.0, -50.0),
        (-92.0, -106.0),
        (-56.0, -146.0),
        (0.0, -158.0),
        (56.0, -146.0),
        (92.0, -106.0),
        (103.0, -50.0),
        (101.0, 10.0),
        (94.0, -14.0),
        (90.0, -58.0),
        (70.0, -98.0),
        (44.0, -116.0),
        (0.0, -110.0),
        (-44.0, -116.0),
        (-70.0, -98.0),
        (-90.0, -58.0),
        (-94.0, -14.0),
    ]);
    canvas.fill(cap, Ink::down(-150.0, 14.0, &[hair.light, hair.tone, hair.shade.faded(0.75)]));
    canvas.fill(oval(-20.0, -138.0, 34.0, 9.0), hair.light.faded(0.35));
}

fn bob(canvas: &mut Canvas, hair: &Hair) {
    for side in [-1.0, 1.0] {
        mass(
            canvas,
            hair,
            &[
                (side * 60.0, -150.0),
                (side * 112.0, -104.0),
                (side * 124.0, -10.0),
                (side * 124.0, 80.0),
                (side * 112.0, 124.0),
                (side * 82.0, 118.0),
                (side * 90.0, 60.0),
                (side * 96.0, 0.0),
                (side * 86.0, -50.0),
            ],
        );
    }
    mass(
        canvas,
        hair,
        &[
            (0.0, -168.0),
            (66.0, -156.0),
            (104.0, -110.0),
            (104.0, -56.0),
            (90.0, -42.0),
            (46.0, -48.0),
            (0.0, -50.0),
            (-46.0, -48.0),
            (-90.0, -42.0),
            (-104.0, -56.0),
            (-104.0, -110.0),
            (-66.0, -156.0),
        ],
    );
    for x in [-70.0, -44.0, -18.0, 14.0, 40.0, 68.0] {
        canvas.line(curve(&[(x * 0.5, -140.0), (x * 0.9, -100.0), (x, -54.0)]), 2.4, hair.shade.faded(0.7));
    }
    canvas.line(curve(&[(-88.0, -96.0), (-40.0, -122.0), (30.0, -124.0), (84.0, -100.0)]), 9.0, hair.light.faded(0.32));
    canvas.line(curve(&[(-110.0, -10.0), (-112.0, 40.0), (-108.0, 90.0)]), 5.0, hair.light.faded(0.35));
}

fn waves(canvas: &mut Canvas, hair: &Hair) {
    mass(
        canvas,
        hair,
        &[
            (-103.0, 14.0),
            (-108.0, -60.0),
            (-118.0, -116.0),
            (-96.0, -160.0),
            (-58.0, -170.0),
            (-30.0, -198.0),
            (20.0, -190.0),
            (56.0, -200.0),
            (96.0, -168.0),
            (118.0, -120.0),
            (108.0, -60.0),
            (103.0, 14.0),
            (95.0, -16.0),
            (92.0, -66.0),
            (78.0, -96.0),
            (50.0, -92.0),
            (24.0, -108.0),
            (-6.0, -96.0),
            (-36.0, -110.0),
            (-64.0, -94.0),
            (-88.0, -76.0),
            (-95.0, -16.0),
        ],
    );
    strands(
        canvas,
        hair,
        &[
            &[(-92.0, -96.0), (-84.0, -134.0), (-50.0, -150.0), (-34.0, -176.0)],
            &[(-60.0, -100.0), (-52.0, -128.0), (-18.0, -142.0), (0.0, -174.0)],
            &[(-30.0, -114.0), (-16.0, -136.0), (16.0, -144.0), (40.0, -172.0)],
            &[(20.0, -112.0), (36.0, -136.0), (64.0, -144.0), (80.0, -164.0)],
            &[(52.0, -98.0), (72.0, -120.0), (96.0, -126.0)],
        ],
    );
}
