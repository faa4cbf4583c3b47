//! A headscarf: wound about the head, falling over neck and chest.

use super::{
    canvas::{Canvas, Ink, curve, mirrored, ring},
    look::{Hair, Look, Style},
};

/// What hangs behind the head.
pub(super) fn behind(canvas: &mut Canvas, hair: &Hair) {
    let drape =
        [(0.0, -174.0), (84.0, -156.0), (122.0, -80.0), (124.0, 10.0), (108.0, 90.0), (120.0, 170.0), (0.0, 230.0)];
    canvas.fill(mirrored(&drape), hair.shade);
}

/// A headscarf's fall over neck and chest, drawn over the garment.
pub(super) fn drape(canvas: &mut Canvas, look: &Look) {
    let hair = &look.hair;
    if hair.style != Style::Headscarf {
        return;
    }
    let fall = mirrored(&[(0.0, 90.0), (90.0, 96.0), (112.0, 160.0), (118.0, 208.0), (66.0, 250.0), (0.0, 266.0)]);
    canvas.fill(
        fall,
        Ink::along((-90.0, 110.0), (100.0, 260.0), &[hair.tone, hair.tone.mix(hair.shade, 0.5), hair.shade]),
    );
    for fold in [
        [(-96.0, 150.0), (-40.0, 206.0), (40.0, 232.0)],
        [(98.0, 140.0), (56.0, 186.0), (-20.0, 214.0)],
        [(-104.0, 196.0), (-60.0, 230.0), (-6.0, 252.0)],
    ] {
        canvas.line(curve(&fold), 3.4, hair.shade.darker(0.15).faded(0.7));
    }
}

/// What frames the face.
pub(super) fn front(canvas: &mut Canvas, hair: &Hair) {
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
