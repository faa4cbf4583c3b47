//! Writing a rendition: pixels only, so that no metadata of the original can come along.

use image::{ExtendedColorType, ImageEncoder, codecs::png};
use webpx::{EncoderConfig, Unstoppable};

use super::{Kept, LONGEST_SIDE, Unrendered, Upright};

/// For tiles and the viewer: no worse than libvips makes them at quality 80, by SSIMULACRA2, and no larger
/// (docs/benchmarks.md).
pub(super) fn screen(picture: &Upright, kept: Kept) -> Result<Vec<u8>, Unrendered> {
    match kept {
        // The least method that weighs what a mode costs against what it keeps: 2 takes half its time and four percent more
        // bytes, 4 is no better.
        Kept::Whole => webp(picture, 80, 3),
        // Another coder's noise is not worth two steps of quality.
        Kept::AsLossyWebP => webp(picture, 78, 3),
        // Reduced by its own codec, it keeps so much of the finest detail that the cheaper method is good enough.
        Kept::AsJpeg => webp(picture, 78, 2),
    }
}

/// What leaves the house.
pub(super) fn export(picture: &Upright, quality: u8) -> Result<Vec<u8>, Unrendered> {
    webp(picture, quality, 4)
}

/// `quality` 0 to 100, `method` 0 (fast) to 6 (small).
fn webp(picture: &Upright, quality: u8, method: u8) -> Result<Vec<u8>, Unrendered> {
    if picture.width > LONGEST_SIDE || picture.height > LONGEST_SIDE {
        return Err(Unrendered::Encode(format!("a WebP has at most {LONGEST_SIDE} pixels on a side")));
    }
    let config = EncoderConfig::new().quality(f32::from(quality)).method(method);
    let Upright { width, height, data, .. } = picture;
    let encoded = if picture.alpha {
        config.encode_rgba(data, *width, *height, Unstoppable)
    } else {
        config.encode_rgb(data, *width, *height, Unstoppable)
    };
    encoded.map_err(|error| Unrendered::Encode(error.to_string()))
}

pub(super) fn png(picture: &Upright) -> Result<Vec<u8>, Unrendered> {
    let mut encoded = Vec::new();
    let colour = if picture.alpha { ExtendedColorType::Rgba8 } else { ExtendedColorType::Rgb8 };
    png::PngEncoder::new_with_quality(&mut encoded, png::CompressionType::Default, png::FilterType::Adaptive)
        .write_image(&picture.data, picture.width, picture.height, colour)
        .map_err(|error| Unrendered::Encode(error.to_string()))?;
    Ok(encoded)
}
