//! From a file's bytes to pixels: limits set, panics contained, nothing guessed about what is missing.

mod jpeg;
mod png;
mod raster;
mod reduce;
mod tiff;
mod webp;

use std::{
    io::Cursor,
    panic::{AssertUnwindSafe, catch_unwind},
};

use image::{
    ColorType, ImageDecoder, ImageError,
    codecs::{bmp::BmpDecoder, gif::GifDecoder},
    metadata::Orientation,
};

pub(super) use self::{
    jpeg::{Colours, Plane, Planes, Scale},
    png::inflated_at_once,
    raster::{Depth, Layout, Raster},
    reduce::factor,
};

use super::{
    probe::{Format, Probe},
    recipe::Fit,
    unreadable::Unreadable,
};

/// A decoded picture: pixels as stored, with what is needed to show them right.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) pixels: Pixels,
    /// How the pixels have to be turned to stand upright. Turning waits until the picture is small.
    pub(super) orientation: Orientation,
    /// What the colours mean, if not sRGB. Converting waits until the picture is small, too.
    pub(super) profile: Option<Profile>,
    /// How its pixels were kept.
    pub(super) kept: Kept,
    /// What is wrong with a picture of which nearly everything could be decoded.
    pub(super) damage: Option<String>,
}

/// How pixels were kept: what was lost already is not worth the same care again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// As they were, or so rarely otherwise that it does not matter.
    Whole,
    AsJpeg,
    AsLossyWebP,
}

/// What colours mean.
#[derive(Debug)]
pub(super) enum Profile {
    /// An ICC profile.
    Icc(Vec<u8>),
    /// The colours of sRGB under another curve: the exponent that leads to light.
    Gamma(f32),
}

/// Pixels in the form in which the decoder has them.
#[derive(Debug)]
pub(super) enum Pixels {
    /// All of them, the colours of each side by side.
    Packed(Raster),
    /// Reduced already, each colour for itself.
    Planes(Planes),
}

/// Decodes the first frame of a probed file, at least as finely as `fit` needs it, and reads all of it to the end. A
/// decoder that panics is a refusal like any other.
pub(super) fn decode(bytes: &[u8], probe: &Probe, fit: Fit) -> Result<Decoded, Unreadable> {
    contained(probe.format, || match probe.format {
        Format::Jpeg => jpeg::decode(bytes, probe, fit),
        Format::Png => png::decode(bytes, probe, fit),
        Format::WebP => webp::decode(bytes, probe),
        Format::Gif => through(probe, fit, GifDecoder::new(Cursor::new(bytes))),
        Format::Tiff => tiff::decode(bytes, probe, fit),
        Format::Bmp => through(probe, fit, BmpDecoder::new(Cursor::new(bytes))),
    })
}

/// Runs a decoder so that its panic ends in a refusal.
fn contained<T>(format: Format, work: impl FnOnce() -> Result<T, Unreadable>) -> Result<T, Unreadable> {
    // Everything that the closure touches is dropped with it; nothing half-done is seen afterwards.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let detail = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no reason given".to_owned());
        tracing::error!(%format, detail, "a picture decoder panicked");
        Err(Unreadable::Panicked { format, detail })
    })
}

fn limits(probe: &Probe, fit: Fit) -> image::Limits {
    let mut limits = image::Limits::no_limits();
    limits.max_image_width = Some(probe.stored.0);
    limits.max_image_height = Some(probe.stored.1);
    limits.max_alloc = Some(probe.weight(fit));
    limits
}

fn through<D: ImageDecoder>(probe: &Probe, fit: Fit, decoder: Result<D, ImageError>) -> Result<Decoded, Unreadable> {
    let refuse = |error| refusal(probe.format, error);
    let mut decoder = decoder.map_err(refuse)?;
    decoder.set_limits(limits(probe, fit)).map_err(refuse)?;
    if decoder.dimensions() != probe.stored {
        return Err(Unreadable::Damaged { format: probe.format, detail: "it states two sizes".to_owned() });
    }
    let colour = decoder.color_type();
    let (layout, depth) = match colour {
        ColorType::L8 => (Layout::Grey, Depth::Eight),
        ColorType::La8 => (Layout::GreyAlpha, Depth::Eight),
        ColorType::Rgb8 => (Layout::Rgb, Depth::Eight),
        ColorType::Rgba8 => (Layout::Rgba, Depth::Eight),
        ColorType::L16 => (Layout::Grey, Depth::Sixteen),
        ColorType::La16 => (Layout::GreyAlpha, Depth::Sixteen),
        ColorType::Rgb16 => (Layout::Rgb, Depth::Sixteen),
        ColorType::Rgba16 => (Layout::Rgba, Depth::Sixteen),
        other => {
            let detail = format!("pixels of the kind {other:?}");
            return Err(Unreadable::Variant { format: probe.format, detail });
        }
    };
    // An unreadable profile is no reason to refuse a readable picture.
    let profile = (probe.profile > 0).then(|| decoder.icc_profile().ok().flatten()).flatten().map(Profile::Icc);
    let mut data = vec![0; usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX)];
    decoder.read_image(&mut data).map_err(refuse)?;
    let raster = Raster::whole(probe.stored.0, probe.stored.1, layout, depth, data);
    Ok(Decoded {
        pixels: Pixels::Packed(raster),
        orientation: probe.orientation,
        profile,
        kept: Kept::Whole,
        damage: None,
    })
}

/// A decoder's error in this room's words.
pub(super) fn refusal(format: Format, error: ImageError) -> Unreadable {
    match error {
        ImageError::Unsupported(error) => Unreadable::Variant { format, detail: error.to_string() },
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Unreadable::Truncated { format, detail: "it ends before its picture does".to_owned() }
        }
        error => Unreadable::Damaged { format, detail: error.to_string() },
    }
}

#[cfg(test)]
mod tests;
