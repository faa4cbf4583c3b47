//! The judge of a comparison: neither side's code takes part in it.
//!
//! ```text
//! quality reference SIDE IN OUT.png   decoded at full size by the crate `image` and brought to SIDE by its Lanczos3
//! quality compare                     reads lines of two files from standard input, tab between them; writes for each
//!                                     mean difference, worst difference, SSIMULACRA2, mean and worst of alpha
//! ```

use std::{
    env,
    error::Error,
    io::{self, BufRead, Write},
    process::ExitCode,
};

use image::{ImageReader, RgbaImage, imageops::FilterType};
use ssimulacra2::{ColorPrimaries, Rgb, TransferCharacteristic, compute_frame_ssimulacra2};

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["reference", side, from, to] => reference(side, from, to),
        ["compare"] => compare(),
        _ => Err("usage: quality reference SIDE IN OUT.png | quality compare".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quality: {error}");
            ExitCode::FAILURE
        }
    }
}

fn open(path: &str) -> Done<image::DynamicImage> {
    let mut reader = ImageReader::open(path)?.with_guessed_format()?;
    reader.no_limits();
    Ok(reader.decode().map_err(|error| format!("{path}: {error}"))?)
}

fn reference(side: &str, from: &str, to: &str) -> Done<()> {
    let side: u32 = side.parse()?;
    let picture = open(from)?;
    let (width, height) = (picture.width(), picture.height());
    let scale = f64::from(side) / f64::from(width.max(height));
    let scaled = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let small = if scale < 1.0 { picture.resize_exact(scaled(width), scaled(height), FilterType::Lanczos3) } else { picture };
    Ok(small.save(to)?)
}

fn compare() -> Done<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (a, b) = line.split_once('\t').ok_or("two files with a tab between them are wanted")?;
        let (a, b) = (open(a)?.into_rgba8(), open(b)?.into_rgba8());
        if a.dimensions() != b.dimensions() {
            println!("sizes\t{:?}\t{:?}", a.dimensions(), b.dimensions());
            continue;
        }
        let (mean, worst) = colours(&a, &b);
        let (alpha_mean, alpha_worst) = apart(a.pixels().zip(b.pixels()).map(|(a, b)| (a.0[3].into(), b.0[3].into())));
        println!("{mean:.3}\t{worst:.0}\t{:.2}\t{alpha_mean:.3}\t{alpha_worst:.0}", seen_alike(&a, &b)?);
        io::stdout().flush()?;
    }
    Ok(())
}

/// Mean and worst difference of colours, each counting as much as it can be seen.
fn colours(a: &RgbaImage, b: &RgbaImage) -> (f64, f64) {
    let seen = |pixel: &image::Rgba<u8>, channel: usize| f64::from(pixel.0[channel]) * f64::from(pixel.0[3]) / 255.0;
    let pairs = a.pixels().zip(b.pixels());
    apart(pairs.flat_map(|(a, b)| (0..3).map(move |channel| (seen(a, channel), seen(b, channel)))))
}

fn apart(pairs: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut sum, mut worst, mut count) = (0.0, 0.0_f64, 0.0);
    for (a, b) in pairs {
        let apart = (a - b).abs();
        sum += apart;
        worst = worst.max(apart);
        count += 1.0;
    }
    (sum / f64::max(count, 1.0), worst)
}

/// SSIMULACRA2; of transparent pictures the lower value before a dark and a light background.
fn seen_alike(a: &RgbaImage, b: &RgbaImage) -> Done<f64> {
    // The metric knows no picture smaller than this.
    if a.width() < 8 || a.height() < 8 {
        return Ok(f64::NAN);
    }
    let transparent = a.pixels().chain(b.pixels()).any(|pixel| pixel.0[3] < 255);
    let grounds: &[f32] = if transparent { &[0.1, 0.9] } else { &[0.0] };
    let mut lowest = f64::INFINITY;
    for ground in grounds {
        lowest = lowest.min(compute_frame_ssimulacra2(before(a, *ground)?, before(b, *ground)?)?);
    }
    Ok(lowest)
}

fn before(picture: &RgbaImage, ground: f32) -> Done<Rgb> {
    let pixels = picture.pixels().map(|pixel| {
        let alpha = f32::from(pixel.0[3]) / 255.0;
        [0, 1, 2].map(|channel| f32::from(pixel.0[channel]) / 255.0 * alpha + ground * (1.0 - alpha))
    });
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    Ok(Rgb::new(pixels.collect(), width, height, TransferCharacteristic::SRGB, ColorPrimaries::BT709)?)
}
