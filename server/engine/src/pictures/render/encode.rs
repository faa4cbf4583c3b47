//! Writing a rendition: pixels only, so that no metadata of the original can come along.

use image::{ExtendedColorType, ImageEncoder, codecs::png};
use webpx::{Encoder, EncoderConfig, Unstoppable};

use super::{Kept, LONGEST_SIDE, Unrendered, Upright, planar::Planar};

/// How a WebP is written: `quality` 0 to 100, `method` 0 (fast) to 6 (small), `shaping` 0 to 100 (how much is taken from
/// where little shows and given to where much does; libwebp's is 50).
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    quality: f32,
    method: u8,
    shaping: u8,
}

impl Effort {
    /// For tiles and the viewer: by SSIMULACRA2 no worse than libvips makes them at quality 80, of nearly the same size
    /// (docs/benchmarks.md).
    pub(super) fn screen(kept: Kept) -> Self {
        let (quality, method, shaping) = match kept {
            // The least method that weighs what a mode costs against what it keeps: 2 takes half its time and four percent
            // more bytes, 4 is no better.
            Kept::Whole => (80.75, 3, 50),
            // It never leaves its planes, which is worth nearly three steps of quality. With less shaping, drawings get the
            // bytes that photographs need.
            Kept::AsLossyWebP => (78.0, 3, 75),
            // Reduced by its own codec, it keeps so much of the finest detail that the cheaper method is good enough.
            Kept::AsJpeg => (78.0, 2, 50),
        };
        Self { quality, method, shaping }
    }

    /// For what leaves the house.
    pub(super) fn export(quality: u8) -> Self {
        Self { quality: f32::from(quality), method: 4, shaping: 50 }
    }

    fn config(self) -> EncoderConfig {
        EncoderConfig::new().quality(self.quality).method(self.method).sns_strength(self.shaping)
    }
}

pub(super) fn webp(picture: &Upright, effort: Effort) -> Result<Vec<u8>, Unrendered> {
    let Upright { width, height, data, .. } = picture;
    let encoder =
        if picture.alpha { Encoder::new_rgba(data, *width, *height) } else { Encoder::new_rgb(data, *width, *height) };
    written(encoder, (*width, *height), effort)
}

pub(super) fn planar(picture: &Planar, effort: Effort) -> Result<Vec<u8>, Unrendered> {
    let planes = picture.planes();
    let size = (planes.width, planes.height);
    written(Encoder::new_yuv(planes), size, effort)
}

fn written(encoder: Encoder<'_>, (width, height): (u32, u32), effort: Effort) -> Result<Vec<u8>, Unrendered> {
    if width > LONGEST_SIDE || height > LONGEST_SIDE {
        return Err(Unrendered::Encode(format!("a WebP has at most {LONGEST_SIDE} pixels on a side")));
    }
    encoder.config(effort.config()).encode(Unstoppable).map_err(|error| Unrendered::Encode(error.to_string()))
}

pub(super) fn png(picture: &Upright) -> Result<Vec<u8>, Unrendered> {
    let mut encoded = Vec::new();
    let colour = if picture.alpha { ExtendedColorType::Rgba8 } else { ExtendedColorType::Rgb8 };
    png::PngEncoder::new_with_quality(&mut encoded, png::CompressionType::Default, png::FilterType::Adaptive)
        .write_image(&picture.data, picture.width, picture.height, colour)
        .map_err(|error| Unrendered::Encode(error.to_string()))?;
    Ok(encoded)
}
