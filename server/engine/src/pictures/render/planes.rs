//! Resizing each colour for itself, and only then mixing them: a picture in planes has less to resize, and what has to be
//! mixed is small by then.

use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer,
    images::{CroppedImageMut, Image},
};

use super::Unrendered;
use crate::pictures::decode::{Colours, Depth, Layout, Plane, Planes, Raster};

/// Brings `part` (left, top, width, height of the whole picture) to `size`.
pub(super) fn resize(picture: Planes, part: [u32; 4], size: (u32, u32)) -> Result<Raster, Unrendered> {
    let colours = picture.colours;
    let mut resizer = Resizer::new();
    let planes = picture
        .planes
        .into_iter()
        .map(|plane| one(&mut resizer, plane, part, size, 1))
        .collect::<Result<Vec<Vec<u8>>, Unrendered>>()?;
    let (layout, data) = mixed(colours, planes)?;
    Ok(Raster::whole(size.0, size.1, layout, Depth::Eight, data))
}

/// Brings `part` of each plane to `size`, a sample for so many pixels across and down as `steps` says for it.
pub(super) fn each<const COUNT: usize>(
    picture: Planes,
    part: [u32; 4],
    size: (u32, u32),
    steps: [u32; COUNT],
) -> Result<[Vec<u8>; COUNT], Unrendered> {
    let mut resizer = Resizer::new();
    let planes = picture.planes.into_iter().zip(steps);
    let resized: Result<Vec<_>, _> = planes.map(|(plane, step)| one(&mut resizer, plane, part, size, step)).collect();
    resized?.try_into().map_err(|_| Unrendered::Resize("a picture has too few colours".to_owned()))
}

fn one(
    resizer: &mut Resizer,
    plane: Plane,
    part: [u32; 4],
    size: (u32, u32),
    step: u32,
) -> Result<Vec<u8>, Unrendered> {
    let Plane { samples, stride, density } = plane;
    let failed = |error: &dyn std::fmt::Display| Unrendered::Resize(error.to_string());
    let rows = samples.len() as u32 / stride.max(1);
    let [left, top, across, down] = part.map(f64::from);
    let [left, top, across, down] = [left * density.0, top * density.1, across * density.0, down * density.1];
    if [left, top, across, down] == [0.0, 0.0, f64::from(stride), f64::from(rows)] && size == (stride, rows) {
        return Ok(samples);
    }
    let source = Image::from_vec_u8(stride, rows, samples, PixelType::U8).map_err(|error| failed(&error))?;
    let mut target = Image::new(size.0.div_ceil(step), size.1.div_ceil(step), PixelType::U8);
    for row in strips(size.1, step, down) {
        for column in strips(size.0, step, across) {
            let enlarged = (f64::from(column.samples) / column.share, f64::from(row.samples) / row.share);
            let options = ResizeOptions::new()
                .resize_alg(ResizeAlg::Convolution(filter(enlarged, density)))
                .crop(left + column.before, top + row.before, column.share, row.share)
                .use_alpha(false);
            let mut target = CroppedImageMut::new(&mut target, column.at, row.at, column.samples, row.samples)
                .map_err(|error| failed(&error))?;
            resizer.resize(&source, &mut target, Some(&options)).map_err(|error| failed(&error))?;
        }
    }
    Ok(target.into_vec())
}

/// Samples side by side that stand for equally many pixels.
struct Strip {
    at: u32,
    samples: u32,
    /// How much of the source lies before it, and how much it covers.
    before: f64,
    share: f64,
}

/// Where `size` is no multiple of `step`, the last sample stands for what is left: the others stay over their pixels.
fn strips(size: u32, step: u32, source: f64) -> impl Iterator<Item = Strip> {
    let (whole, rest) = (size / step, size % step);
    // Of few digits, so that what is cut off and what is left add up again, and end where the source does.
    let cut = (source * f64::from(size - rest) / f64::from(size) * 65_536.0).floor() / 65_536.0;
    let main = Strip { at: 0, samples: whole, before: 0.0, share: cut };
    let last = Strip { at: whole, samples: u32::from(rest > 0), before: cut, share: source - cut };
    [main, last].into_iter().filter(|strip| strip.samples > 0)
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
