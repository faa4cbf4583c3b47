//! Resizing with premultiplied alpha, so that what is transparent lends no colour to what is not.

use fast_image_resize::{FilterType, MulDiv, PixelType, ResizeAlg, ResizeOptions, Resizer, images::Image};

use super::Unrendered;
use crate::pictures::decode::{Depth, Layout, Raster};

/// Brings `part` (left, top, width, height of the whole picture) to `size`.
pub(super) fn resize(raster: Raster, part: [u32; 4], size: (u32, u32)) -> Result<Raster, Unrendered> {
    let Raster { width, height, layout, depth, premultiplied, density, whole, data } = raster;
    if part == [0, 0, whole.0, whole.1] && (width, height) == size && !premultiplied {
        return Ok(Raster::whole(width, height, layout, depth, data));
    }
    let kind = pixel_type(layout, depth);
    let failed = |error: &dyn std::fmt::Display| Unrendered::Resize(error.to_string());
    let mut source = Image::from_vec_u8(width, height, data, kind).map_err(|error| failed(&error))?;
    let mut target = Image::new(size.0, size.1, kind);
    let alpha = MulDiv::new();
    if layout.has_alpha() && !premultiplied {
        // In place: a second picture of this size is what the byte budget could not see.
        alpha.multiply_alpha_inplace(&mut source).map_err(|error| failed(&error))?;
    }
    let [left, top, across, down] = part.map(f64::from);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .crop(left * density.0, top * density.1, across * density.0, down * density.1)
        .use_alpha(false);
    Resizer::new().resize(&source, &mut target, Some(&options)).map_err(|error| failed(&error))?;
    drop(source);
    if layout.has_alpha() {
        alpha.divide_alpha_inplace(&mut target).map_err(|error| failed(&error))?;
    }
    Ok(Raster::whole(size.0, size.1, layout, depth, target.into_vec()))
}

fn pixel_type(layout: Layout, depth: Depth) -> PixelType {
    match (layout, depth) {
        (Layout::Grey, Depth::Eight) => PixelType::U8,
        (Layout::GreyAlpha, Depth::Eight) => PixelType::U8x2,
        (Layout::Rgb, Depth::Eight) => PixelType::U8x3,
        (Layout::Rgba | Layout::Cmyk, Depth::Eight) => PixelType::U8x4,
        (Layout::Grey, Depth::Sixteen) => PixelType::U16,
        (Layout::GreyAlpha, Depth::Sixteen) => PixelType::U16x2,
        (Layout::Rgb, Depth::Sixteen) => PixelType::U16x3,
        (Layout::Rgba | Layout::Cmyk, Depth::Sixteen) => PixelType::U16x4,
    }
}
