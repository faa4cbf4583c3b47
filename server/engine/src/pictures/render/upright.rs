//! Turning a small picture upright.

use image::metadata::Orientation;

use super::{Layout, Upright, turned};
use crate::pictures::decode::Raster;

/// Turns and mirrors as the orientation says.
pub(super) fn turn(raster: Raster, orientation: Orientation) -> Upright {
    let Raster { width, height, layout, data, .. } = raster;
    let alpha = layout == Layout::Rgba;
    if orientation == Orientation::NoTransforms {
        return Upright { width, height, alpha, data };
    }
    let channels = layout.channels();
    let (to_width, to_height) = if turned(orientation) { (height, width) } else { (width, height) };
    let (right, bottom) = (width.saturating_sub(1), height.saturating_sub(1));
    let mut turned = Vec::with_capacity(data.len());
    for y in 0..to_height {
        for x in 0..to_width {
            // Where the pixel that stands here afterwards was stored.
            let (from_x, from_y) = match orientation {
                Orientation::NoTransforms => (x, y),
                Orientation::FlipHorizontal => (right - x, y),
                Orientation::Rotate180 => (right - x, bottom - y),
                Orientation::FlipVertical => (x, bottom - y),
                Orientation::Rotate90FlipH => (y, x),
                Orientation::Rotate90 => (y, bottom - x),
                Orientation::Rotate270FlipH => (right - y, bottom - x),
                Orientation::Rotate270 => (right - y, x),
            };
            let at = (from_y as usize * width as usize + from_x as usize) * channels;
            turned.extend_from_slice(&data[at..at + channels]);
        }
    }
    Upright { width: to_width, height: to_height, alpha, data: turned }
}
