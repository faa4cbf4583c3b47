//! The header of a WebP: its chunks, and the sizes of the pictures in them.

use std::io::{BufReader, Read, Seek, SeekFrom};

use image::metadata::Orientation;

use super::{EXIF_LIMIT, Format, PROFILE_LIMIT, Probe, Unreadable, orientation_in, take};

/// Bytes of 256 pixels that stay in their planes: colours at half the resolution both ways.
pub(in crate::pictures) const OF_256_IN_PLANES: u32 = 384;

/// Width, height and whether there is alpha.
type Shape = (u32, u32, bool);

pub(super) fn header<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Probe, Unreadable> {
    reader.seek(SeekFrom::Start(12)).map_err(|_| cut())?;
    let (mut canvas, mut extended, mut lossy, mut layered) = (None, false, None, false);
    let (mut orientation, mut frames, mut profile) = (Orientation::NoTransforms, 0, 0);
    let mut chunk = [0; 8];
    while reader.read_exact(&mut chunk).is_ok() {
        let length = u64::from(u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]));
        let mut taken = 0;
        match &chunk[..4] {
            b"VP8X" if canvas.is_none() && length >= 10 => {
                let header = take(reader, 10);
                taken = 10;
                let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = header[..] else { break };
                let side = |low, middle, high| u32::from_le_bytes([low, middle, high, 0]) + 1;
                canvas = Some((side(w0, w1, w2), side(h0, h1, h2), flags & 0x10 != 0));
                extended = true;
            }
            b"VP8 " | b"VP8L" => {
                let header = take(reader, length.min(10));
                taken = header.len() as u64;
                let found = picture(&chunk[..4], &header)?;
                // The first picture is the one that is decoded, whatever stands behind it.
                lossy.get_or_insert(&chunk[..4] == b"VP8 ");
                let (width, height, _) = *canvas.get_or_insert(found);
                // The decoder believes the picture, and the budget what stands before it.
                agree((width, height), found)?;
            }
            b"ANMF" => {
                frames += 1;
                if frames == 1 {
                    taken = first_frame(reader, length)?;
                }
            }
            // The decoder believes this layer even where the header denies it.
            b"ALPH" => layered = true,
            b"ICCP" => profile = if length <= PROFILE_LIMIT { length } else { 0 },
            b"EXIF" => {
                taken = length.min(EXIF_LIMIT);
                orientation = orientation_in(&take(reader, taken));
            }
            _ => {}
        }
        let rest = (length + length % 2).saturating_sub(taken);
        // A still picture without the extended header has nothing after its data.
        if (canvas.is_some() && !extended) || reader.seek_relative(rest as i64).is_err() {
            break;
        }
    }
    let (width, height, alpha) = canvas.ok_or_else(cut)?;
    Ok(Probe {
        format: Format::WebP,
        file_bytes,
        stored: (width, height),
        orientation,
        frames: frames.max(1),
        bytes_of_256: match (alpha || layered, lossy) {
            (true, _) => 1024,
            (false, Some(true)) => OF_256_IN_PLANES,
            (false, _) => 768,
        },
        buffered: frames > 0,
        metadata: 0,
        profile,
    })
}

/// The shape that a picture's data begins with.
fn picture(kind: &[u8], header: &[u8]) -> Result<Shape, Unreadable> {
    match (kind, header) {
        (b"VP8 ", [_, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1, ..]) => {
            let side = |low: &u8, high: &u8| u32::from(u16::from_le_bytes([*low, *high]) & 0x3fff);
            Ok((side(w0, w1), side(h0, h1), false))
        }
        (b"VP8L", [0x2f, b0, b1, b2, b3, ..]) => {
            let bits = u32::from_le_bytes([*b0, *b1, *b2, *b3]);
            Ok(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1, bits >> 28 & 1 == 1))
        }
        (b"VP8 ", [_, _, _, _, _, _, _, _, _, _, ..]) | (b"VP8L", [_, _, _, _, _, ..]) => {
            Err(damaged("its picture data has no start code"))
        }
        _ => Err(cut()),
    }
}

/// Looks into the first frame of an animation, and says how much of it was read. What is not as it should be is left to
/// the decoder, except for a picture of another size than its frame's.
fn first_frame<R: Read + Seek>(reader: &mut BufReader<R>, length: u64) -> Result<u64, Unreadable> {
    let place = take(reader, length.min(16));
    let mut taken = place.len() as u64;
    let [_, _, _, _, _, _, w0, w1, w2, h0, h1, h2, ..] = place[..] else { return Ok(taken) };
    let side = |low, middle, high| u32::from_le_bytes([low, middle, high, 0]) + 1;
    let frame = (side(w0, w1, w2), side(h0, h1, h2));
    while taken + 8 <= length {
        let chunk = take(reader, 8);
        taken += chunk.len() as u64;
        let [kind @ .., b0, b1, b2, b3] = &chunk[..] else { return Ok(taken) };
        let within = u64::from(u32::from_le_bytes([*b0, *b1, *b2, *b3]));
        if matches!(kind, b"VP8 " | b"VP8L") {
            let header = take(reader, within.min(10));
            taken += header.len() as u64;
            agree(frame, picture(kind, &header)?)?;
            return Ok(taken);
        }
        let skip = (within + within % 2).min(length.saturating_sub(taken));
        if reader.seek_relative(skip as i64).is_err() {
            return Ok(taken);
        }
        taken += skip;
    }
    Ok(taken)
}

fn agree(stated: (u32, u32), (width, height, _): Shape) -> Result<(), Unreadable> {
    if stated == (width, height) { Ok(()) } else { Err(damaged("it states two sizes")) }
}

fn cut() -> Unreadable {
    Unreadable::Truncated { format: Format::WebP, detail: "it ends within its header".to_owned() }
}

fn damaged(detail: &str) -> Unreadable {
    Unreadable::Damaged { format: Format::WebP, detail: detail.to_owned() }
}
