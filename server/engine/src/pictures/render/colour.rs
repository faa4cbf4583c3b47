//! Any profile to sRGB, any layout to RGB or RGBA with eight bits.

use moxcms::{ColorProfile, DataColorSpace, Layout as Channels, RenderingIntent, ToneReprCurve, TransformOptions};

use crate::pictures::decode::{Depth, Layout, Profile, Raster};

/// The picture in sRGB, with eight bits a sample, as RGB or RGBA. A profile that cannot be used counts as none.
pub(super) fn to_srgb(raster: Raster, profile: Option<&Profile>) -> Raster {
    let Some(profile) = profile.and_then(|profile| read(profile, raster.layout)) else {
        return coloured(raster.into_eight());
    };
    let raster = match (raster.layout, profile.color_space) {
        // A grey picture in a coloured space: its shades are that space's greys.
        (Layout::Grey | Layout::GreyAlpha, DataColorSpace::Rgb) => coloured(raster.into_eight()),
        _ => raster,
    };
    match convert(&raster, &profile) {
        Some(converted) => converted.into_eight(),
        None => coloured(raster.into_eight()),
    }
}

fn read(profile: &Profile, layout: Layout) -> Option<ColorProfile> {
    match profile {
        Profile::Icc(profile) => ColorProfile::new_from_slice(profile).ok(),
        Profile::Gamma(gamma) => Some(curved(*gamma, layout)),
    }
}

fn convert(raster: &Raster, source: &ColorProfile) -> Option<Raster> {
    let target = ColorProfile::new_srgb();
    let (from, to, layout, space) = match raster.layout {
        Layout::Grey => (Channels::Gray, Channels::Rgb, Layout::Rgb, DataColorSpace::Gray),
        Layout::GreyAlpha => (Channels::GrayAlpha, Channels::Rgba, Layout::Rgba, DataColorSpace::Gray),
        Layout::Rgb => (Channels::Rgb, Channels::Rgb, Layout::Rgb, DataColorSpace::Rgb),
        Layout::Rgba => (Channels::Rgba, Channels::Rgba, Layout::Rgba, DataColorSpace::Rgb),
        // Four inks go by the same name as four other samples.
        Layout::Cmyk => (Channels::Rgba, Channels::Rgb, Layout::Rgb, DataColorSpace::Cmyk),
    };
    if source.color_space != space {
        return None;
    }
    let options = TransformOptions { rendering_intent: intent(source), ..TransformOptions::default() };
    let samples = raster.width as usize * raster.height as usize * layout.channels();
    let data = match raster.depth {
        Depth::Eight => {
            let transform = source.create_transform_8bit(from, &target, to, options).ok()?;
            let mut data = vec![0; samples];
            transform.transform(&raster.data, &mut data).ok()?;
            data
        }
        Depth::Sixteen => {
            let transform = source.create_transform_16bit(from, &target, to, options).ok()?;
            let wide: Vec<u16> = raster.data.as_chunks::<2>().0.iter().map(|pair| u16::from_ne_bytes(*pair)).collect();
            let mut data = vec![0_u16; samples];
            transform.transform(&wide, &mut data).ok()?;
            data.into_iter().flat_map(u16::to_ne_bytes).collect()
        }
    };
    Some(Raster::whole(raster.width, raster.height, layout, raster.depth, data))
}

/// Colours as they were measured, unless the profile has a table for another intent alone: that one then stands for all
/// (ICC.1:2022, 8.10.2).
fn intent(source: &ColorProfile) -> RenderingIntent {
    if source.lut_a_to_b_colorimetric.is_none() && source.lut_a_to_b_perceptual.is_some() {
        RenderingIntent::Perceptual
    } else {
        RenderingIntent::RelativeColorimetric
    }
}

/// The colours of sRGB, or grey, under a plain power curve.
fn curved(gamma: f32, layout: Layout) -> ColorProfile {
    if matches!(layout, Layout::Grey | Layout::GreyAlpha) {
        return ColorProfile::new_gray_with_gamma(gamma);
    }
    let mut profile = ColorProfile::new_srgb();
    let curve = ToneReprCurve::Parametric(vec![gamma]);
    profile.red_trc = Some(curve.clone());
    profile.green_trc = Some(curve.clone());
    profile.blue_trc = Some(curve);
    // The short form would tell the curve of sRGB again.
    profile.cicp = None;
    profile
}

fn coloured(raster: Raster) -> Raster {
    let Raster { width, height, layout, depth, data, .. } = raster;
    let (layout, data) = match layout {
        Layout::Grey => (Layout::Rgb, data.iter().flat_map(|grey| [*grey; 3]).collect()),
        Layout::GreyAlpha => {
            let pixel = |pair: &[u8]| [pair[0], pair[0], pair[0], pair[1]];
            (Layout::Rgba, data.chunks_exact(2).flat_map(pixel).collect())
        }
        Layout::Rgb | Layout::Rgba => (layout, data),
        Layout::Cmyk => (Layout::Rgb, data.as_chunks::<4>().0.iter().flat_map(|inks| printed(*inks)).collect()),
    };
    Raster::whole(width, height, layout, depth, data)
}

