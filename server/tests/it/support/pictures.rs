//! Small pictures that differ from each other, drawn by the tests themselves.

use std::{fs, io::Cursor, ops::Range, path::Path};

use image::{ImageFormat, Rgba, RgbaImage};

/// What a test picture is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) format: ImageFormat,
    /// Pictures of different seeds differ in every pixel.
    pub(crate) seed: u32,
}

/// The bytes of a picture file.
pub(crate) fn picture(look: Look) -> Vec<u8> {
    let [red, green, blue, _] = look.seed.wrapping_mul(2_654_435_761).to_le_bytes();
    let pixels = RgbaImage::from_fn(look.width, look.height, |x, y| {
        let wave = ((x / 8) ^ (y / 8)) as u8;
        Rgba([red.wrapping_add(wave), green.wrapping_sub(wave), blue ^ wave, 255])
    });
    let picture = image::DynamicImage::ImageRgba8(pixels);
    // JPEG has no transparency.
    let picture = if look.format == ImageFormat::Jpeg { picture.to_rgb8().into() } else { picture };
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, look.format).unwrap();
    bytes.into_inner()
}

/// Writes a picture for each seed, of mixed formats and sizes, into a folder.
pub(crate) fn write_pictures(folder: &Path, seeds: Range<u32>) {
    fs::create_dir_all(folder).unwrap();
    for seed in seeds {
        let (format, ending) =
            [(ImageFormat::Png, "png"), (ImageFormat::Jpeg, "jpg"), (ImageFormat::WebP, "webp")][seed as usize % 3];
        let look = Look { width: 600 + seed % 7 * 100, height: 512 + seed % 5 * 64, format, seed };
        fs::write(folder.join(format!("{seed:04}.{ending}")), picture(look)).unwrap();
    }
}
