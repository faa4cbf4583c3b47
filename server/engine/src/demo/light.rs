//! Colour grades and the ways in which a picture goes wrong as a whole.

use tiny_skia::BlendMode;

use super::{
    canvas::{Canvas, Ink, rect},
    tone::Tone,
};

/// The light that lies over a whole picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grade {
    Plain,
    Golden,
    Cool,
    Rose,
    Faded,
    Dusky,
}

fn wash(canvas: &mut Canvas, height: f32, ink: impl Into<Ink>, blend: BlendMode) {
    canvas.fill(rect(0.0, 0.0, 1000.0, height), ink.into().blended(blend));
}

/// Lays the grade over the picture of 1000 by `height`, lit from `light`, the left (-1) or the right (1).
pub(super) fn grade(canvas: &mut Canvas, grade: Grade, height: f32, light: f32) {
    let (near, far) = (500.0 + light * 560.0, 500.0 - light * 560.0);
    let beam = |from: Tone, to: Tone| Ink::along((near, 0.0), (far, height), &[from, to]);
    match grade {
        Grade::Plain => {}
        Grade::Golden => {
            wash(
                canvas,
                height,
                beam(Tone::hex(0xFFC76B).faded(0.42), Tone::hex(0x8A3B12).faded(0.2)),
                BlendMode::Overlay,
            );
            wash(
                canvas,
                height,
                Ink::glow(near, height * 0.1, 800.0, Tone::hex(0xFFD79A).faded(0.34)),
                BlendMode::Screen,
            );
        }
        Grade::Cool => {
            wash(
                canvas,
                height,
                beam(Tone::hex(0xBFE2FF).faded(0.22), Tone::hex(0x27407A).faded(0.34)),
                BlendMode::Overlay,
            );
        }
        Grade::Rose => {
            wash(
                canvas,
                height,
                beam(Tone::hex(0xFFB9B0).faded(0.28), Tone::hex(0x6A3C80).faded(0.26)),
                BlendMode::Overlay,
            );
        }
        Grade::Faded => {
            wash(canvas, height, Tone::hex(0x54424A).faded(0.3), BlendMode::Screen);
            wash(canvas, height, Tone::hex(0xFFF6EA), BlendMode::Multiply);
        }
        Grade::Dusky => {
            wash(canvas, height, beam(Tone::hex(0xFFF4E2), Tone::hex(0xB9B3D3)), BlendMode::Multiply);
        }
    }
    vignette(canvas, height);
}

/// Darkens the edges, and the corners twice.
fn vignette(canvas: &mut Canvas, height: f32) {
    const DEPTH: f32 = 300.0;
    let rim = Tone::hex(0x1C1020).faded(0.13);
    let edge = |from: (f32, f32), to: (f32, f32)| Ink::along(from, to, &[rim, rim.faded(0.0)]);
    canvas.fill(rect(0.0, 0.0, 1000.0, DEPTH), edge((0.0, 0.0), (0.0, DEPTH)));
    canvas.fill(rect(0.0, height - DEPTH, 1000.0, DEPTH), edge((0.0, height), (0.0, height - DEPTH)));
    canvas.fill(rect(0.0, 0.0, DEPTH, height), edge((0.0, 0.0), (DEPTH, 0.0)));
    canvas.fill(rect(1000.0 - DEPTH, 0.0, DEPTH, height), edge((1000.0, 0.0), (1000.0 - DEPTH, 0.0)));
}

/// A whole picture gone wrong: what a reviewer rejects at a glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The figure leans out of the picture.
    Leaning,
    /// The face is cut by the frame.
    Cropped,
    /// One eye has slipped.
    Uneven,
    OddColours,
    TooDark,
    TooBright,
}

/// Spoils the finished picture, where the fault lies in its colours.
pub(super) fn spoil(canvas: &mut Canvas, fault: Fault, height: f32) {
    match fault {
        Fault::OddColours => wash(canvas, height, Tone::hex(0x3FA34D), BlendMode::Hue),
        Fault::TooDark => wash(canvas, height, Tone::hex(0x463C50), BlendMode::Multiply),
        Fault::TooBright => wash(canvas, height, Tone::hex(0xA29A90), BlendMode::Screen),
        Fault::Leaning | Fault::Cropped | Fault::Uneven => {}
    }
}
