//! JPEG, decoded no further than a rendition needs: at an eighth, a quarter, a half or the whole of its size.
//!
//! Written here because the thumbnail's time is spent here, and because of what import has to know: how much of the
//! picture is really in the file. Every entropy-coded bit is read at every scale; only the transform is cut short. The
//! colours stay as they are stored, each in its own plane and at its own resolution, until they are small.

mod bits;
mod frame;
mod huffman;
mod idct;
mod progressive;
mod sequential;

use self::frame::{Component, Frame, Tables};
pub(in crate::pictures) use self::idct::Scale;
use super::{Decoded, Kept, Pixels, Profile};
use crate::pictures::{
    probe::{Format, Probe},
    recipe::Fit,
    unreadable::Unreadable,
};

/// A picture with this share of itself missing (one in so many units) is let in, marked as damaged.
const BEARABLE: u64 = 50;

/// Every scan goes over the whole picture, however little it says: whoever writes each bit of each coefficient by itself
/// needs fewer.
const MOST_SCANS: u32 = 256;

/// What the planes of a picture mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pictures) enum Colours {
    Grey,
    Rgb,
    YCbCr,
    /// The same with less than the full range of a byte.
    YCbCrOfVideo,
    /// Ink, where 255 is none of it, whether Adobe says so or nobody.
    Cmyk,
    /// Like YCbCr of inverted ink, with the black beside it.
    Ycck,
}

/// A picture in planes, made smaller by its scale.
#[derive(Debug)]
pub(in crate::pictures) struct Planes {
    /// Of the whole picture, as stored.
    pub(in crate::pictures) width: u32,
    pub(in crate::pictures) height: u32,
    pub(in crate::pictures) colours: Colours,
    pub(in crate::pictures) planes: Vec<Plane>,
}

/// One colour of a picture.
#[derive(Debug)]
pub(in crate::pictures) struct Plane {
    pub(in crate::pictures) samples: Vec<u8>,
    pub(in crate::pictures) stride: u32,
    /// How many samples stand for one pixel of the picture, across and down.
    pub(in crate::pictures) density: (f64, f64),
}

/// What is wrong with the structure of a file.
#[derive(Debug)]
struct Broken(&'static str);

/// How much of a scan could be decoded.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    units: u64,
    lost: u64,
}

/// Decodes for a rendition of the given fit.
pub(super) fn decode(bytes: &[u8], probe: &Probe, fit: Fit) -> Result<Decoded, Unreadable> {
    let damaged = |detail: &str| Unreadable::Damaged { format: Format::Jpeg, detail: detail.to_owned() };
    let picture = read(bytes, probe.as_stored(fit)).map_err(|Broken(detail)| damaged(detail))?;
    let Picture { mut frame, mut tables, lost, ended } = picture;
    if (frame.width, frame.height) != probe.stored {
        return Err(damaged("it states two sizes"));
    }
    let damage = assess(&frame, lost, ended)?;
    if frame.progressive {
        progressive::finish(&mut frame);
    }
    let profile = tables.whole_profile(probe.profile).map(Profile::Icc);
    let colours = colours(&frame, &tables);
    let planes = planes(frame, colours);
    let pixels = Pixels::Planes(planes);
    Ok(Decoded { pixels, orientation: probe.orientation, profile, kept: Kept::AsJpeg, damage })
}

struct Picture<'a> {
    frame: Frame,
    tables: Tables<'a>,
    /// Of the scan that lost most.
    lost: Progress,
    /// Whether the file says that it ends here.
    ended: bool,
}

