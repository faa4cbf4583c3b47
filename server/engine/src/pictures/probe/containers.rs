//! The headers of PNG and GIF: chunks and blocks, walked by seeking over what they hold.

use std::io::{BufReader, Read, Seek};

use image::metadata::Orientation;

use super::{EXIF_LIMIT, Format, Probe, Unreadable, orientation_in, take};

/// A larger profile of a PNG counts as none: only one for inks is that large, and PNG has no inks.
const PROFILE_LIMIT: u64 = 1 << 20;
/// How many bytes one compressed byte can become.
const DEFLATED_MOST: u64 = 1032;

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
    let mut pixels = false;
    let (mut metadata, mut profile) = (0, 0);
    let mut chunk = [0; 8];
    // A file that ends early is found by the decoder, which can say how much is missing.
    while reader.read_exact(&mut chunk).is_ok() {
        let length = u64::from(be32(&chunk[..4]));
        let mut skip = length + 4;
        match &chunk[4..] {
            b"IDAT" => pixels = true,
            // Behind the pixels no browser looks for it, and a tile turned otherwise than its original is worse than both.
            b"eXIf" if pixels => metadata += length,
            b"eXIf" => {
                metadata += length;
                orientation = orientation_in(&take(reader, length.min(EXIF_LIMIT)));
                skip -= length.min(EXIF_LIMIT);
            }
            b"acTL" if length == 8 => {
                let control = take(reader, 8);
                frames = control.get(..4).map_or(1, be32).max(1);
                skip -= 8;
            }
            b"tRNS" => transparent = true,
            b"iCCP" => {
                metadata += length;
                profile = (length * DEFLATED_MOST).min(PROFILE_LIMIT);
            }
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
        // The decoder keeps them in a buffer that grows by doubling, and a copy.
        metadata: metadata * 3,
        profile,
    })
}

pub(super) fn gif<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Probe, Unreadable> {
    let mut header = [0; 13];
    reader.read_exact(&mut header).map_err(|_| cut(Format::Gif))?;
    let side = |at: usize| u32::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let stored = (side(6), side(8));
    let (mut frames, mut first) = (0, 0);
    // Where the file ends early, those before count.
    let _ = gif_frames(reader, header[10], |pixels| {
        if frames == 0 {
            first = pixels;
        }
        frames += 1;
    });
    Ok(Probe {
        format: Format::Gif,
        file_bytes,
        stored,
        orientation: Orientation::NoTransforms,
        frames: frames.max(1),
        bytes_of_256: 1024,
        buffered: true,
        // The decoder unpacks a frame whole, however little of it lies on the canvas: its indices and its colours.
        metadata: first * 5,
        profile: 0,
    })
}

/// Walks the blocks and tells the pixels of each frame; `None` where the file ends before its trailer.
fn gif_frames<R: Read + Seek>(reader: &mut BufReader<R>, flags: u8, mut frame: impl FnMut(u64)) -> Option<()> {
    let palette = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let skip = |reader: &mut BufReader<R>, bytes: i64| reader.seek_relative(bytes).ok();
    skip(reader, palette(flags))?;
    let mut byte = [0];
    loop {
        reader.read_exact(&mut byte).ok()?;
        match byte {
            [0x21] => skip(reader, 1)?,
            [0x2c] => {
                let descriptor: [u8; 9] = take(reader, 9).try_into().ok()?;
                let side = |at: usize| u64::from(u16::from_le_bytes([descriptor[at], descriptor[at + 1]]));
                frame(side(4) * side(6));
                skip(reader, palette(descriptor[8]) + 1)?
            }
            _ => return Some(()),
        };
        loop {
            if reader.read_exact(&mut byte).is_err() {
                return Some(());
            }
            if byte == [0] {
                break;
            }
            skip(reader, i64::from(byte[0]))?;
        }
    }
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
