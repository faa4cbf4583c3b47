//! The drawing surface: shapes, inks and the two media (paint and pencil) that every part of the demo draws with.
//!
//! All pixels are tiny-skia's; nothing here loops over them. A shape that cannot be built (it never happens with the
//! numbers in this room) draws nothing, so no drawing code has an error to handle.

use tiny_skia::{
    BlendMode, Color, FillRule, GradientStop, LineCap, LineJoin, LinearGradient, Mask, Paint, Path, PathBuilder,
    Pixmap, Point, RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

use super::tone::Tone;

/// What is drawn; `None` draws nothing.
pub(super) type Shape = Option<Path>;

pub(super) fn circle(x: f32, y: f32, radius: f32) -> Shape {
    PathBuilder::from_circle(x, y, radius)
}

/// An upright ellipse about a centre.
pub(super) fn oval(x: f32, y: f32, across: f32, down: f32) -> Shape {
    PathBuilder::from_oval(Rect::from_xywh(x - across, y - down, across * 2.0, down * 2.0)?)
}

pub(super) fn rect(x: f32, y: f32, width: f32, height: f32) -> Shape {
    Some(PathBuilder::from_rect(Rect::from_xywh(x, y, width, height)?))
}

/// A rectangle with round corners.
pub(super) fn pill(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Shape {
    let r = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (x + width, y + height);
    let mut pen = PathBuilder::new();
    pen.move_to(x + r, y);
    pen.line_to(right - r, y);
    pen.quad_to(right, y, right, y + r);
    pen.line_to(right, bottom - r);
    pen.quad_to(right, bottom, right - r, bottom);
    pen.line_to(x + r, bottom);
    pen.quad_to(x, bottom, x, bottom - r);
    pen.line_to(x, y + r);
    pen.quad_to(x, y, x + r, y);
    pen.close();
    pen.finish()
}

/// Straight lines from point to point, closed.
pub(super) fn polygon(points: &[(f32, f32)]) -> Shape {
    let mut pen = PathBuilder::new();
    for (at, &(x, y)) in points.iter().enumerate() {
        if at == 0 { pen.move_to(x, y) } else { pen.line_to(x, y) }
    }
    pen.close();
    pen.finish()
}

/// A smooth open line through the points.
pub(super) fn curve(points: &[(f32, f32)]) -> Shape {
    through(points, false)
}

/// A smooth closed outline through the points.
pub(super) fn blob(points: &[(f32, f32)]) -> Shape {
    through(points, true)
}

/// A smooth closed outline, symmetrical about x = 0: the points give its right half from the top to the bottom.
pub(super) fn mirrored(right: &[(f32, f32)]) -> Shape {
    let left = right.iter().rev().filter(|(x, _)| *x > 0.0).map(|&(x, y)| (-x, y));
    blob(&right.iter().copied().chain(left).collect::<Vec<_>>())
}

/// A smooth outline with a smooth hole.
pub(super) fn ring(outer: &[(f32, f32)], hole: &[(f32, f32)]) -> Shape {
    let (outer, hole) = (blob(outer)?, blob(&hole.iter().rev().copied().collect::<Vec<_>>())?);
    let mut pen = PathBuilder::new();
    pen.push_path(&outer);
    pen.push_path(&hole);
    pen.finish()
}

/// A closed outline of `bumps` round bulges on an ellipse: curls, fur, tree crowns.
pub(super) fn cloud(x: f32, y: f32, across: f32, down: f32, bumps: usize) -> Shape {
    let mut pen = PathBuilder::new();
    let step = std::f32::consts::TAU / bumps as f32;
    let at = |angle: f32, out: f32| (x + angle.cos() * across * out, y + angle.sin() * down * out);
    let (from_x, from_y) = at(0.0, 1.0);
    pen.move_to(from_x, from_y);
    for bump in 0..bumps {
        let angle = step * bump as f32;
        let swell = 1.0 + step * (0.34 + 0.1 * (bump as f32 * 2.4).sin());
        let (a, b, to) = (at(angle + step * 0.2, swell), at(angle + step * 0.8, swell), at(angle + step, 1.0));
        pen.cubic_to(a.0, a.1, b.0, b.1, to.0, to.1);
    }
    pen.close();
    pen.finish()
}

/// Catmull-Rom through the points: an outline can be written down as the places that it passes.
fn through(points: &[(f32, f32)], closed: bool) -> Shape {
    let count = points.len() as isize;
    let at = |i: isize| {
        let i = if closed { i.rem_euclid(count) } else { i.clamp(0, count - 1) };
        points.get(i as usize).copied()
    };
    let mut pen = PathBuilder::new();
    let (x, y) = at(0)?;
    pen.move_to(x, y);
    for i in 0..(if closed { count } else { count - 1 }) {
        let (before, from, to, after) = (at(i - 1)?, at(i)?, at(i + 1)?, at(i + 2)?);
        pen.cubic_to(
            from.0 + (to.0 - before.0) / 6.0,
            from.1 + (to.1 - before.1) / 6.0,
            to.0 - (after.0 - from.0) / 6.0,
            to.1 - (after.1 - from.1) / 6.0,
            to.0,
            to.1,
        );
    }
    if closed {
        pen.close();
    }
    pen.finish()
}

/// What a shape is filled or drawn with.
#[derive(Clone)]
pub(super) struct Ink {
    shader: Shader<'static>,
    blend: BlendMode,
    /// What the pencil makes of it; nothing for soft light and shade.
    body: Option<Tone>,
}

impl From<Tone> for Ink {
    fn from(tone: Tone) -> Self {
        let body = (tone.alpha() > 0.6).then_some(tone);
        Self { shader: Shader::SolidColor(tone.color()), blend: BlendMode::SourceOver, body }
    }
}

impl Ink {
    /// From one point's tone to the other's, evenly through those between.
    pub(super) fn along(from: (f32, f32), to: (f32, f32), tones: &[Tone]) -> Self {
        let shader = LinearGradient::new(
            Point::from_xy(from.0, from.1),
            Point::from_xy(to.0, to.1),
            stops(tones),
            SpreadMode::Pad,
            Transform::identity(),
        );
        Self::shaded(shader, tones)
    }

    /// From the upper edge's tone to the lower's.
    pub(super) fn down(top: f32, bottom: f32, tones: &[Tone]) -> Self {
        Self::along((0.0, top), (0.0, bottom), tones)
    }

    /// From the centre's tone to the rim's.
    pub(super) fn around(x: f32, y: f32, radius: f32, tones: &[Tone]) -> Self {
        let centre = Point::from_xy(x, y);
        let shader =
            RadialGradient::new(centre, 0.0, centre, radius, stops(tones), SpreadMode::Pad, Transform::identity());
        Self::shaded(shader, tones)
    }

    /// Soft light or shade that fades to nothing at `radius`. Two stops and no more: tiny-skia draws those four times
    /// as fast as three.
    pub(super) fn glow(x: f32, y: f32, radius: f32, tone: Tone) -> Self {
        Self { body: None, ..Self::around(x, y, radius, &[tone, tone.faded(0.0)]) }
    }

    pub(super) fn blended(self, blend: BlendMode) -> Self {
        Self { blend, body: None, ..self }
    }

    fn shaded(shader: Option<Shader<'static>>, tones: &[Tone]) -> Self {
        let first = tones.first().copied().unwrap_or(Tone::BLACK);
        let solid = tones.iter().all(|tone| tone.alpha() > 0.6);
        let shader = shader.unwrap_or(Shader::SolidColor(first.color()));
        Self { shader, blend: BlendMode::SourceOver, body: solid.then_some(first) }
    }

    fn paint(&self) -> Paint<'static> {
        Paint { shader: self.shader.clone(), blend_mode: self.blend, anti_alias: true, ..Paint::default() }
    }
}

fn stops(tones: &[Tone]) -> Vec<GradientStop> {
    let last = tones.len().saturating_sub(1).max(1) as f32;
    tones.iter().enumerate().map(|(at, tone)| GradientStop::new(at as f32 / last, tone.color())).collect()
}

/// How shapes come out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// Filled with their ink.
    Paint,
    /// Outlined in graphite over a thin wash: the same figure becomes its own sketch.
    Pencil,
}

