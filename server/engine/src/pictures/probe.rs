//! What a file says about itself in its header: format, size, orientation, frames. Decodes no pixel.

mod containers;
mod jpeg;
mod sniff;
mod tiff;
mod webp;

use std::{
    fmt,
    io::{self, BufReader, Cursor, Read, Seek, SeekFrom},
};

use image::{ImageDecoder, codecs::bmp::BmpDecoder, codecs::tiff::TiffDecoder, metadata::Orientation};

pub(super) use self::webp::OF_256_IN_PLANES;
use super::{limits::Limits, recipe::Fit, unreadable::Unreadable, weight};

/// Metadata larger than this is not looked at: an orientation takes a few dozen bytes.
const EXIF_LIMIT: u64 = 1 << 20;
/// A larger colour profile counts as none. The largest in use, for inks, have about two megabytes.
const PROFILE_LIMIT: u64 = 4 << 20;

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Jpeg,
    Png,
    WebP,
    Gif,
    Tiff,
    Bmp,
}

impl Format {
    /// The media type to serve an original of this format with.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
            Self::Tiff => "image/tiff",
            Self::Bmp => "image/bmp",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Gif => "GIF",
            Self::Tiff => "TIFF",
            Self::Bmp => "BMP",
        })
    }
}

/// What the header promises. Sizes are as stored; [`Probe::width`] and [`Probe::height`] are as displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub format: Format,
    /// Bytes of the file.
    pub(super) file_bytes: u64,
    pub(super) stored: (u32, u32),
    pub(super) orientation: Orientation,
    /// Of an animation; 1 for a still picture.
    pub frames: u32,
    /// Bytes that 256 decoded pixels take: with colours at a lower resolution, one alone takes no whole number.
    pub(super) bytes_of_256: u32,
    /// Whether the decoder has to keep the whole picture in a second form: progressive, interlaced, composed.
    pub(super) buffered: bool,
    /// Bytes that the decoder keeps beside the pixels: metadata that it cannot pass over, tables of places.
    pub(super) metadata: u64,
    /// Bytes of the colour profile; 0 for none, and for one that is too large to be used.
    pub(super) profile: u64,
}

impl Probe {
    /// Reads the header of a file of any length, in a few kilobytes of memory.
    pub fn read<R: Read + Seek>(reader: &mut R, limits: &Limits) -> Result<Result<Self, Unreadable>, io::Error> {
        let file_bytes = reader.seek(SeekFrom::End(0))?;
        reader.rewind()?;
        let mut head = Vec::with_capacity(sniff::HEAD);
        reader.by_ref().take(sniff::HEAD as u64).read_to_end(&mut head)?;
        reader.rewind()?;
        let mut reader = BufReader::new(reader);
        let probe = sniff::format(&head).and_then(|format| match format {
            Format::Jpeg => jpeg::header(&mut reader, file_bytes),
            Format::Png => containers::png(&mut reader, file_bytes),
            Format::WebP => webp::header(&mut reader, file_bytes),
            Format::Gif => containers::gif(&mut reader, file_bytes),
            Format::Tiff => tiff::directory(&mut reader, file_bytes).and_then(|directory| {
                let probe = through(Format::Tiff, file_bytes, || TiffDecoder::new(&mut reader))?;
                Ok(Self { metadata: directory.tables, profile: directory.profile, ..probe })
            }),
            Format::Bmp => through(Format::Bmp, file_bytes, || BmpDecoder::new(&mut reader)),
        });
        Ok(probe.and_then(|probe| probe.within(limits)))
    }

    /// Reads the header of a file in memory.
    pub fn of(bytes: &[u8], limits: &Limits) -> Result<Self, Unreadable> {
        // A cursor over memory does not fail.
        Self::read(&mut Cursor::new(bytes), limits).unwrap_or(Err(Unreadable::Empty))
    }

    /// What is expected of a picture that ffmpeg takes from a video: a PNG whose pixels compress to nothing less.
    pub(super) fn of_video_frame(width: u32, height: u32) -> Self {
        let rows = u64::from(height) * (u64::from(width) * 3 + 1);
        Self {
            format: Format::Png,
            file_bytes: rows + rows / 100 + (64 << 10),
            stored: (width, height),
            orientation: Orientation::NoTransforms,
            frames: 1,
            bytes_of_256: 768,
            buffered: false,
            metadata: 0,
            profile: 0,
        }
    }

    /// Pixels across, as displayed.
    pub fn width(&self) -> u32 {
        if self.turned() { self.stored.1 } else { self.stored.0 }
    }

    /// Pixels down, as displayed.
    pub fn height(&self) -> u32 {
        if self.turned() { self.stored.0 } else { self.stored.1 }
    }

    /// Whether the picture moves.
    pub fn animated(&self) -> bool {
        self.frames > 1
    }

    /// Bytes that reading, decoding and rendering to `fit` hold together at their peak: never less than they take.
    pub(super) fn weight(&self, fit: Fit) -> u64 {
        weight::of(self, fit)
    }

    /// A fit as it applies to the pixels before they are turned.
    pub(super) fn as_stored(&self, fit: Fit) -> Fit {
        if self.turned() { fit.turned() } else { fit }
    }

    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.stored.0) * u64::from(self.stored.1)
    }

    fn turned(&self) -> bool {
        turned(self.orientation)
    }

    fn within(self, limits: &Limits) -> Result<Self, Unreadable> {
        let (width, height) = self.stored;
        if width == 0 || height == 0 {
            return Err(Unreadable::Damaged { format: self.format, detail: "it has no pixels".to_owned() });
        }
        if self.pixels() > limits.pixels {
            return Err(Unreadable::TooManyPixels { width, height, limit: limits.pixels });
        }
        Ok(self)
    }
}

/// Whether an orientation swaps width and height.
pub(super) fn turned(orientation: Orientation) -> bool {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    matches!(orientation, Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH)
}

/// The orientation in an EXIF block, with or without the `Exif` prefix that some writers put before it.
fn orientation_in(exif: &[u8]) -> Orientation {
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    Orientation::from_exif_chunk(tiff).unwrap_or(Orientation::NoTransforms)
}

fn take<R: Read>(reader: &mut R, bytes: u64) -> Vec<u8> {
    let mut taken = Vec::new();
    // What is missing shows in the length.
    let _ = reader.take(bytes).read_to_end(&mut taken);
    taken
}

fn through<D: ImageDecoder>(
    format: Format,
    file_bytes: u64,
    open: impl FnOnce() -> image::ImageResult<D>,
) -> Result<Probe, Unreadable> {
    let mut decoder = open().map_err(|error| super::decode::refusal(format, error))?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    // As it is stored, where that is more: four inks become three colours.
    let bits =
        u32::from(decoder.color_type().bits_per_pixel()).max(decoder.original_color_type().bits_per_pixel().into());
    let bytes_of_256 = bits * 32;
    Ok(Probe {
        format,
        file_bytes,
        stored: decoder.dimensions(),
        orientation,
        frames: 1,
        bytes_of_256,
        buffered: format == Format::Tiff,
        metadata: 0,
        profile: 0,
    })
}

#[cfg(test)]
mod tests;
