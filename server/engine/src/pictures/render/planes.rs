//! Resizing each colour for itself, and only then mixing them: a picture in planes has less to resize, and what has to be
//! mixed is small by then.

use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer, images::Image};

use super::Unrendered;
use crate::pictures::decode::{Colours, Depth, Layout, Plane, Planes, Raster};

/// Brings `part` (left, top, width, height of the whole picture) to `size`.
pub(super) fn resize(picture: Planes, part: [u32; 4], size: (u32, u32)) -> Result<Raster, Unrendered> {
    let colours = picture.colours;
    let mut resizer = Resizer::new();
    let part = part.map(f64::from);
    let planes = picture
        .planes
        .into_iter()
        .map(|plane| one(&mut resizer, plane, part, size))
        .collect::<Result<Vec<Vec<u8>>, Unrendered>>()?;
    let (layout, data) = mixed(colours, planes)?;
    Ok(Raster::whole(size.0, size.1, layout, Depth::Eight, data))
}

/// Brings a part of each plane to a size of its own.
pub(super) fn each<const COUNT: usize>(
    picture: Planes,
    targets: [([f64; 4], (u32, u32)); COUNT],
) -> Result<[Vec<u8>; COUNT], Unrendered> {
    let mut resizer = Resizer::new();
    let planes = picture.planes.into_iter().zip(targets);
    let resized: Result<Vec<_>, _> = planes.map(|(plane, (part, size))| one(&mut resizer, plane, part, size)).collect();
    resized?.try_into().map_err(|_| Unrendered::Resize("a picture has too few colours".to_owned()))
}

/// What `part` has beyond the plane is left out.
fn one(resizer: &mut Resizer, plane: Plane, part: [f64; 4], size: (u32, u32)) -> Result<Vec<u8>, Unrendered> {
    let Plane { samples, stride, density } = plane;
    let failed = |error: &dyn std::fmt::Display| Unrendered::Resize(error.to_string());
    let rows = samples.len() as u32 / stride.max(1);
    let [left, top, across, down] = part;
    let [left, top, across, down] = [left * density.0, top * density.1, across * density.0, down * density.1];
    let crop = [left, top, across.min(f64::from(stride) - left), down.min(f64::from(rows) - top)];
    if crop == [0.0, 0.0, f64::from(stride), f64::from(rows)] && size == (stride, rows) {
        return Ok(samples);
    }
    let source = Image::from_vec_u8(stride, rows, samples, PixelType::U8).map_err(|error| failed(&error))?;
    let mut target = Image::new(size.0, size.1, PixelType::U8);
    let filter = filter((f64::from(size.0) / crop[2], f64::from(size.1) / crop[3]), density);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(filter))
        .crop(crop[0], crop[1], crop[2], crop[3])
        .use_alpha(false);
    resizer.resize(&source, &mut target, Some(&options)).map_err(|error| failed(&error))?;
    Ok(target.into_vec())
}

/// Colours that were stored at half the width or height are filled in between, without the ringing of the sharper filter.
/// Coarser ones, which hardly any file has, are repeated: so do libjpeg and all that show pictures by it.
fn filter(enlarged: (f64, f64), density: (f64, f64)) -> FilterType {
    if enlarged.0 <= 1.0 && enlarged.1 <= 1.0 {
        FilterType::Lanczos3
    } else if density.0 < 0.4 || density.1 < 0.4 {
        FilterType::Box
    } else {
        FilterType::Bilinear
    }
}

fn mixed(colours: Colours, planes: Vec<Vec<u8>>) -> Result<(Layout, Vec<u8>), Unrendered> {
    let planes: Vec<&[u8]> = planes.iter().map(Vec::as_slice).collect();
    let mixed = match (colours, &planes[..]) {
        (Colours::Grey, [grey]) => (Layout::Grey, grey.to_vec()),
        (Colours::Rgb, [red, green, blue]) => {
            let pixels = red.iter().zip(*green).zip(*blue);
            (Layout::Rgb, pixels.flat_map(|((red, green), blue)| [*red, *green, *blue]).collect())
        }
        (Colours::YCbCr, [luma, blue, red]) => {
            let pixels = luma.iter().zip(*blue).zip(*red);
            (Layout::Rgb, pixels.flat_map(|((luma, blue), red)| rgb(*luma, *blue, *red)).collect())
        }
        (Colours::YCbCrOfVideo, [luma, blue, red]) => {
            let pixels = luma.iter().zip(*blue).zip(*red);
            (Layout::Rgb, pixels.flat_map(|((luma, blue), red)| rgb_of_video(*luma, *blue, *red)).collect())
        }
        (Colours::Cmyk, [cyan, magenta, yellow, black]) => {
            let pixels = cyan.iter().zip(*magenta).zip(*yellow).zip(*black);
            (Layout::Cmyk, pixels.flat_map(|(((c, m), y), k)| [*c, *m, *y, *k].map(|sample| 255 - sample)).collect())
        }
        (Colours::Ycck, [luma, blue, red, black]) => {
            let pixels = luma.iter().zip(*blue).zip(*red).zip(*black);
            let ink = |(((luma, blue), red), black): (((&u8, &u8), &u8), &u8)| {
                let [cyan, magenta, yellow] = rgb(*luma, *blue, *red);
                // The mixture is the opposite of the inks, and what is stored is the opposite of that.
                [cyan, magenta, yellow, 255 - *black]
            };
            (Layout::Cmyk, pixels.flat_map(ink).collect())
        }
        _ => return Err(Unrendered::Resize("a picture has too few colours".to_owned())),
    };
    Ok(mixed)
}

/// Full-range YCbCr of BT.601, as JFIF has it.
fn rgb(luma: u8, blue: u8, red: u8) -> [u8; 3] {
    let luma = (i32::from(luma) << 16) + (1 << 15);
    let (blue, red) = (i32::from(blue) - 128, i32::from(red) - 128);
    let sample = |value: i32| (value >> 16).clamp(0, 255) as u8;
    [sample(luma + 91_881 * red), sample(luma - 22_554 * blue - 46_802 * red), sample(luma + 116_130 * blue)]
}

/// YCbCr of BT.601 as WebP has it: luma from 16 to 235, the others from 16 to 240.
pub(super) fn rgb_of_video(luma: u8, blue: u8, red: u8) -> [u8; 3] {
    let luma = (i32::from(luma) - 16) * 76_309 + (1 << 15);
    let (blue, red) = (i32::from(blue) - 128, i32::from(red) - 128);
    let sample = |value: i32| (value >> 16).clamp(0, 255) as u8;
    [sample(luma + 104_597 * red), sample(luma - 25_675 * blue - 53_279 * red), sample(luma + 132_201 * blue)]
}
