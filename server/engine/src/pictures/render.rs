//! From pixels to a rendition: resized, turned upright, in sRGB with eight bits, encoded without any metadata.

mod colour;
mod encode;
mod planar;
mod planes;
mod resize;
mod upright;

use self::{encode::Effort, planar::Planar};
use super::{
    decode::{Decoded, Kept, Layout, Pixels},
    probe::turned,
    recipe::{Encoding, Fit, LONGEST_SIDE, Recipe},
};

/// Why a decoded picture could not be rendered. None of these is the picture's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrendered {
    #[error("resizing failed: {0}")]
    Resize(String),
    #[error("encoding failed: {0}")]
    Encode(String),
}

/// Makes one rendition. Takes the pixels away, so that they are gone before the encoder needs memory.
pub(super) fn render(decoded: Decoded, recipe: &Recipe) -> Result<Vec<u8>, Unrendered> {
    rendered(decoded, recipe).map(|(encoded, _)| encoded)
}

/// The same, with the picture's mean colour as `#rrggbb`, unless it can be seen through.
pub(super) fn rendered(decoded: Decoded, recipe: &Recipe) -> Result<(Vec<u8>, Option<String>), Unrendered> {
    let effort = match recipe.encoding {
        Encoding::Screen => Some(Effort::screen(decoded.kept)),
        Encoding::WebP { quality } => Some(Effort::export(quality)),
        Encoding::Png => None,
    };
    let Some(effort) = effort else {
        let small = shrink(decoded, recipe.fit)?;
        return Ok((encode::png(&small)?, small.colour()));
    };
    match planar::unmixed(decoded) {
        Ok(planes) => {
            let small = Planar::shrink(planes, recipe.fit)?;
            Ok((encode::planar(&small, effort)?, Some(small.colour())))
        }
        Err(decoded) => {
            let small = shrink(decoded, recipe.fit)?;
            Ok((encode::webp(&small, effort)?, small.colour()))
        }
    }
}

/// A picture in sRGB, upright, eight bits, RGB or RGBA.
#[derive(Debug)]
pub(super) struct Upright {
    width: u32,
    height: u32,
    alpha: bool,
    data: Vec<u8>,
}

impl Upright {
    #[cfg(test)]
    pub(super) fn samples(&self) -> &[u8] {
        &self.data
    }

    /// The mean colour as `#rrggbb`. None where the picture can be seen through: what stands for it would shine through
    /// it once it is there.
    pub(super) fn colour(&self) -> Option<String> {
        let mut sums = [0_u64; 3];
        let mut pixels = 0_u64;
        for pixel in self.data.chunks_exact(if self.alpha { 4 } else { 3 }) {
            if pixel.get(3).is_some_and(|alpha| *alpha < 255) {
                return None;
            }
            pixels += 1;
            for (sum, sample) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*sample);
            }
        }
        let [red, green, blue] = sums.map(|sum| sum.checked_div(pixels));
        Some(format!("#{:02x}{:02x}{:02x}", red?, green?, blue?))
    }
}

/// Colour and orientation come after the resize: on a hundredth of the pixels, and as libvips does it.
pub(super) fn shrink(decoded: Decoded, fit: Fit) -> Result<Upright, Unrendered> {
    let Decoded { pixels, orientation, profile, .. } = decoded;
    let (mut width, mut height) = match &pixels {
        Pixels::Packed(raster) => raster.whole,
        Pixels::Planes(planes) => (planes.width, planes.height),
    };
    if turned(orientation) {
        (width, height) = (height, width);
    }
    let ([left, top, across, down], (mut to_width, mut to_height)) = fit.apply(width, height);
    let mut part = [left, top, across, down];
    if turned(orientation) {
        // A centred part stays centred however the picture is turned.
        part = [top, left, down, across];
        (to_width, to_height) = (to_height, to_width);
    }
    let size = (to_width, to_height);
    let small = match pixels {
        Pixels::Packed(raster) => resize::resize(raster, part, size)?,
        Pixels::Planes(planes) => planes::resize(planes, part, size)?,
    };
    let small = colour::to_srgb(small, profile.as_ref());
    Ok(upright::turn(small, orientation))
}

#[cfg(test)]
mod tests;
