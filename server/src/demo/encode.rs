//! From pixels to a file's bytes, always the same bytes for the same pixels.

use image::{
    ExtendedColorType, ImageEncoder,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};
use tiny_skia::Pixmap;
use webp::{Encoder, WebPConfig};

use super::DrawError;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Png,
    Jpeg,
    Webp,
}

impl Form {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }
}

/// Encodes the picture; with `alpha` the file keeps its transparency, which JPEG cannot.
pub(crate) fn encode(pixels: Pixmap, form: Form, alpha: bool) -> Result<Vec<u8>, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let mut samples = pixels.take_demultiplied();
    let kind = if alpha { ExtendedColorType::Rgba8 } else { ExtendedColorType::Rgb8 };
    if !alpha {
        drop_alpha(&mut samples);
    }
    let mut bytes = Vec::new();
    match form {
        Form::Png => PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive)
            .write_image(&samples, width, height, kind)?,
        Form::Jpeg => JpegEncoder::new_with_quality(&mut bytes, 88).write_image(&samples, width, height, kind)?,
        Form::Webp => bytes = webp(&samples, width, height, alpha)?,
    }
    Ok(bytes)
}

/// Four channels become three, in place.
fn drop_alpha(samples: &mut Vec<u8>) {
    let pixels = samples.len() / 4;
    for pixel in 1..pixels {
        samples.copy_within(pixel * 4..pixel * 4 + 3, pixel * 3);
    }
    samples.truncate(pixels * 3);
}

fn webp(samples: &[u8], width: u32, height: u32, alpha: bool) -> Result<Vec<u8>, DrawError> {
    let encoder =
        if alpha { Encoder::from_rgba(samples, width, height) } else { Encoder::from_rgb(samples, width, height) };
    let mut config = WebPConfig::new().map_err(|()| DrawError::Webp)?;
    config.quality = 84.0;
    // Drawn pictures gain nothing from a longer search, and a first start has three hundred of them to write.
    config.method = 2;
    let memory = encoder.encode_advanced(&config).map_err(|_| DrawError::Webp)?;
    Ok(memory.to_vec())
}
