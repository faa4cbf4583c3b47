//! The header of a JPEG: marker segments up to the first scan.

use std::io::{BufReader, Read, Seek};

use image::metadata::Orientation;

use super::{Format, PROFILE_LIMIT, Probe, Unreadable, orientation_in};

/// What a segment with a part of a colour profile begins with.
const ICC: &[u8] = b"ICC_PROFILE\0";

pub(super) fn header<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Probe, Unreadable> {
    let (mut orientation, mut profile, mut found) = (None, 0, None);
    let mut two = [0; 2];
    read(reader, &mut two)?;
    // Whatever comes before the first scan belongs to the header, even behind the description of the frame.
    while let Some(marker) = following(next_marker(reader), &found)? {
        if matches!(marker, 0x01 | 0xd0..=0xd8) {
            continue;
        }
        if matches!(marker, 0xd9 | 0xda) {
            break;
        }
        read(reader, &mut two)?;
        let Some(length) = u16::from_be_bytes(two).checked_sub(2) else {
            return Err(damaged("a segment has an impossible length"));
        };
        match marker {
            // The tables of Huffman codes and of arithmetic coding share the range with the frame headers.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) && found.is_none() => {
                let (probe, taken) = frame(reader, marker, length, file_bytes)?;
                found = Some(probe);
                reader.seek_relative(i64::from(length) - taken).map_err(|_| cut())?;
            }
            0xe1 if orientation.is_none() => {
                let mut segment = vec![0; usize::from(length)];
                read(reader, &mut segment)?;
                if segment.starts_with(b"Exif\0") {
                    orientation = Some(orientation_in(&segment));
                }
            }
            0xe2 => {
                let mut name = vec![0; usize::from(length).min(ICC.len())];
                read(reader, &mut name)?;
                if name == ICC {
                    profile += u64::from(length);
                }
                reader.seek_relative(i64::from(length) - name.len() as i64).map_err(|_| cut())?;
            }
            _ => {
                reader.seek_relative(i64::from(length)).map_err(|_| cut())?;
            }
        }
    }
    let probe = found.ok_or_else(|| damaged("the picture data comes before its description"))?;
    let profile = if profile <= PROFILE_LIMIT { profile } else { 0 };
    Ok(Probe { orientation: orientation.unwrap_or(Orientation::NoTransforms), profile, ..probe })
}

/// Behind the description of the frame, a file that ends is the decoder's business.
fn following(marker: Result<u8, Unreadable>, found: &Option<Probe>) -> Result<Option<u8>, Unreadable> {
    match marker {
        Err(_) if found.is_some() => Ok(None),
        marker => marker.map(Some),
    }
}

/// Reads the description of the frame; says how many bytes of it were read.
fn frame<R: Read>(reader: &mut R, marker: u8, length: u16, file_bytes: u64) -> Result<(Probe, i64), Unreadable> {
    let variant = |detail: &str| Unreadable::Variant { format: Format::Jpeg, detail: detail.to_owned() };
    match marker {
        0xc0..=0xc2 => {}
        0xc3 => return Err(variant("lossless coding")),
        0xc9..=0xcb | 0xcd..=0xcf => return Err(variant("arithmetic coding")),
        _ => return Err(variant("hierarchical coding")),
    }
    if length < 6 {
        return Err(damaged("the frame header is too short"));
    }
    let mut header = [0; 6];
    read(reader, &mut header)?;
    let [precision, h1, h0, w1, w0, components] = header;
    if precision != 8 {
        return Err(variant(&format!("{precision} bits a sample")));
    }
    if !matches!(components, 1 | 3 | 4) {
        return Err(variant(&format!("{components} colour components")));
    }
    let mut sampling = vec![0; usize::from(components) * 3];
    read(reader, &mut sampling)?;
    let taken = 6 + sampling.len() as i64;
    let probe = Probe {
        format: Format::Jpeg,
        file_bytes,
        stored: (u32::from(u16::from_be_bytes([w1, w0])), u32::from(u16::from_be_bytes([h1, h0]))),
        orientation: Orientation::NoTransforms,
        frames: 1,
        bytes_of_256: density(&sampling),
        buffered: marker == 0xc2,
        metadata: 0,
        profile: 0,
    };
    Ok((probe, taken))
}

/// Samples of 256 pixels, all colours together.
fn density(components: &[u8]) -> u32 {
    let sampling = components.as_chunks::<3>().0.iter().map(|[_, byte, _]| (byte >> 4, byte & 15));
    let (across, down) = sampling.clone().fold((1, 1), |(a, b), (c, d)| (a.max(c), b.max(d)));
    let all: u32 = sampling.map(|(a, b)| u32::from(a) * u32::from(b)).sum();
    (all * 256).div_ceil(u32::from(across) * u32::from(down)).max(256)
}

/// The next marker's second byte. Bytes between segments are skipped, as every reader does.
fn next_marker<R: Read>(reader: &mut R) -> Result<u8, Unreadable> {
    let mut byte = [0];
    loop {
        read(reader, &mut byte)?;
        if byte[0] != 0xff {
            continue;
        }
        while byte[0] == 0xff {
            read(reader, &mut byte)?;
        }
        if byte[0] != 0 {
            return Ok(byte[0]);
        }
    }
}

fn read<R: Read>(reader: &mut R, buffer: &mut [u8]) -> Result<(), Unreadable> {
    reader.read_exact(buffer).map_err(|_| cut())
}

fn cut() -> Unreadable {
    Unreadable::Truncated { format: Format::Jpeg, detail: "it ends within its header".to_owned() }
}

fn damaged(detail: &str) -> Unreadable {
    Unreadable::Damaged { format: Format::Jpeg, detail: detail.to_owned() }
}
