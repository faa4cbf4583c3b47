//! PNG and its animations, row by row, by the crate `png`. What most files are, eight bits of red, green and blue at a
//! moderate size, is inflated at once and undone eight rows at a time, in two thirds of the time.

mod data;
mod rows;
mod unfilter;

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};

pub(in crate::pictures) use self::rows::inflated_at_once;
use super::{
    Decoded, Kept, Pixels, Profile,
    raster::{Depth, Layout, Raster},
    reduce::{self, Reduce},
};
use crate::pictures::{
    probe::{Format, Probe},
    recipe::Fit,
    unreadable::Unreadable,
};

/// The gamma of a picture that needs no conversion, and how far from it is still that.
const GAMMA: f32 = 0.454_55;
const NEARLY: f32 = 0.01;

/// For the small fixed chunks.
const SLACK: u64 = 64 << 10;

pub(super) fn decode(bytes: &[u8], probe: &Probe, fit: Fit) -> Result<Decoded, Unreadable> {
    // No more for what stands beside the pixels than the header has shown to be there, and a row.
    let most = probe.metadata + probe.profile + u64::from(probe.stored.0) * 8 + SLACK;
    let limits = Limits { bytes: usize::try_from(most).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Texts may inflate to any size, and nobody reads them here.
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(refusal)?;
    if reader.info().size() != probe.stored {
        return Err(damaged("it states two sizes"));
    }
    let (colour, depth) = reader.output_color_type();
    let layout = match colour {
        ColorType::Grayscale => Layout::Grey,
        ColorType::GrayscaleAlpha => Layout::GreyAlpha,
        ColorType::Rgb => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
        ColorType::Indexed => return Err(damaged("its palette is missing")),
    };
    let depth = if depth == BitDepth::Sixteen { Depth::Sixteen } else { Depth::Eight };
    // Where the still picture is no part of the animation, the first frame comes after it.
    let aside = reader.info().animation_control.is_some() && reader.info().frame_control.is_none();
    let raster = if aside && probe.animated() {
        frame(&mut reader, layout, depth)?
    } else {
        let factor = reduce::factor(probe.as_stored(fit), probe.stored.0, probe.stored.1);
        match plain(bytes, &reader, layout, factor) {
            Some(raster) => raster,
            None if factor == 1 || reader.info().interlaced => whole(&mut reader, layout, depth)?,
            None => reduced(&mut reader, layout, depth, factor)?,
        }
    };
    Ok(Decoded {
        pixels: Pixels::Packed(raster),
        orientation: probe.orientation,
        profile: profile(&reader),
        kept: Kept::Whole,
        damage: None,
    })
}

type Source<'a> = Reader<Cursor<&'a [u8]>>;

/// Eight bits of RGB or RGBA, stored as they are given on. None where that is not so, where its rows are too many to be
/// inflated at once, or where the file is broken: then it is read row by row, which tells what is wrong.
fn plain(bytes: &[u8], reader: &Source<'_>, layout: Layout, factor: u32) -> Option<Raster> {
    let info = reader.info();
    let stored = match info.color_type {
        ColorType::Rgb => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
        _ => return None,
    };
    let (width, height) = info.size();
    if info.interlaced || info.animation_control.is_some() || info.bit_depth != BitDepth::Eight || stored != layout {
        return None;
    }
    let each = |take: &mut dyn FnMut(&[u8])| match layout {
        Layout::Rgb => rows::each::<3>(bytes, (width, height), take),
        _ => rows::each::<4>(bytes, (width, height), take),
    };
    if factor == 1 {
        let mut data = Vec::with_capacity(width as usize * height as usize * layout.channels());
        each(&mut |row| data.extend_from_slice(row))?;
        return Some(Raster::whole(width, height, layout, Depth::Eight, data));
    }
    let mut reduce = Reduce::new(width, height, layout, Depth::Eight, factor);
    each(&mut |row| reduce.row(row))?;
    Some(reduce.finish(height))
}

fn reduced(reader: &mut Source<'_>, layout: Layout, depth: Depth, factor: u32) -> Result<Raster, Unreadable> {
    let (width, height) = reader.info().size();
    let mut reduce = Reduce::new(width, height, layout, depth, factor);
    let mut row = vec![0; width as usize * layout.channels() * depth.bytes()];
    for _ in 0..height {
        reader.read_row(&mut row).map_err(refusal)?;
        to_native(&mut row, depth);
        reduce.row(&row);
    }
    Ok(reduce.finish(height))
}

fn whole(reader: &mut Source<'_>, layout: Layout, depth: Depth) -> Result<Raster, Unreadable> {
    let (width, height) = reader.info().size();
    let mut data = vec![0; width as usize * height as usize * layout.channels() * depth.bytes()];
    reader.next_frame(&mut data).map_err(refusal)?;
    to_native(&mut data, depth);
    Ok(Raster::whole(width, height, layout, depth, data))
}

/// The first frame, on the transparent canvas that it is drawn on.
fn frame(reader: &mut Source<'_>, layout: Layout, depth: Depth) -> Result<Raster, Unreadable> {
    let (width, height) = reader.info().size();
    let control = *reader.next_frame_info().map_err(refusal)?;
    let pixel = layout.channels() * depth.bytes();
    let mut data = vec![0; reader.output_buffer_size().ok_or_else(|| damaged("its frame is too large"))?];
    let written = reader.next_frame(&mut data).map_err(refusal)?;
    to_native(&mut data, depth);
    if (control.width, control.height) == (width, height) {
        return Ok(Raster::whole(width, height, layout, depth, data));
    }
    if !layout.has_alpha() || depth == Depth::Sixteen {
        let detail = "a first frame that leaves a part of the picture open".to_owned();
        return Err(Unreadable::Variant { format: Format::Png, detail });
    }
    let mut canvas = vec![0; width as usize * height as usize * pixel];
    let rows = data.chunks_exact(written.line_size).take(control.height as usize);
    for (row, y) in rows.zip(control.y_offset..) {
        let at = (y as usize * width as usize + control.x_offset as usize) * pixel;
        let length = control.width as usize * pixel;
        if let (Some(to), Some(from)) = (canvas.get_mut(at..at + length), row.get(..length)) {
            to.copy_from_slice(from);
        }
    }
    Ok(Raster::whole(width, height, layout, depth, canvas))
}

fn to_native(samples: &mut [u8], depth: Depth) {
    if depth == Depth::Sixteen {
        for pair in samples.as_chunks_mut::<2>().0 {
            *pair = u16::from_be_bytes(*pair).to_ne_bytes();
        }
    }
}

fn profile(reader: &Source<'_>) -> Option<Profile> {
    let info = reader.info();
    if let Some(profile) = &info.icc_profile {
        return Some(Profile::Icc(profile.to_vec()));
    }
    let gamma = info.source_gamma.map(png::ScaledFloat::into_value)?;
    (info.srgb.is_none() && (gamma - GAMMA).abs() > NEARLY && gamma > 0.0).then_some(Profile::Gamma(1.0 / gamma))
}

fn refusal(error: DecodingError) -> Unreadable {
    match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            let detail = "it ends before its picture does".to_owned();
            Unreadable::Truncated { format: Format::Png, detail }
        }
        error => damaged(&error.to_string()),
    }
}

fn damaged(detail: &str) -> Unreadable {
    Unreadable::Damaged { format: Format::Png, detail: detail.to_owned() }
}
