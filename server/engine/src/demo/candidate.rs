//! A candidate: one person in one seasonal picture, decided down to the last number before it is drawn.

use tiny_skia::Transform;

use super::{
    autumn::{self, Autumn},
    canvas::{Canvas, Ink, circle},
    chance::Chance,
    figure::{self, Outfit},
    light::{self, Fault, Grade},
    look::Look,
    mood::Pose,
    tone::Tone,
    winter::{self, Winter},
};

/// Where the person is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scene {
    Autumn(Autumn),
    Winter(Winter),
}

/// How the picture is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// To its edges.
    Full,
    /// The figure alone on transparency.
    Figure,
    /// A disc, with transparent corners.
    Disc,
}

#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub look: Look,
    pub pose: Pose,
    pub outfit: Outfit,
    pub scene: Scene,
    pub grade: Grade,
    pub cut: Cut,
    pub fault: Option<Fault>,
    /// The side that the light comes from, -1 or 1.
    pub light: f32,
    /// Of the figure, against the usual.
    pub zoom: f32,
    /// Of the head from its usual place, in thousandths of the width.
    pub aside: f32,
    /// Of what the scene leaves to chance.
    pub seed: u64,
}

impl Candidate {
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let (thousand, height) = canvas.thousand();
        canvas.moved(thousand, |canvas| match self.cut {
            Cut::Full => self.scene(canvas, height),
            Cut::Figure => self.figure(canvas, height),
            Cut::Disc => canvas.inside(circle(500.0, height / 2.0, height.min(1000.0) / 2.0 - 2.0), |canvas| {
                self.scene(canvas, height)
            }),
        });
    }

    fn scene(&self, canvas: &mut Canvas, height: f32) {
        let mut chance = Chance::new(self.seed);
        match self.scene {
            Scene::Autumn(scene) => autumn::behind(canvas, scene, height, &mut chance),
            Scene::Winter(scene) => winter::behind(canvas, scene, height, &mut chance),
        }
        let shadow = (500.0 - self.light * 40.0, height * 0.56);
        canvas.fill(
            circle(shadow.0, shadow.1, 520.0),
            Ink::glow(shadow.0, shadow.1, 500.0, Tone::hex(0x1A1018).faded(0.2)),
        );
        self.figure(canvas, height);
        match self.scene {
            Scene::Autumn(scene) => autumn::before(canvas, scene, height, &mut chance),
            Scene::Winter(scene) => winter::before(canvas, scene, height, &mut chance),
        }
        light::grade(canvas, self.grade, height, self.light);
        if let Some(fault) = self.fault {
            light::spoil(canvas, fault, height);
        }
    }

    fn figure(&self, canvas: &mut Canvas, height: f32) {
        let scale = 2.0 * self.zoom * (height / 1000.0).clamp(0.75, 1.08);
        let (x, y) = (500.0 + self.aside, height * 0.52);
        let place = match self.fault {
            Some(Fault::Leaning) => Transform::from_row(scale, 0.0, 0.0, scale, x + 90.0, y + 40.0)
                .pre_concat(Transform::from_rotate(self.light * 34.0)),
            Some(Fault::Cropped) => {
                Transform::from_row(scale * 1.9, 0.0, 0.0, scale * 1.9, x - self.light * 330.0, y - 250.0)
            }
            _ => Transform::from_row(scale, 0.0, 0.0, scale, x, y),
        };
        canvas.moved(place, |canvas| figure::figure(canvas, &self.look, &self.pose, &self.outfit, self.light));
    }
}
