//! From pixels to a file's bytes, always the same bytes for the same pixels.

use image::{
    DynamicImage, ExtendedColorType, ImageEncoder, RgbaImage,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};
use tiny_skia::Pixmap;
use webpx::{EncoderConfig, Unstoppable};

use super::DrawError;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Png,
    Jpeg,
    Webp,
}

impl Form {
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }
}

/// Encodes the picture; with `alpha` the file keeps its transparency, which JPEG cannot.
pub(super) fn encode(pixels: Pixmap, form: Form, alpha: bool) -> Result<Vec<u8>, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let (samples, kind) = if alpha {
        (pixels.take_demultiplied(), ExtendedColorType::Rgba8)
    } else {
        // An opaque pixel is its own premultiplied one. The crate drops the fourth channel: a loop of our own would
        // take longer than the drawing in a build without optimisation.
        let opaque = RgbaImage::from_raw(width, height, pixels.take()).ok_or(DrawError::Size { width, height })?;
        (DynamicImage::ImageRgba8(opaque).into_rgb8().into_raw(), ExtendedColorType::Rgb8)
    };
    let mut bytes = Vec::new();
    match form {
        Form::Png => PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive)
            .write_image(&samples, width, height, kind)?,
        Form::Jpeg => JpegEncoder::new_with_quality(&mut bytes, 88).write_image(&samples, width, height, kind)?,
        Form::Webp => bytes = webp(&samples, width, height, alpha)?,
    }
    Ok(bytes)
}

fn webp(samples: &[u8], width: u32, height: u32, alpha: bool) -> Result<Vec<u8>, DrawError> {
    // Drawn pictures gain nothing from a longer search, and a first start has three hundred of them to write.
    let config = EncoderConfig::new().quality(84.0).method(2);
    let encoded = if alpha {
        config.encode_rgba(samples, width, height, Unstoppable)
    } else {
        config.encode_rgb(samples, width, height, Unstoppable)
    };
    encoded.map_err(|_| DrawError::Webp)
}
