//! Hair: what lies behind the head, and what lies over the face.

use super::{
    afro,
    canvas::{Canvas, Ink, blob, circle, curve, mirrored, oval, rect},
    headscarf,
    look::{Hair, Look, Style},
};

type Points<'a> = &'a [(f32, f32)];

/// Below this a hat lets the hair be seen.
const HAT_LINE: f32 = -96.0;

/// The hair behind the head.
pub(super) fn behind(canvas: &mut Canvas, look: &Look, hat: bool) {
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
                let outline = [
                    (0.0, -170.0),
                    (76.0, -156.0),
                    (120.0, -86.0),
                    (128.0, 10.0),
                    (124.0, 108.0),
                    (80.0, 128.0),
                    (0.0, 112.0),
                ];
                canvas.fill(mirrored(&outline), hair.shade);
            }
            Style::Afro => afro::behind(canvas, hair, hat),
            Style::Bun => {
                canvas.fill(
                    circle(6.0, -186.0, 48.0),
                    Ink::around(-10.0, -205.0, 80.0, &[hair.light, hair.tone, hair.shade]),
                );
                for (bend, x) in [(-22.0, -18.0), (0.0, 6.0), (20.0, 30.0)] {
                    canvas.line(
                        curve(&[(x, -228.0), (x + bend, -190.0), (6.0 + bend * 0.4, -146.0)]),
                        3.0,
                        hair.shade.faded(0.6),
                    );
                }
            }
            Style::Headscarf => headscarf::behind(canvas, hair),
            Style::SidePart | Style::Cropped | Style::Waves => {}
        }
    });
}

/// The hair over forehead and temples, drawn after the face.
pub(super) fn front(canvas: &mut Canvas, look: &Look, hat: bool) {
    beneath_hat(canvas, hat, |canvas| match look.hair.style {
        Style::LongWaves => long_waves(canvas, &look.hair),
        Style::SidePart => side_part(canvas, &look.hair),
        Style::Bun => swept_up(canvas, &look.hair),
        Style::Headscarf => headscarf::front(canvas, &look.hair),
        Style::Afro => afro::front(canvas, &look.hair),
        Style::Cropped => cropped(canvas, &look.hair),
        Style::Bob => bob(canvas, &look.hair),
        Style::Waves => waves(canvas, &look.hair),
    });
}

fn beneath_hat(canvas: &mut Canvas, hat: bool, draw: impl FnOnce(&mut Canvas)) {
    if hat {
        canvas.inside(rect(-400.0, HAT_LINE, 800.0, 900.0), draw);
    } else {
        draw(canvas);
    }
}

/// A mass of hair in the tone's own light and shade.
pub(super) fn mass(canvas: &mut Canvas, hair: &Hair, points: Points<'_>) {
    canvas.fill(
        blob(points),
        Ink::along((-70.0, -190.0), (90.0, 90.0), &[hair.light.mix(hair.tone, 0.55), hair.tone, hair.shade]),
    );
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
            &[
                (12.0, -158.0),
                (-52.0, -140.0),
                (-98.0, -80.0),
                (-106.0, -10.0),
                (-100.0, 44.0),
                (-116.0, 112.0),
                (-102.0, 170.0),
            ],
            &[(4.0, -160.0), (-60.0, -152.0), (-108.0, -90.0), (-114.0, -20.0)],
            &[
                (26.0, -156.0),
                (76.0, -130.0),
                (102.0, -60.0),
                (104.0, 10.0),
                (106.0, 70.0),
                (118.0, 130.0),
                (102.0, 190.0),
            ],
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
