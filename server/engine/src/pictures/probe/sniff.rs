//! Tells a format by its first bytes, and names what is not read.

use super::{Format, Unreadable};

/// How much of a file's beginning decides what it is.
pub(super) const HEAD: usize = 1024;

const HEIC: Unreadable = Unreadable::Unsupported {
    what: "HEIC",
    hint: "convert it to JPEG first (on an iPhone choose \"Most Compatible\" under Camera > Formats; elsewhere: \
           heif-convert picture.heic picture.jpg)",
};
const AVIF: Unreadable = Unreadable::Unsupported {
    what: "AVIF",
    hint: "convert it to WebP or PNG first (avifdec picture.avif picture.png)",
};
const JXL: Unreadable =
    Unreadable::Unsupported { what: "JPEG XL", hint: "convert it to JPEG or PNG first (djxl picture.jxl picture.png)" };
const SVG: Unreadable = Unreadable::Unsupported {
    what: "SVG",
    hint: "it is a drawing that can carry scripts; export it as PNG in the size that is wanted",
};

const QUICKTIME: Unreadable = Unreadable::Unsupported {
    what: "QuickTime (MOV)",
    hint: "convert it to MP4 first (ffmpeg -i video.mov -c:v libx264 -pix_fmt yuv420p video.mp4)",
};
const MATROSKA: Unreadable = Unreadable::Unsupported {
    what: "Matroska (MKV)",
    hint: "convert it to MP4 or WebM first (ffmpeg -i video.mkv -c:v libx264 -pix_fmt yuv420p video.mp4)",
};

/// What the first bytes of a file say it is.
pub(super) fn format(head: &[u8]) -> Result<Format, Unreadable> {
    match head {
        [] => Err(Unreadable::Empty),
        [0xff, 0xd8, 0xff, ..] => Ok(Format::Jpeg),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Ok(Format::Png),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(Format::WebP),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Ok(Format::Gif),
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Ok(Format::Tiff),
        // The letters alone begin many a text: the header's own size has to be one that exists.
        [b'B', b'M', _, _, _, _, _, _, _, _, _, _, _, _, 12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0, ..] => {
            Ok(Format::Bmp)
        }
        [0xff, 0x0a, ..] | [0, 0, 0, 12, b'J', b'X', b'L', b' ', ..] => Err(JXL),
        [_, _, _, _, b'f', b't', b'y', b'p', brands @ ..] => Err(boxed(head, brands)),
        [b'%', b'P', b'D', b'F', ..] => Err(Unreadable::NotAPicture { what: "a PDF" }),
        [b'P', b'K', 3 | 5, ..] => Err(Unreadable::NotAPicture { what: "a ZIP archive" }),
        // WebM itself never comes here.
        [0x1a, 0x45, 0xdf, 0xa3, ..] => Err(MATROSKA),
        [b'8', b'B', b'P', b'S', ..] => {
            Err(Unreadable::Unsupported { what: "Photoshop (PSD)", hint: "export it as PNG or JPEG" })
        }
        _ => Err(other(head)),
    }
}

/// The family of files made of ISO boxes: pictures and videos tell themselves apart by their brands.
fn boxed(head: &[u8], brands: &[u8]) -> Unreadable {
    let listed = brands.len().min(usize::from(head[3]).max(12) - 8);
    let any = |names: &[&[u8; 4]]| {
        brands[..listed].chunks_exact(4).any(|brand| names.iter().any(|name| brand == name.as_slice()))
    };
    if any(&[b"avif", b"avis"]) {
        AVIF
    } else if any(&[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"]) {
        HEIC
    } else if any(&[b"qt  "]) {
        QUICKTIME
    } else {
        Unreadable::NotAPicture { what: "a sound or a video of an unknown kind" }
    }
}

fn other(head: &[u8]) -> Unreadable {
    if head.iter().all(|byte| *byte == 0) {
        return Unreadable::NotAPicture { what: "a file of zeros" };
    }
    // The head may end in the middle of a letter.
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        Err(_) => return Unreadable::NotAPicture { what: "an unknown kind of file" },
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("<svg") || (text.starts_with('<') && text.contains("<svg")) {
        SVG
    } else if text.chars().any(|letter| letter.is_control() && !letter.is_whitespace()) {
        Unreadable::NotAPicture { what: "an unknown kind of file" }
    } else {
        Unreadable::NotAPicture { what: "a text" }
    }
}
