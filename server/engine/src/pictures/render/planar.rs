//! From planes to planes: what is stored as luma and colour at half the size, and is written so again, is never mixed between.

use image::metadata::Orientation;
use webpx::YuvPlanesRef;

use super::{
    Unrendered,
    planes::{self, rgb_of_video},
};
use crate::pictures::{
    decode::{Colours, Decoded, Pixels, Planes},
    recipe::Fit,
};

/// A small picture as WebP stores it: luma from 16 to 235, and colours at half its width and height, from 16 to 240 (BT.601).
#[derive(Debug)]
pub(super) struct Planar {
    width: u32,
    height: u32,
    luma: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
}

/// The planes of a picture whose colours need not be mixed; the picture itself where they must be: for a profile, or to turn it.
pub(super) fn unmixed(decoded: Decoded) -> Result<Planes, Decoded> {
    let stays = decoded.profile.is_none() && decoded.orientation == Orientation::NoTransforms;
    match decoded.pixels {
        Pixels::Planes(planes) if stays && range(planes.colours).is_some() => Ok(planes),
        _ => Err(decoded),
    }
}

impl Planar {
    pub(super) fn shrink(planes: Planes, fit: Fit) -> Result<Self, Unrendered> {
        let (part, (width, height)) = fit.apply(planes.width, planes.height);
        let range = range(planes.colours);
        let [mut luma, mut blue, mut red] = planes::each(planes, part, (width, height), [1, 2, 2])?;
        if let Some(Range::Full) = range {
            narrow(&mut luma, 219, 16 * 255);
            narrow(&mut blue, 224, 128 * 31);
            narrow(&mut red, 224, 128 * 31);
        }
        Ok(Self { width, height, luma, blue, red })
    }

    pub(super) fn planes(&self) -> YuvPlanesRef<'_> {
        let (stride, half) = (self.width as usize, self.width.div_ceil(2) as usize);
        YuvPlanesRef {
            y: &self.luma,
            y_stride: stride,
            u: &self.blue,
            u_stride: half,
            v: &self.red,
            v_stride: half,
            a: None,
            a_stride: 0,
            width: self.width,
            height: self.height,
        }
    }

    /// The mean colour as `#rrggbb`.
    pub(super) fn colour(&self) -> String {
        let mean = |plane: &[u8]| {
            let sum: u64 = plane.iter().map(|sample| u64::from(*sample)).sum();
            let count = plane.len().max(1) as u64;
            ((sum + count / 2) / count) as u8
        };
        let [red, green, blue] = rgb_of_video(mean(&self.luma), mean(&self.blue), mean(&self.red));
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

enum Range {
    Full,
    Video,
}

fn range(colours: Colours) -> Option<Range> {
    match colours {
        Colours::YCbCr => Some(Range::Full),
        Colours::YCbCrOfVideo => Some(Range::Video),
        Colours::Grey | Colours::Rgb | Colours::Cmyk | Colours::Ycck => None,
    }
}

/// `sample × of ÷ 255`, moved by `by ÷ 255`, rounded.
fn narrow(plane: &mut [u8], of: u32, by: u32) {
    for sample in plane {
        *sample = ((u32::from(*sample) * of + by + 127) / 255) as u8;
    }
}