fn read(bytes: &[u8], fit: Fit) -> Result<Picture<'_>, Broken> {
    let mut tables = Tables::default();
    let mut frame: Option<Frame> = None;
    let mut lost = Progress::default();
    let mut scans = 0;
    let mut at = 2;
    let ended = loop {
        let Some(marker) = marker(bytes, &mut at) else { break false };
        if matches!(marker, 0x01 | 0xd0..=0xd8) {
            continue;
        }
        if marker == 0xd9 {
            break true;
        }
        let Some(segment) = segment(bytes, &mut at) else { break false };
        match (marker, &mut frame) {
            (0xc0..=0xc2, None) => {
                let scale = |width, height| {
                    let (least, from) = fit.least(width, height);
                    Scale::for_at_least(least, from)
                };
                frame = Some(Frame::read(marker, segment, scale)?);
            }
            (0xc0..=0xc2, Some(_)) => return Err(Broken("there are two frames in it")),
            (0xda, None) => return Err(Broken("the picture data comes before its description")),
            (0xda, Some(frame)) => {
                scans += 1;
                if scans > MOST_SCANS {
                    return Err(Broken("it has more layers than a picture can need"));
                }
                let scan = frame.scan(segment, &tables)?;
                let decode = if frame.progressive { progressive::scan } else { sequential::scan };
                let (end, progress) = decode(bytes, at, frame, &scan, &tables)?;
                at = end;
                if progress.lost * lost.units.max(1) > lost.lost * progress.units || lost.units == 0 {
                    lost = progress;
                }
                for index in scan.components {
                    frame.components[index].seen = true;
                }
            }
            _ => tables.read(marker, segment)?,
        }
    };
    Ok(Picture { frame: frame.ok_or(Broken("there is no picture in it"))?, tables, lost, ended })
}

/// What is wrong with a picture, if it can still be shown.
fn assess(frame: &Frame, lost: Progress, ended: bool) -> Result<Option<String>, Unreadable> {
    let cut = |detail: String| Unreadable::Truncated { format: Format::Jpeg, detail };
    let unseen = |component: &Component| !component.seen;
    let unfinished = |component: &Component| component.kept.as_ref().is_some_and(|kept| !kept.complete());
    if frame.components.iter().any(unseen) || (!ended && frame.components.iter().any(unfinished)) {
        return Err(cut("it ends before its last layer".to_owned()));
    }
    if lost.lost == 0 {
        return Ok(None);
    }
    let percent = (lost.lost * 100).div_ceil(lost.units.max(1));
    if lost.lost * BEARABLE > lost.units {
        return Err(cut(format!("{percent} % of its picture data are missing or broken")));
    }
    Ok(Some(format!("{percent} % of the picture data are missing or broken")))
}

/// The next marker's second byte, and past it.
fn marker(bytes: &[u8], at: &mut usize) -> Option<u8> {
    loop {
        match bytes.get(*at..)? {
            [0xff, 0xff, ..] => *at += 1,
            [0xff, marker, ..] if *marker != 0 => {
                *at += 2;
                return Some(*marker);
            }
            [] => return None,
            _ => *at += 1,
        }
    }
}

/// A segment without its length, and past it.
fn segment<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a [u8]> {
    let length = bytes.get(*at..)?.first_chunk::<2>()?;
    let end = *at + usize::from(u16::from_be_bytes(*length)).max(2);
    let segment = bytes.get(*at + 2..end)?;
    *at = end;
    Some(segment)
}

/// What the planes mean, by the rules that every reader follows.
fn colours(frame: &Frame, tables: &Tables<'_>) -> Colours {
    match (frame.components.len(), tables.adobe) {
        (1, _) => Colours::Grey,
        (3, Some(0)) => Colours::Rgb,
        (3, None) if !tables.jfif && frame.named(*b"RGB") => Colours::Rgb,
        (3, _) => Colours::YCbCr,
        (_, Some(2)) => Colours::Ycck,
        (_, _) => Colours::Cmyk,
    }
}

fn planes(frame: Frame, colours: Colours) -> Planes {
    let most = frame.components.iter().fold((1, 1), |(a, b), one| (a.max(one.across), b.max(one.down)));
    let side = frame.scale.side() as f64 / 8.0;
    let plane = |component: Component| Plane {
        density: (
            side * f64::from(component.across) / f64::from(most.0),
            side * f64::from(component.down) / f64::from(most.1),
        ),
        stride: component.stride as u32,
        samples: component.plane,
    };
    let planes = frame.components.into_iter().map(plane).collect();
    Planes { width: frame.width, height: frame.height, colours, planes }
}

#[cfg(test)]
mod tests;