/// A surface with a place, a clip and a medium.
pub(super) struct Canvas {
    pixels: Pixmap,
    place: Transform,
    clip: Option<Mask>,
    medium: Medium,
}

impl Canvas {
    const GRAPHITE: Tone = Tone::hex(0x4A4650);
    const PAPER: Tone = Tone::hex(0xF6F1E7);

    /// A transparent surface; `None` for a size of nothing.
    pub(super) fn new(width: u32, height: u32) -> Option<Self> {
        let pixels = Pixmap::new(width, height)?;
        Some(Self { pixels, place: Transform::identity(), clip: None, medium: Medium::Paint })
    }

    pub(super) fn finish(self) -> Pixmap {
        self.pixels
    }

    /// The surface's size in units that make its width 1000.
    pub(super) fn thousand(&self) -> (Transform, f32) {
        let scale = self.pixels.width() as f32 / 1000.0;
        (Transform::from_scale(scale, scale), self.pixels.height() as f32 / scale)
    }

    pub(super) fn fill(&mut self, shape: Shape, ink: impl Into<Ink>) {
        let (Some(path), ink) = (shape, ink.into()) else { return };
        match (self.medium, ink.body) {
            (Medium::Paint, _) => self.fill_path(&path, &ink.paint()),
            (Medium::Pencil, None) => {}
            (Medium::Pencil, Some(tone)) => {
                let wash = Self::PAPER.mix(tone, 0.16);
                self.fill_path(&path, &Ink::from(wash).paint());
                self.pencil(&path, 1.9);
            }
        }
    }

