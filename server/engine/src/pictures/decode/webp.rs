//! WebP by libwebp. A picture without alpha stays in its planes, and of an animation only the first frame is looked at:
//! it is handed over as the still picture that it is.

use webpx::{BitstreamFormat, Decoder, DecoderConfig, Limits};

use super::{
    Colours, Decoded, Kept, Pixels, Plane, Planes, Profile,
    raster::{Depth, Layout, Raster},
};
use crate::pictures::{
    probe::{Format, Probe},
    unreadable::Unreadable,
};

pub(super) fn decode(bytes: &[u8], probe: &Probe) -> Result<Decoded, Unreadable> {
    let (width, height) = probe.stored;
    let (pixels, kept) = match chunks(bytes.get(12..).unwrap_or_default()).find(|(kind, _)| *kind == b"ANMF") {
        Some((_, frame)) if probe.buffered => (Pixels::Packed(first(frame, width, height)?), Kept::Whole),
        _ => still(bytes, (width, height))?,
    };
    let used = |(kind, content): (&[u8; 4], &[u8])| (kind == b"ICCP").then(|| content.to_vec());
    let profile = if probe.profile > 0 { chunks(&bytes[12..]).find_map(used) } else { None };
    Ok(Decoded { pixels, orientation: probe.orientation, profile: profile.map(Profile::Icc), kept, damage: None })
}

/// A picture that does not move.
fn still(bytes: &[u8], size: (u32, u32)) -> Result<(Pixels, Kept), Unreadable> {
    let decoder = opened(bytes, size)?;
    let info = decoder.info();
    let kept = if info.format == BitstreamFormat::Lossy { Kept::AsLossyWebP } else { Kept::Whole };
    if kept == Kept::AsLossyWebP && !info.has_alpha {
        let planes = decoder.decode_yuv().map_err(|_| broken(bytes))?;
        let plane = |samples, stride: usize, density| Plane { samples, stride: stride as u32, density };
        let planes = Planes {
            width: size.0,
            height: size.1,
            colours: Colours::YCbCrOfVideo,
            planes: vec![
                plane(planes.y, planes.y_stride, (1.0, 1.0)),
                plane(planes.u, planes.u_stride, (0.5, 0.5)),
                plane(planes.v, planes.v_stride, (0.5, 0.5)),
            ],
        };
        return Ok((Pixels::Planes(planes), kept));
    }
    let layout = if info.has_alpha { Layout::Rgba } else { Layout::Rgb };
    Ok((Pixels::Packed(packed(decoder, bytes, layout, size)?), kept))
}

fn packed(
    decoder: Decoder<'_>,
    bytes: &[u8],
    layout: Layout,
    (width, height): (u32, u32),
) -> Result<Raster, Unreadable> {
    let stride = width as usize * layout.channels();
    let mut data = vec![0; stride * height as usize];
    let decoded = match layout {
        Layout::Rgba => decoder.decode_rgba_into(&mut data, stride as u32),
        _ => decoder.decode_rgb_into(&mut data, stride as u32),
    };
    decoded.map_err(|_| broken(bytes))?;
    Ok(Raster::whole(width, height, layout, Depth::Eight, data))
}

fn opened(bytes: &[u8], size: (u32, u32)) -> Result<Decoder<'_>, Unreadable> {
    let decoder = Decoder::new(bytes).map_err(|_| broken(bytes))?;
    if (decoder.info().width, decoder.info().height) != size || decoder.info().has_animation {
        return Err(damaged("it states two sizes"));
    }
    // The size was weighed and reserved before.
    Ok(decoder.config(DecoderConfig::new().limits(Limits::none())))
}

/// The first frame of an animation, on the canvas that browsers draw it on: a transparent one, whatever the file asks for.
fn first(frame: &[u8], width: u32, height: u32) -> Result<Raster, Unreadable> {
    let number = |at: usize| match frame.get(at..at + 3) {
        Some([a, b, c]) => Ok(u32::from_le_bytes([*a, *b, *c, 0])),
        _ => Err(cut()),
    };
    let (left, top) = (number(0)? * 2, number(3)? * 2);
    let size @ (across, down) = (number(6)? + 1, number(9)? + 1);
    if left + across > width || top + down > height {
        return Err(damaged("its first frame lies outside of it"));
    }
    let file = alone(frame.get(16..).unwrap_or_default(), size);
    let decoder = opened(&file, size)?;
    let raster = packed(decoder, &file, Layout::Rgba, size)?;
    if size == (width, height) {
        return Ok(raster);
    }
    let mut canvas = vec![0; width as usize * height as usize * 4];
    for (row, y) in raster.data.chunks_exact(across as usize * 4).zip(top..) {
        let at = (y as usize * width as usize + left as usize) * 4;
        if let Some(to) = canvas.get_mut(at..at + row.len()) {
            to.copy_from_slice(row);
        }
    }
    Ok(Raster::whole(width, height, Layout::Rgba, Depth::Eight, canvas))
}

/// A frame as a file of its own.
fn alone(frame: &[u8], (width, height): (u32, u32)) -> Vec<u8> {
    let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
    let parts: Vec<_> = chunks(frame).filter(|(kind, _)| matches!(*kind, b"ALPH" | b"VP8 " | b"VP8L")).collect();
    let mut add = |kind: &[u8; 4], content: &[u8]| {
        file.extend_from_slice(kind);
        file.extend((content.len() as u32).to_le_bytes());
        file.extend_from_slice(content);
        file.resize(file.len().next_multiple_of(2), 0);
    };
    if parts.iter().any(|(kind, _)| *kind == b"ALPH") {
        let [w0, w1, w2, _] = (width - 1).to_le_bytes();
        let [h0, h1, h2, _] = (height - 1).to_le_bytes();
        add(b"VP8X", &[0x10, 0, 0, 0, w0, w1, w2, h0, h1, h2]);
    }
    for (kind, content) in parts {
        add(kind, content);
    }
    let length = (file.len() as u32 - 8).to_le_bytes();
    file[4..8].copy_from_slice(&length);
    file
}

/// Chunks by name, as far as they are there.
fn chunks(mut bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let (kind, rest) = bytes.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        let content = rest.get(..length).unwrap_or(rest);
        bytes = rest.get(length + length % 2..).unwrap_or_default();
        Some((kind, content))
    })
}

/// Why libwebp has failed, as far as the file itself can tell.
fn broken(bytes: &[u8]) -> Unreadable {
    let stated = bytes.get(4..).and_then(<[u8]>::first_chunk::<4>).map_or(0, |length| u32::from_le_bytes(*length));
    if (bytes.len() as u64) < u64::from(stated) + 8 { cut() } else { damaged("its picture data is broken") }
}

fn cut() -> Unreadable {
    Unreadable::Truncated { format: Format::WebP, detail: "it ends before its picture does".to_owned() }
}

fn damaged(detail: &str) -> Unreadable {
    Unreadable::Damaged { format: Format::WebP, detail: detail.to_owned() }
}
