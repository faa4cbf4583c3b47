//! TIFF by the crate `image`, and by the crate below it where that one would lose something: inks, which it mixes without
//! regard to any profile, and colours that are stored multiplied by their alpha.

use std::io::{Cursor, ErrorKind};

use image::codecs::tiff::TiffDecoder;
use tiff::{
    ColorType, TiffError,
    decoder::{Decoder, DecodingResult, Limits},
    tags::{ExtraSamples, Tag},
};

use super::{Decoded, Depth, Kept, Layout, Pixels, Profile, Raster, through};
use crate::pictures::{
    probe::{Format, Probe},
    recipe::Fit,
    unreadable::Unreadable,
};

pub(super) fn decode(bytes: &[u8], probe: &Probe, fit: Fit) -> Result<Decoded, Unreadable> {
    let mut limits = Limits::unlimited();
    limits.decoding_buffer_size = usize::try_from(probe.weight(fit)).unwrap_or(usize::MAX);
    limits.intermediate_buffer_size = limits.decoding_buffer_size;
    limits.ifd_value_size = limits.decoding_buffer_size;
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(refusal)?.with_limits(limits);
    if let ColorType::CMYK(8 | 16) = decoder.colortype().map_err(refusal)? {
        return inks(decoder, probe);
    }
    let premultiplied = multiplied(&mut decoder);
    // Its tables are weighed once.
    drop(decoder);
    let mut decoded = through(probe, fit, TiffDecoder::new(Cursor::new(bytes)))?;
    if let Pixels::Packed(raster) = &mut decoded.pixels {
        raster.premultiplied = premultiplied && raster.layout.has_alpha();
    }
    Ok(decoded)
}

/// Whether the sample behind the colours is an alpha that they are multiplied by.
fn multiplied(decoder: &mut Decoder<Cursor<&[u8]>>) -> bool {
    let extra = decoder.find_tag_unsigned_vec::<u16>(Tag::ExtraSamples).ok().flatten();
    extra.is_some_and(|extra| extra.first() == Some(&ExtraSamples::AssociatedAlpha.to_u16()))
}

fn inks(mut decoder: Decoder<Cursor<&[u8]>>, probe: &Probe) -> Result<Decoded, Unreadable> {
    let profile = (probe.profile > 0).then(|| decoder.get_tag_u8_vec(Tag::IccProfile).ok()).flatten();
    let data = match decoder.read_image().map_err(refusal)? {
        DecodingResult::U8(data) => data,
        // Paper knows no more shades.
        DecodingResult::U16(wide) => {
            wide.into_iter().map(|ink| ((u32::from(ink) * 255 + 32_767) / 65_535) as u8).collect()
        }
        _ => return Err(variant("its inks are no whole numbers".to_owned())),
    };
    let (width, height) = probe.stored;
    if data.len() as u64 != probe.pixels() * Layout::Cmyk.channels() as u64 {
        return Err(variant("each of its inks is stored for itself".to_owned()));
    }
    Ok(Decoded {
        pixels: Pixels::Packed(Raster::whole(width, height, Layout::Cmyk, Depth::Eight, data)),
        orientation: probe.orientation,
        profile: profile.map(Profile::Icc),
        kept: Kept::Whole,
        damage: None,
    })
}

fn refusal(error: TiffError) -> Unreadable {
    let format = Format::Tiff;
    match error {
        TiffError::UnsupportedError(error) => variant(error.to_string()),
        TiffError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Unreadable::Truncated { format, detail: "it ends before its picture does".to_owned() }
        }
        error => Unreadable::Damaged { format, detail: error.to_string() },
    }
}

fn variant(detail: String) -> Unreadable {
    Unreadable::Variant { format: Format::Tiff, detail }
}
