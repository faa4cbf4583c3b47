//! One person, put together from the rooms that draw the parts, back to front.

use tiny_skia::Transform;

use super::{
    accessories::{self, Hat, Scarf},
    beard,
    canvas::Canvas,
    clothes::{self, Garment},
    eyes, face, hair, headscarf,
    look::Look,
    mood::Pose,
};

/// What is worn.
#[derive(Clone, Copy)]
pub(super) struct Outfit {
    pub garment: Garment,
    pub scarf: Option<Scarf>,
    pub hat: Option<Hat>,
}

/// Draws the person with the head about the origin; `light` is the side that the light comes from, -1 or 1.
pub(super) fn figure(canvas: &mut Canvas, look: &Look, pose: &Pose, outfit: &Outfit, light: f32) {
    let hat = outfit.hat.is_some_and(Hat::covers_hair);
    let held = Transform::from_rotate_at(pose.tilt, 0.0, 150.0);
    let behind = Transform::from_translate(-pose.turn * 5.0, 0.0);
    clothes::behind(canvas, look, &outfit.garment);
    canvas.moved(held.pre_concat(behind), |canvas| hair::behind(canvas, look, hat));
    clothes::neck(canvas, look);
    clothes::garment(canvas, look, &outfit.garment);
    headscarf::drape(canvas, look);
    canvas.moved(held, |canvas| {
        face::skin(canvas, look, pose, light);
        beard::beard(canvas, look, pose);
        face::mouth(canvas, look, pose);
        eyes::eyes(canvas, look, pose);
        eyes::brows(canvas, look, pose);
        face::nose(canvas, look, pose, light);
        hair::front(canvas, look, hat);
        beard::earrings(canvas, look, pose);
        eyes::glasses(canvas, look, pose);
    });
    if let Some(scarf) = outfit.scarf {
        accessories::scarf(canvas, look, scarf);
    }
    if let Some(hat) = outfit.hat {
        canvas.moved(held, |canvas| accessories::hat(canvas, look, hat));
    }
}
