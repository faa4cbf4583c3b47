//! Small pictures, drawn and encoded on the spot for the tests of this room.

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage,
    codecs::{jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
};

use super::{
    Limits, Probe, Unreadable,
    decode::{Decoded, Pixels, Raster},
    recipe::Fit,
};

/// The fit of a tile.
pub(super) const TILE: Fit = Fit::Inside { width: 440, height: 440 };

/// Red at the top left, green at the top right, blue at the bottom left, white at the bottom right.
pub(super) fn quarters(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x * 2 < width, y * 2 < height) {
        (true, true) => Rgb([220, 20, 20]),
        (false, true) => Rgb([20, 200, 20]),
        (true, false) => Rgb([20, 20, 220]),
        (false, false) => Rgb([240, 240, 240]),
    })
}

/// Something with edges and gradients, like a photograph.
pub(super) fn scene(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let wave = |period: u32, shift: u32| {
            let phase = (x * 3 + y * 2 + shift) % period;
            (255 * phase.min(period - phase) * 2 / period).min(255) as u8
        };
        Rgb([wave(97, 0), wave(61, 20), wave(143, 70)])
    })
}

pub(super) fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(super) fn jpeg(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 90).encode_image(picture).unwrap();
    bytes
}

/// A picture of `format` that carries an EXIF orientation.
pub(super) fn oriented(picture: &RgbImage, format: ImageFormat, orientation: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (width, height) = picture.dimensions();
    let exif = exif(orientation);
    let colour = ExtendedColorType::Rgb8;
    match format {
        ImageFormat::Jpeg => {
            let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.write_image(picture, width, height, colour).unwrap();
        }
        ImageFormat::Png => {
            let mut encoder = PngEncoder::new(&mut bytes);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.write_image(picture, width, height, colour).unwrap();
        }
        _ => {
            let mut encoder = WebPEncoder::new_lossless(&mut bytes);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.write_image(picture, width, height, colour).unwrap();
        }
    }
    bytes
}

fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    exif
}

/// A soft red disc on nothing; what is transparent is black underneath, as many a painting program leaves it.
pub(super) fn disc(side: u32) -> RgbaImage {
    RgbaImage::from_fn(side, side, |x, y| {
        let centre = side as f32 / 2.0;
        let distance = (x as f32 - centre).hypot(y as f32 - centre);
        let alpha = ((centre * 0.8 - distance) * 8.0).clamp(0.0, 255.0) as u8;
        if alpha == 0 { Rgba([0; 4]) } else { Rgba([255, 0, 0, alpha]) }
    })
}

/// A PNG of the given header fields and chunks, its rows not compressed; checksums are right.
pub(super) fn png(header: [u8; 13], chunks: &[(&[u8; 4], Vec<u8>)], rows: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8; 4], data: &[u8]| {
        file.extend((data.len() as u32).to_be_bytes());
        let body: Vec<u8> = name.iter().chain(data).copied().collect();
        file.extend(&body);
        file.extend(crc32(&body).to_be_bytes());
    };
    chunk(b"IHDR", &header);
    for (name, data) in chunks {
        chunk(name, data);
    }
    chunk(b"IDAT", &stored(rows));
    chunk(b"IEND", &[]);
    file
}

/// The header of a PNG that is not interlaced.
pub(super) fn png_header(width: u32, height: u32, depth: u8, colour: u8) -> [u8; 13] {
    let mut header = [0; 13];
    header[..4].copy_from_slice(&width.to_be_bytes());
    header[4..8].copy_from_slice(&height.to_be_bytes());
    header[8..10].copy_from_slice(&[depth, colour]);
    header
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks: Vec<&[u8]> = data.chunks(65_535).collect();
    for (at, block) in blocks.iter().enumerate() {
        let length = block.len() as u16;
        stream.push(u8::from(at + 1 == blocks.len()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(*block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Unreadable> {
    Probe::of(bytes, &Limits::default())
}

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Unreadable> {
    super::decode::decode(bytes, &probe(bytes)?, TILE)
}

/// The pixels of a WebP or PNG that this room has made, as any reader sees them.
pub(super) fn seen(rendition: &[u8]) -> RgbaImage {
    image::load_from_memory(rendition).unwrap().into_rgba8()
}

/// The pixels of a format that is decoded in one piece.
pub(super) fn raster(bytes: &[u8]) -> Raster {
    match decode(bytes).unwrap().pixels {
        Pixels::Packed(raster) => raster,
        Pixels::Planes(_) => panic!("a JPEG comes in planes"),
    }
}