    /// Draws the shape's line, round at ends and corners.
    pub(super) fn line(&mut self, shape: Shape, width: f32, ink: impl Into<Ink>) {
        let (Some(path), ink) = (shape, ink.into()) else { return };
        match self.medium {
            Medium::Paint => self.stroke_path(&path, width, &ink.paint()),
            Medium::Pencil => self.pencil(&path, (width * 0.4).clamp(0.9, 2.6)),
        }
    }

    /// Draws with `by` applied to all that `draw` does.
    pub(super) fn moved(&mut self, by: Transform, draw: impl FnOnce(&mut Self)) {
        let before = self.place;
        self.place = before.pre_concat(by);
        draw(self);
        self.place = before;
    }

    /// Draws inside the shape alone.
    pub(super) fn inside(&mut self, shape: Shape, draw: impl FnOnce(&mut Self)) {
        let Some(path) = shape else { return };
        let before = self.clip.take();
        let clip = match &before {
            Some(mask) => {
                let mut mask = mask.clone();
                mask.intersect_path(&path, FillRule::Winding, true, self.place);
                Some(mask)
            }
            None => Mask::new(self.pixels.width(), self.pixels.height()).map(|mut mask| {
                mask.fill_path(&path, FillRule::Winding, true, self.place);
                mask
            }),
        };
        self.clip = clip;
        draw(self);
        self.clip = before;
    }

    pub(super) fn in_medium(&mut self, medium: Medium, draw: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.medium, medium);
        draw(self);
        self.medium = before;
    }

    /// A graphite line that wavers: drawn twice, the second time a little beside itself.
    fn pencil(&mut self, path: &Path, width: f32) {
        // Graphite is as broad on a small drawing as on a large one.
        let width = width * (1.6 * self.pixels.width() as f32 / 1000.0 / self.place.sx.hypot(self.place.ky)).max(1.0);
        self.stroke_path(path, width, &Ink::from(Self::GRAPHITE.faded(0.75)).paint());
        let beside = Transform::from_row(1.006, 0.004, -0.003, 0.995, 0.8, 0.6);
        if let Some(path) = path.clone().transform(beside) {
            self.stroke_path(&path, width * 0.6, &Ink::from(Self::GRAPHITE.faded(0.35)).paint());
        }
    }

    fn fill_path(&mut self, path: &Path, paint: &Paint<'_>) {
        self.pixels.fill_path(path, paint, FillRule::Winding, self.place, self.clip.as_ref());
    }

    fn stroke_path(&mut self, path: &Path, width: f32, paint: &Paint<'_>) {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        self.pixels.stroke_path(path, paint, &stroke, self.place, self.clip.as_ref());
    }
}

impl Tone {
    fn color(self) -> Color {
        let [r, g, b, a] = self.channels();
        Color::from_rgba(r, g, b, a).unwrap_or(Color::BLACK)
    }
}
