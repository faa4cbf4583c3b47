//! Any profile to sRGB, any layout to RGB or RGBA with eight bits.

use moxcms::{ColorProfile, Layout as Channels, RenderingIntent, TransformOptions};

use crate::pictures::decode::{Depth, Layout, Raster};

/// The picture in sRGB, with eight bits a sample, as RGB or RGBA. A profile that cannot be used counts as none.
pub(super) fn to_srgb(raster: Raster, profile: Option<&[u8]>) -> Raster {
    let converted = profile.and_then(|profile| through_profile(&raster, profile));
    coloured(converted.unwrap_or(raster).into_eight())
}

fn through_profile(raster: &Raster, profile: &[u8]) -> Option<Raster> {
    let source = ColorProfile::new_from_slice(profile).ok()?;
    let target = ColorProfile::new_srgb();
    let (from, to, layout) = match raster.layout {
        Layout::Grey => (Channels::Gray, Channels::Rgb, Layout::Rgb),
        Layout::GreyAlpha => (Channels::GrayAlpha, Channels::Rgba, Layout::Rgba),
        Layout::Rgb => (Channels::Rgb, Channels::Rgb, Layout::Rgb),
        Layout::Rgba => (Channels::Rgba, Channels::Rgba, Layout::Rgba),
        // Four inks go by the same name as four other samples.
        Layout::Cmyk => (Channels::Rgba, Channels::Rgb, Layout::Rgb),
    };
    let options =
        TransformOptions { rendering_intent: RenderingIntent::RelativeColorimetric, ..TransformOptions::default() };
    let pixels = raster.width as usize * raster.height as usize;
    let samples = pixels * layout.channels();
    let data = match raster.depth {
        Depth::Eight => {
            let transform = source.create_transform_8bit(from, &target, to, options).ok()?;
            let mut data = vec![0; samples];
            transform.transform(&raster.data, &mut data).ok()?;
            data
        }
        Depth::Sixteen => {
            let transform = source.create_transform_16bit(from, &target, to, options).ok()?;
            let wide: Vec<u16> =
                raster.data.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect();
            let mut data = vec![0_u16; samples];
            transform.transform(&wide, &mut data).ok()?;
            data.into_iter().flat_map(u16::to_ne_bytes).collect()
        }
    };
    Some(Raster { width: raster.width, height: raster.height, layout, depth: raster.depth, data })
}

fn coloured(raster: Raster) -> Raster {
    let Raster { width, height, layout, depth, data } = raster;
    let (layout, data) = match layout {
        Layout::Grey => (Layout::Rgb, data.iter().flat_map(|grey| [*grey; 3]).collect()),
        Layout::GreyAlpha => {
            let pixel = |pair: &[u8]| [pair[0], pair[0], pair[0], pair[1]];
            (Layout::Rgba, data.chunks_exact(2).flat_map(pixel).collect())
        }
        Layout::Rgb | Layout::Rgba => (layout, data),
        Layout::Cmyk => {
            let share = |ink: u8, black: u8| ((u32::from(ink) * u32::from(black) + 127) / 255) as u8;
            let pixel = |inks: &[u8]| [share(inks[0], inks[3]), share(inks[1], inks[3]), share(inks[2], inks[3])];
            (Layout::Rgb, data.chunks_exact(4).flat_map(pixel).collect())
        }
    };
    Raster { width, height, layout, depth, data }
}
