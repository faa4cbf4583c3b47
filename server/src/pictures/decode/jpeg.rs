//! JPEG.

use std::io::Cursor;

use image::codecs::jpeg::JpegDecoder;

use super::{Decoded, through};
use crate::pictures::{
    probe::{Format, Probe},
    unreadable::Unreadable,
};

pub(super) fn decode(bytes: &[u8], probe: &Probe) -> Result<Decoded, Unreadable> {
    // The decoder fills up what is missing with grey: nobody may approve that.
    if !bytes.windows(2).any(|pair| pair == [0xff, 0xd9]) {
        let detail = "its end is missing".to_owned();
        return Err(Unreadable::Truncated { format: Format::Jpeg, detail });
    }
    through(probe, JpegDecoder::new(Cursor::new(bytes)))
}
