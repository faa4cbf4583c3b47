//! The weight that is reserved for a picture is at least what reading, decoding and rendering it takes, measured.
//!
//! One test, in a program of its own: the allocator counts for the whole process, and so does the system, which alone
//! sees what libwebp takes.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::{fs, path::Path, time::Duration};

use engine::{
    admission::ByteBudget,
    pictures::{Export, Limits, Presets, Recipe, Renditions, Source},
};
use image::{
    DynamicImage, ExtendedColorType, Frame, ImageEncoder as _, Rgb, RgbImage, RgbaImage,
    codecs::{
        bmp::BmpEncoder,
        gif::GifEncoder,
        png::{CompressionType, FilterType, PngEncoder},
        tiff::TiffEncoder,
        webp::WebPEncoder,
    },
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// 24 megapixels.
const SIZE: (u32, u32) = (6000, 4000);
/// Five: a PNG is inflated at once up to here.
const MODERATE: (u32, u32) = (2300, 2300);

/// Edges, gradients and some noise, as in a photograph.
fn scene(size: (u32, u32)) -> RgbImage {
    let mut noise = 1_u32;
    RgbImage::from_fn(size.0, size.1, |x, y| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let grain = noise >> 29;
        let wave = |period: u32| {
            let phase = (x + 2 * y) % period;
            (250 * phase.min(period - phase) * 2 / period + grain).min(255) as u8
        };
        Rgb([wave(970), wave(1610), wave(2430)])
    })
}

fn jpeg(scene: &RgbImage, progressive: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 85);
    encoder.set_progressive(progressive);
    // Colours at full resolution: the heaviest that a JPEG can be.
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_1_1);
    encoder.encode(scene, SIZE.0 as u16, SIZE.1 as u16, jpeg_encoder::ColorType::Rgb).unwrap();
    bytes
}

fn png(scene: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up);
    scene.write_with_encoder(encoder).unwrap();
    bytes
}

fn lossy_webp(scene: &RgbImage) -> Vec<u8> {
    let config = webpx::EncoderConfig::new().quality(75.0).method(0);
    config.encode_rgb(scene, SIZE.0, SIZE.1, webpx::Unstoppable).unwrap()
}

fn gif(scene: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Few colours: finding a palette for many takes minutes, and decoding is the same.
    let flat = RgbaImage::from_fn(SIZE.0, SIZE.1, |x, y| {
        let [red, green, _] = scene.get_pixel(x, y).0;
        image::Rgba([red & 0xe0, green & 0xe0, 0, 255])
    });
    GifEncoder::new_with_speed(&mut bytes, 30).encode_frame(Frame::new(flat)).unwrap();
    bytes
}

/// Makes the file, and leaves nothing of it in memory.
fn file(format: &str) -> Vec<u8> {
    let scene = scene(if format == "moderate PNG" { MODERATE } else { SIZE });
    let mut bytes = Vec::new();
    match format {
        "baseline JPEG" => jpeg(&scene, false),
        "progressive JPEG" => jpeg(&scene, true),
        "PNG" | "moderate PNG" => png(&scene.into()),
        "16-bit RGBA PNG" => png(&DynamicImage::ImageRgba16(DynamicImage::ImageRgb8(scene).into_rgba16())),
        "lossy WebP" => lossy_webp(&scene),
        "lossless WebP" => {
            let encoder = WebPEncoder::new_lossless(&mut bytes);
            encoder.write_image(&scene, SIZE.0, SIZE.1, ExtendedColorType::Rgb8).unwrap();
            bytes
        }
        "GIF" => gif(&scene),
        "TIFF" => {
            let mut bytes = std::io::Cursor::new(bytes);
            TiffEncoder::new(&mut bytes).write_image(&scene, SIZE.0, SIZE.1, ExtendedColorType::Rgb8).unwrap();
            bytes.into_inner()
        }
        "TIFF of inks" => {
            let inks: Vec<u8> = scene.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2], 9]).collect();
            let mut bytes = std::io::Cursor::new(bytes);
            let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
            encoder.write_image::<tiff::encoder::colortype::CMYK8>(SIZE.0, SIZE.1, &inks).unwrap();
            bytes.into_inner()
        }
        _ => {
            BmpEncoder::new(&mut bytes).encode(&scene, SIZE.0, SIZE.1, ExtendedColorType::Rgb8).unwrap();
            bytes
        }
    }
}

/// Bytes that the system has given to this process; its peak is counted anew after `5` was written to `clear_refs`.
fn resident(what: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}

/// Renders the file cold; the bytes that were reserved for it, and the most that it took.
async fn measure(folder: &Path, path: &Path, recipe: &Recipe) -> (u64, u64) {
    let budget = ByteBudget::new(4 << 30, Duration::from_secs(60));
    let limits = Limits { deadline: Duration::from_secs(600), ..Limits::default() };
    let renditions = Renditions::open(folder.join("renditions"), limits, 1, budget.clone()).unwrap();
    let source = Source { sha256: "5f".repeat(32).parse().unwrap(), path: path.to_owned() };
    let before = (MEMORY.current_usage(), resident("VmRSS:"));
    MEMORY.reset_peak_usage();
    fs::write("/proc/self/clear_refs", "5").unwrap();
    renditions.get(&source, recipe).await.unwrap();
    let counted = MEMORY.peak_usage().saturating_sub(before.0);
    let resident = resident("VmHWM:").saturating_sub(before.1);
    fs::remove_dir_all(folder.join("renditions")).unwrap();
    (budget.snapshot().peak, resident.max(counted as u64))
}

#[tokio::test]
async fn what_is_reserved_is_never_less_than_what_a_picture_takes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("original");
    let presets = Presets::default();
    let Some(Export::Made(square)) = presets.get("square-1024-png") else { panic!("the preset is there") };
    let mut short = Vec::new();
    for format in [
        "baseline JPEG",
        "progressive JPEG",
        "PNG",
        "moderate PNG",
        "16-bit RGBA PNG",
        "lossy WebP",
        "lossless WebP",
        "GIF",
        "TIFF",
        "TIFF of inks",
        "BMP",
    ] {
        fs::write(&path, file(format)).unwrap();
        for (name, recipe) in [("thumbnail", &Recipe::THUMBNAIL), ("square", square)] {
            let (reserved, taken) = measure(folder.path(), &path, recipe).await;
            let (reserved_mib, taken_mib) = (reserved as f64 / f64::from(1 << 20), taken as f64 / f64::from(1 << 20));
            println!("{format:<18} {name:<10} reserved {reserved_mib:7.1} MiB, taken {taken_mib:7.1} MiB");
            // A weight far above what is taken would keep others waiting for nothing.
            if taken > reserved || reserved > taken * 3 + (32 << 20) {
                short.push(format!("{format} {name}: reserved {reserved}, taken {taken}"));
            }
        }
    }
    assert!(short.is_empty(), "{short:#?}");
}
