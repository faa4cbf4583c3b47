//! How many bytes a picture takes at the peak of reading, decoding and rendering it, told from its header alone.

use super::{
    decode::{self, Scale},
    probe::{Format, OF_256_IN_PLANES, Probe},
    recipe::Fit,
};

/// What does not grow with the original: tables, rows, the rendition and its encoder.
const BASE: u64 = 4 << 20;
/// What an encoder and the resize take for each pixel of the rendition.
const OF_A_RENDERED_PIXEL: u64 = 24;
/// What a PNG's rows take for each pixel across: filtered, plain (nine of them at most), expanded and summed up.
const ROWS_OF_A_PNG: u64 = 64;

/// What reading a colour profile and converting by it take for each of its bytes.
const OF_A_PROFILE_BYTE: u64 = 8;

/// An upper bound for the file, the decoder's buffers, the resize and the encoder together.
pub(super) fn of(probe: &Probe, fit: Fit) -> u64 {
    let (_, (width, height)) = fit.apply(probe.width(), probe.height());
    let rendered = u64::from(width) * u64::from(height) * OF_A_RENDERED_PIXEL;
    // From here on as the pixels are stored: the decoder knows nothing of how they will be turned.
    let fit = probe.as_stored(fit);
    // Between its two passes the resize holds the new width by the height that the decoder has left.
    let (_, (across, _)) = fit.apply(probe.stored.0, probe.stored.1);
    let strip = u64::from(across) * rows(probe, fit) * u64::from(probe.bytes_of_256.div_ceil(256));
    let decoder = match probe.format {
        Format::Jpeg => jpeg(probe, fit),
        // Row by row, reduced at once; only what is interlaced or drawn on a canvas is there as a whole.
        Format::Png if probe.buffered || probe.animated() => bytes(probe, probe.pixels()) * 2,
        Format::Png => {
            let factor = u64::from(decode::factor(fit, probe.stored.0, probe.stored.1));
            let (width, height) = (u64::from(probe.stored.0), u64::from(probe.stored.1));
            // Of a moderate size, all rows as they are filtered, and before that what they are inflated from.
            let filtered = decode::inflated_at_once(probe.stored, probe.bytes_of_256 / 256);
            let filtered = filtered.map_or(0, |filtered| filtered + probe.file_bytes);
            bytes(probe, width.div_ceil(factor) * height.div_ceil(factor)) + width * ROWS_OF_A_PNG + filtered
        }
        // Libwebp keeps a few rows beside the planes.
        Format::WebP if probe.bytes_of_256 == OF_256_IN_PLANES => bytes(probe, probe.pixels()) + probe.pixels() / 2,
        Format::WebP | Format::Tiff => bytes(probe, probe.pixels()) + probe.pixels() * 8,
        // The canvas; the frame that is drawn on it was weighed by its own size.
        Format::Gif | Format::Bmp => bytes(probe, probe.pixels()),
    };
    let beside = probe.metadata + probe.profile * OF_A_PROFILE_BYTE;
    probe.file_bytes + decoder + strip + rendered + beside + BASE
}

/// What the largest rendition of this fit takes, whatever it is made of.
pub(super) fn of_rendered(fit: Fit) -> u64 {
    let (Fit::Inside { width, height } | Fit::Cover { width, height }) = fit;
    u64::from(width) * u64::from(height) * OF_A_RENDERED_PIXEL + BASE
}

/// Rows that the decoder leaves; of a picture that is turned only afterwards, its columns.
fn rows(probe: &Probe, fit: Fit) -> u64 {
    let (width, height) = probe.stored;
    let longest = u64::from(width.max(height));
    match probe.format {
        Format::Jpeg => (longest * scale(probe, fit).side() as u64).div_ceil(8),
        Format::Png if !probe.buffered && !probe.animated() => {
            longest.div_ceil(u64::from(decode::factor(fit, width, height)))
        }
        _ => longest,
    }
}

fn scale(probe: &Probe, fit: Fit) -> Scale {
    let (least, from) = fit.least(probe.stored.0, probe.stored.1);
    Scale::for_at_least(least, from)
}

fn bytes(probe: &Probe, pixels: u64) -> u64 {
    (pixels * u64::from(probe.bytes_of_256)).div_ceil(256)
}

fn jpeg(probe: &Probe, fit: Fit) -> u64 {
    let (width, height) = probe.stored;
    let scale = scale(probe, fit);
    // Whole units of up to four blocks.
    let padded = u64::from(width.next_multiple_of(32)) * u64::from(height.next_multiple_of(32));
    let samples = bytes(probe, padded);
    let side = scale.side() as u64;
    let planes = (samples * side * side).div_ceil(64);
    // A progressive picture keeps what it needs of each block's coefficients, and which of them are not zero.
    let kept = if probe.buffered { samples.div_ceil(64) * (scale.needed() as u64 * 2 + 8) } else { 0 };
    planes + kept
}
