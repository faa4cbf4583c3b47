//! The headers of PNG, WebP and GIF: chunks and blocks, walked by seeking over what they hold.

use std::io::{BufReader, Read, Seek, SeekFrom};

use image::metadata::Orientation;

use super::{Format, Probe, Unreadable, orientation_in};

/// Metadata larger than this is not looked at: an orientation takes a few dozen bytes.
const EXIF_LIMIT: u64 = 1 << 20;

pub(super) fn png<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Probe, Unreadable> {
    let cut = || cut(Format::Png);
    let mut header = [0; 33];
    reader.read_exact(&mut header).map_err(|_| cut())?;
    if &header[12..16] != b"IHDR" {
        return Err(damaged(Format::Png, "it does not begin with its header"));
    }
    let stored = (be32(&header[16..20]), be32(&header[20..24]));
    let (depth, colour, interlaced) = (header[24], header[25], header[28] != 0);
    let channels = match colour {
        0 => 1,
        2 | 3 => 3,
        4 => 2,
        6 => 4,
        _ => return Err(damaged(Format::Png, "its colour type does not exist")),
    };
    let (mut orientation, mut frames, mut transparent) = (Orientation::NoTransforms, 1, false);
    let mut chunk = [0; 8];
    // A file that ends early is found by the decoder, which can say how much is missing.
    while reader.read_exact(&mut chunk).is_ok() {
        let length = u64::from(be32(&chunk[..4]));
        let mut skip = length + 4;
        match &chunk[4..] {
            b"eXIf" => {
                orientation = orientation_in(&take(reader, length.min(EXIF_LIMIT)));
                skip -= length.min(EXIF_LIMIT);
            }
            b"acTL" if length == 8 => {
                let control = take(reader, 8);
                frames = control.get(..4).map_or(1, be32).max(1);
                skip -= 8;
            }
            b"tRNS" => transparent = true,
            b"IEND" => break,
            _ => {}
        }
        if reader.seek_relative(skip as i64).is_err() {
            break;
        }
    }
    let samples = channels + u32::from(transparent);
    Ok(Probe {
        format: Format::Png,
        file_bytes,
        stored,
        orientation,
        frames,
        bytes_of_256: if depth == 16 { samples * 512 } else { samples * 256 },
        buffered: interlaced,
    })
}

pub(super) fn webp<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Probe, Unreadable> {
    let format = Format::WebP;
    reader.seek(SeekFrom::Start(12)).map_err(|_| cut(format))?;
    let mut stored = None;
    let (mut orientation, mut frames, mut alpha, mut extended) = (Orientation::NoTransforms, 0, false, false);
    let mut chunk = [0; 8];
    while reader.read_exact(&mut chunk).is_ok() {
        let length = u64::from(u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]));
        let mut skip = length + length % 2;
        match &chunk[..4] {
            b"VP8X" if stored.is_none() && length >= 10 => {
                let header = take(reader, 10);
                skip -= 10;
                let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = header[..] else { break };
                stored = Some((u32::from_le_bytes([w0, w1, w2, 0]) + 1, u32::from_le_bytes([h0, h1, h2, 0]) + 1));
                alpha = flags & 0x10 != 0;
                extended = true;
            }
            b"VP8 " if stored.is_none() && length >= 10 => {
                let header = take(reader, 10);
                skip -= 10;
                let [_, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1] = header[..] else {
                    return Err(damaged(format, "its picture data has no start code"));
                };
                let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
                stored = Some((side(w0, w1), side(h0, h1)));
            }
            b"VP8L" if stored.is_none() && length >= 5 => {
                let header = take(reader, 5);
                skip -= 5;
                let [0x2f, b0, b1, b2, b3] = header[..] else {
                    return Err(damaged(format, "its picture data has no start code"));
                };
                let bits = u32::from_le_bytes([b0, b1, b2, b3]);
                stored = Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1));
                alpha = bits >> 28 & 1 == 1;
            }
            b"ANMF" => frames += 1,
            b"EXIF" => {
                orientation = orientation_in(&take(reader, length.min(EXIF_LIMIT)));
                skip -= length.min(EXIF_LIMIT);
            }
            _ => {}
        }
        // A still picture without the extended header has nothing after its data.
        if (stored.is_some() && !extended) || reader.seek_relative(skip as i64).is_err() {
            break;
        }
    }
    let stored = stored.ok_or_else(|| cut(format))?;
    let bytes_of_256 = if alpha { 1024 } else { 768 };
    Ok(Probe { format, file_bytes, stored, orientation, frames: frames.max(1), bytes_of_256, buffered: frames > 0 })
}

pub(super) fn gif<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Probe, Unreadable> {
    let mut header = [0; 13];
    reader.read_exact(&mut header).map_err(|_| cut(Format::Gif))?;
    let side = |at: usize| u32::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let stored = (side(6), side(8));
    Ok(Probe {
        format: Format::Gif,
        file_bytes,
        stored,
        orientation: Orientation::NoTransforms,
        frames: gif_frames(reader, header[10]).unwrap_or(1).max(1),
        bytes_of_256: 1024,
        buffered: true,
    })
}

/// Counts frames by walking the blocks; `None` where the file ends before its trailer.
fn gif_frames<R: Read + Seek>(reader: &mut BufReader<R>, flags: u8) -> Option<u32> {
    let palette = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let skip = |reader: &mut BufReader<R>, bytes: i64| reader.seek_relative(bytes).ok();
    skip(reader, palette(flags))?;
    let mut frames = 0;
    loop {
        match take(reader, 1).first()? {
            0x21 => skip(reader, 1)?,
            0x2c => {
                frames += 1;
                let descriptor = take(reader, 9);
                skip(reader, palette(*descriptor.get(8)?) + 1)?
            }
            _ => return Some(frames),
        };
        loop {
            let Some(length) = take(reader, 1).first().copied() else { return Some(frames) };
            if length == 0 {
                break;
            }
            skip(reader, i64::from(length))?;
        }
    }
}

fn take<R: Read>(reader: &mut R, bytes: u64) -> Vec<u8> {
    let mut taken = Vec::new();
    // What is missing shows in the length.
    let _ = reader.take(bytes).read_to_end(&mut taken);
    taken
}

fn be32(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn cut(format: Format) -> Unreadable {
    Unreadable::Truncated { format, detail: "it ends within its header".to_owned() }
}

fn damaged(format: Format, detail: &str) -> Unreadable {
    Unreadable::Damaged { format, detail: detail.to_owned() }
}
