//! The demo's pictures: who is in them, which there are, and the drawing of each.
//!
//! A plan is made first and costs nothing; then each picture is drawn by itself, on any thread, to the same bytes
//! every time. Nothing here may know the store, the intake or an account: it hands out bytes and names.

mod accessories;
mod afro;
mod autumn;
mod beard;
mod candidate;
mod canvas;
mod cast;
mod chance;
mod clothes;
mod encode;
mod eyes;
mod face;
mod figure;
mod hair;
mod headscarf;
mod light;
mod look;
mod mood;
mod nature;
mod picture;
mod plan;
mod sheet;
mod tone;
mod wardrobe;
mod winter;

#[cfg(test)]
mod tests;

pub use self::{
    picture::{Picture, draw},
    plan::plan,
};

/// What a picture is in its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Candidate,
    Pipeline,
}

/// A family with its one batch.
pub struct Family {
    pub slug: &'static str,
    pub batch: &'static str,
    pub batch_title: &'static str,
    /// Pipeline originals first, then the candidates, the subjects taking turns.
    pub pictures: Vec<Picture>,
}

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    #[error("a picture of {width} by {height} pixels cannot be drawn")]
    Size { width: u32, height: u32 },
    #[error("the picture could not be encoded: {0}")]
    Encode(#[from] image::ImageError),
    #[error("libwebp could not encode the picture")]
    Webp,
}
