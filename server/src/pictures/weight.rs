//! How many bytes a picture takes at the peak of reading, decoding and rendering it, told from its header alone.

use super::probe::{Format, Probe};

/// What everything that does not grow with the picture takes: tables, rows, the rendition with its encoder.
const BASE: u64 = 24 << 20;

/// An upper bound for the file, the decoder's buffers, the resize and the encoder together.
pub(super) fn of(probe: &Probe) -> u64 {
    let pixels = probe.pixels();
    let decoded = pixels * u64::from(probe.pixel_bytes);
    let working = match probe.format {
        // A progressive picture keeps its coefficients, two bytes each, until the last scan.
        Format::Jpeg if probe.buffered => decoded * 2 + decoded,
        Format::WebP | Format::Gif | Format::Tiff => decoded + pixels * 4,
        Format::Png | Format::Jpeg | Format::Bmp => decoded / 4,
    };
    probe.file_bytes * 2 + decoded + working + BASE
}