/// What mixtures of inks look like in sRGB where a file has no profile of its own: as libvips shows them, in nine steps of
/// cyan, magenta, yellow and black, black changing first. Written by `end2end/pictures/inks.mjs`.
const MIXTURES: &[u8; STEPS * STEPS * STEPS * STEPS * 3] = include_bytes!("inks.lut");
const STEPS: usize = 9;

/// Inks without a profile: in proportion between the mixtures around.
fn printed(inks: [u8; 4]) -> [u8; 3] {
    let mut corner = 0;
    let mut shares = [0.0_f32; 4];
    for (ink, share) in inks.iter().zip(&mut shares) {
        let place = usize::from(*ink) * (STEPS - 1);
        let step = (place / 255).min(STEPS - 2);
        *share = (place - step * 255) as f32 / 255.0;
        corner = corner * STEPS + step;
    }
    let mut sums = [0.5_f32; 3];
    for side in 0..16 {
        let (mut place, mut weight) = (corner, 1.0);
        for (ink, share) in shares.iter().enumerate() {
            let more = side >> (3 - ink) & 1 == 1;
            weight *= if more { *share } else { 1.0 - share };
            place += if more { STEPS.pow(3 - ink as u32) } else { 0 };
        }
        if let Some(mixture) = MIXTURES.get(place * 3..place * 3 + 3) {
            for (sum, sample) in sums.iter_mut().zip(mixture) {
                *sum += weight * f32::from(*sample);
            }
        }
    }
    sums.map(|sum| sum as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(layout: Layout, data: &[u8]) -> Raster {
        Raster::whole((data.len() / layout.channels()) as u32, 1, layout, Depth::Eight, data.to_vec())
    }

    fn icc(profile: &ColorProfile) -> Profile {
        Profile::Icc(profile.encode().unwrap())
    }

    fn near(raster: &Raster, expected: &[u8]) {
        assert_eq!(raster.data.len(), expected.len());
        for (found, expected) in raster.data.iter().zip(expected) {
            assert!(found.abs_diff(*expected) <= 2, "{:?}", raster.data);
        }
    }

    #[test]
    fn wide_colours_become_those_of_srgb() {
        // By the matrices of the two spaces, with the curve of sRGB for P3 and 2.2 for Adobe RGB.
        let p3 =
            to_srgb(patch(Layout::Rgb, &[200, 100, 50, 128, 128, 128]), Some(&icc(&ColorProfile::new_display_p3())));
        near(&p3, &[215, 93, 31, 128, 128, 128]);
        let adobe = to_srgb(patch(Layout::Rgb, &[128, 128, 128]), Some(&icc(&ColorProfile::new_adobe_rgb())));
        near(&adobe, &[128, 128, 128]);
        let adobe = to_srgb(patch(Layout::Rgb, &[180, 100, 60]), Some(&icc(&ColorProfile::new_adobe_rgb())));
        assert!(adobe.data[0] > 195 && adobe.data[1].abs_diff(99) < 4 && adobe.data[2] < 58, "{:?}", adobe.data);
    }

    #[test]
    fn alpha_is_no_colour() {
        let p3 = to_srgb(patch(Layout::Rgba, &[200, 100, 50, 77]), Some(&icc(&ColorProfile::new_display_p3())));
        near(&p3, &[215, 93, 31, 77]);
    }

    #[test]
    fn grey_under_another_curve_becomes_lighter_or_darker() {
        let linear = icc(&ColorProfile::new_gray_with_gamma(1.0));
        near(&to_srgb(patch(Layout::Grey, &[55]), Some(&linear)), &[128, 128, 128]);
        near(&to_srgb(patch(Layout::GreyAlpha, &[55, 9]), Some(&linear)), &[128, 128, 128, 9]);
        near(&to_srgb(patch(Layout::Rgb, &[55, 55, 55]), Some(&Profile::Gamma(1.0))), &[128, 128, 128]);
    }

    #[test]
    fn a_profile_that_does_not_fit_counts_as_none() {
        let grey = icc(&ColorProfile::new_gray_with_gamma(1.0));
        near(&to_srgb(patch(Layout::Rgb, &[1, 2, 3]), Some(&grey)), &[1, 2, 3]);
        near(&to_srgb(patch(Layout::Grey, &[9]), Some(&Profile::Icc(b"nonsense".to_vec()))), &[9, 9, 9]);
        near(&to_srgb(patch(Layout::Grey, &[99]), Some(&icc(&ColorProfile::new_srgb()))), &[99, 99, 99]);
    }

    #[test]
    fn inks_without_a_profile_look_printed() {
        near(&to_srgb(patch(Layout::Cmyk, &[0, 0, 0, 0, 255, 0, 0, 0]), None), &[255, 255, 255, 0, 153, 227]);
        near(&to_srgb(patch(Layout::Cmyk, &[0, 0, 0, 128]), None), &[134, 133, 132]);
    }
}
