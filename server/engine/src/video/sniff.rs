//! Tells a video by its first bytes.

use std::fmt;

/// How much of a file's beginning decides whether it is a video.
pub const HEAD: usize = 256;

/// What holds the pictures and the sound together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    Mp4,
    WebM,
}

/// Brands of pictures in the same boxes.
const PICTURES: [&[u8; 4]; 10] =
    [b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"];

impl Container {
    /// What the first bytes of a file say; none where it is no video, or one of another kind.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [a, b, c, d, b'f', b't', b'y', b'p', ..] => {
                let listed = usize::try_from(u32::from_be_bytes([*a, *b, *c, *d])).ok()?.clamp(16, head.len().max(16));
                let brands = head.get(8..listed.min(head.len()))?.as_chunks::<4>().0;
                let picture = brands.iter().any(|brand| PICTURES.contains(&brand));
                (!picture && brands.iter().any(is_mp4)).then_some(Self::Mp4)
            }
            [0x1a, 0x45, 0xdf, 0xa3, rest @ ..] => (doc_type(rest)? == b"webm").then_some(Self::WebM),
            _ => None,
        }
    }

    /// The media type to serve an original of this kind with.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Mp4 => "video/mp4",
            Self::WebM => "video/webm",
        }
    }

    /// What ffmpeg calls the one demuxer that may read it.
    pub(super) const fn demuxer(self) -> &'static str {
        match self {
            Self::Mp4 => "mov",
            Self::WebM => "matroska",
        }
    }

    /// Whether browsers play pictures that are coded so, from this container.
    pub(super) fn plays(self, codec: &str) -> bool {
        match self {
            Self::Mp4 => matches!(codec, "h264" | "vp9" | "av1"),
            Self::WebM => matches!(codec, "vp8" | "vp9" | "av1"),
        }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mp4 => "MP4",
            Self::WebM => "WebM",
        })
    }
}

fn is_mp4(brand: &[u8; 4]) -> bool {
    matches!(brand, b"isom" | b"mp41" | b"mp42" | b"avc1" | b"M4V " | b"dash" | b"mmp4" | b"MSNV" | b"f4v ")
        || (brand.starts_with(b"iso") && brand[3].is_ascii_digit())
}

/// The kind of an EBML file, as its header has it. `rest` begins with the size of the header.
fn doc_type(rest: &[u8]) -> Option<&[u8]> {
    let (size, mut at) = number(rest)?;
    let end = at.checked_add(usize::try_from(size).ok()?)?.min(rest.len());
    while at + 2 < end {
        // Every element of this header has an id of one or two bytes; of one, where its first bit is set.
        let wide = rest[at] & 0x80 == 0;
        let id = if wide { u16::from_be_bytes([rest[at], rest[at + 1]]) } else { u16::from(rest[at]) };
        at += if wide { 2 } else { 1 };
        let (size, used) = number(rest.get(at..end)?)?;
        at += used;
        let content = rest.get(at..at.checked_add(usize::try_from(size).ok()?)?)?;
        if id == 0x4282 {
            let length = content.iter().position(|byte| *byte == 0).unwrap_or(content.len());
            return content.get(..length);
        }
        at += content.len();
    }
    None
}

/// A number of EBML, and how many bytes it takes. All bits set: unknown, which is the largest there is.
pub(super) fn number(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let length = first.leading_zeros() as usize + 1;
    let bytes = bytes.get(..length).filter(|_| length <= 8)?;
    let bits = 7 * length as u32;
    let value = bytes.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte)) & ((1 << bits) - 1);
    Some((if value == (1 << bits) - 1 { u64::MAX } else { value }, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ftyp(brands: &[&[u8; 4]]) -> Vec<u8> {
        let size = 8 + 4 * (brands.len() + 1) as u32;
        let mut head = [&size.to_be_bytes()[..], b"ftyp", brands[0], b"\0\0\x02\0"].concat();
        head.extend(brands[1..].iter().flat_map(|brand| **brand));
        head.extend(b"\0\0\0\x08free");
        head
    }

    fn ebml(kind: &[u8]) -> Vec<u8> {
        let fields = [&[0x42, 0x86, 0x81, 1, 0xec, 0x82, 0, 0, 0x42, 0x82, 0x80 | kind.len() as u8][..], kind].concat();
        [&[0x1a, 0x45, 0xdf, 0xa3, 0x80 | fields.len() as u8][..], &fields, &[0x18, 0x53, 0x80, 0x67]].concat()
    }

    #[test]
    fn a_video_is_told_by_its_brands() {
        for brands in [&[b"isom", b"iso2", b"avc1"][..], &[b"mp42", b"mp41"], &[b"XXXX", b"iso6"], &[b"dash"]] {
            assert_eq!(Container::of(&ftyp(brands)), Some(Container::Mp4), "{brands:?}");
        }
        for brands in [&[b"avif", b"mif1", b"isom"][..], &[b"heic", b"mif1"], &[b"qt  "], &[b"M4A "], &[b"XXXX"]] {
            assert_eq!(Container::of(&ftyp(brands)), None, "{brands:?}");
        }
        assert_eq!(Container::of(b"\0\0\0\x10ftypisom"), Some(Container::Mp4));
        assert_eq!(Container::of(b"\0\0\0\x10ftyp"), None);
    }

    #[test]
    fn webm_is_told_from_its_larger_family() {
        assert_eq!(Container::of(&ebml(b"webm")), Some(Container::WebM));
        assert_eq!(Container::of(&ebml(b"webm\0\0")), Some(Container::WebM));
        assert_eq!(Container::of(&ebml(b"matroska")), None);
        for cut in 0..ebml(b"webm").len() - 4 {
            assert_eq!(Container::of(&ebml(b"webm")[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn noise_behind_a_signature_is_no_video_and_no_panic() {
        let mut noise = 7_u32;
        for _ in 0..20_000 {
            let mut head: Vec<u8> = (0..40)
                .map(|_| {
                    noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (noise >> 24) as u8
                })
                .collect();
            head[..4].copy_from_slice(&[0x1a, 0x45, 0xdf, 0xa3]);
            let _ = Container::of(&head);
            head[4..8].copy_from_slice(b"ftyp");
            let _ = Container::of(&head);
        }
    }
}
