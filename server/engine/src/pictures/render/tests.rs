use image::{GrayImage, ImageFormat, Luma, RgbImage};

use super::{encode, encode::Effort, render};
use crate::pictures::{
    Recipe,
    fixtures::{self, decode, encoded, seen},
};

fn thumbnail(original: &[u8]) -> image::RgbaImage {
    seen(&render(decode(original).unwrap(), &Recipe::THUMBNAIL).unwrap())
}

#[test]
fn every_orientation_stands_upright() {
    // Which of red, green, blue and white (stored top left, top right, bottom left, bottom right) is seen where.
    const CORNERS: [&[u8; 4]; 8] = [b"rgbw", b"grwb", b"wbgr", b"bwrg", b"rbgw", b"brwg", b"wgbr", b"gwrb"];
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        for (orientation, corners) in (1..).zip(CORNERS) {
            // One that stays as large as it is, and one that is resized first.
            for (width, height) in [(60, 40), (480, 320)] {
                let bytes = fixtures::oriented(&fixtures::quarters(width, height), format, orientation);
                let seen = thumbnail(&bytes);
                let (across, down) = seen.dimensions();
                assert_eq!(across < down, orientation > 4, "{format:?} {orientation}");
                let colour = |x, y| match seen.get_pixel(x, y).0 {
                    [r, g, b, _] if r > 150 && g > 150 && b > 150 => b'w',
                    [r, g, _, _] if r > 150 && g < 100 => b'r',
                    [_, g, _, _] if g > 150 => b'g',
                    _ => b'b',
                };
                let found = [
                    colour(across / 8, down / 8),
                    colour(across * 7 / 8, down / 8),
                    colour(across / 8, down * 7 / 8),
                    colour(across * 7 / 8, down * 7 / 8),
                ];
                assert_eq!(&found, corners, "{format:?} {orientation} {width}");
            }
        }
    }
}

#[test]
fn a_transparent_rim_leaves_no_dark_fringe() {
    let seen = thumbnail(&encoded(fixtures::disc(1000), ImageFormat::Png));
    let mut soft = 0;
    for pixel in seen.pixels() {
        let [red, green, blue, alpha] = pixel.0;
        if alpha > 60 {
            soft += u32::from(alpha < 200);
            assert!(red > 225 && green < 30 && blue < 30, "{pixel:?}");
        }
    }
    assert!(soft > 100, "the rim is soft: {soft}");
    assert_eq!(seen.get_pixel(0, 0).0[3], 0);
}

#[test]
fn a_palette_with_transparency_keeps_it() {
    let rows: Vec<u8> = (0..8).flat_map(|_| [0, 0, 0, 0, 0, 1, 1, 1, 1]).collect();
    let chunks = [(b"PLTE", vec![10, 20, 30, 200, 100, 50]), (b"tRNS", vec![0])];
    let seen = thumbnail(&fixtures::png(fixtures::png_header(8, 8, 8, 3), &chunks, &rows));
    assert_eq!(seen.get_pixel(1, 4).0[3], 0);
    let [red, green, blue, alpha] = seen.get_pixel(6, 4).0;
    assert_eq!(alpha, 255);
    assert!(red.abs_diff(200) < 12 && green.abs_diff(100) < 12 && blue.abs_diff(50) < 12);
}

#[test]
fn grey_with_a_transparent_shade_keeps_it() {
    let rows: Vec<u8> = (0..8).flat_map(|_| [0, 90, 90, 90, 90, 180, 180, 180, 180]).collect();
    let seen = thumbnail(&fixtures::png(fixtures::png_header(8, 8, 8, 0), &[(b"tRNS", vec![0, 90])], &rows));
    assert_eq!(seen.get_pixel(1, 4).0[3], 0);
    let [red, green, blue, alpha] = seen.get_pixel(6, 4).0;
    assert_eq!(alpha, 255);
    assert!(red.abs_diff(180) < 4 && green.abs_diff(180) < 4 && blue.abs_diff(180) < 4);
}

#[test]
fn extreme_shapes_have_thumbnails() {
    for (width, height, expected) in [(1, 150, (1, 150)), (19_034, 800, (440, 18)), (79, 3686, (9, 440))] {
        let picture = GrayImage::from_fn(width, height, |x, y| Luma([(x + y) as u8]));
        assert_eq!(thumbnail(&encoded(picture, ImageFormat::Png)).dimensions(), expected);
    }
}

#[test]
fn sixteen_bits_and_eight_bits_look_the_same() {
    let eight = fixtures::scene(600, 400);
    let sixteen = image::DynamicImage::ImageRgb8(eight.clone()).into_rgb16();
    let small = |bytes: &[u8]| super::shrink(decode(bytes).unwrap(), fixtures::TILE).unwrap().data;
    let eight = small(&encoded(eight, ImageFormat::Png));
    let sixteen = small(&encoded(sixteen, ImageFormat::Png));
    let worst = eight.iter().zip(&sixteen).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(worst <= Some(2), "{worst:?}");
}

#[test]
fn no_metadata_of_the_original_is_in_a_rendition() {
    let bytes = fixtures::oriented(&fixtures::scene(600, 400), ImageFormat::Jpeg, 6);
    let rendition = render(decode(&bytes).unwrap(), &Recipe::THUMBNAIL).unwrap();
    for name in [&b"EXIF"[..], b"Exif", b"XMP ", b"ICCP"] {
        assert!(!rendition.windows(name.len()).any(|part| part == name));
    }
}

#[test]
fn the_placeholder_is_the_mean_colour_of_what_cannot_be_seen_through() {
    let decoded = decode(&encoded(RgbImage::from_pixel(30, 30, image::Rgb([17, 34, 51])), ImageFormat::Png)).unwrap();
    assert_eq!(super::shrink(decoded, fixtures::TILE).unwrap().colour().as_deref(), Some("#112233"));
    let decoded = decode(&encoded(fixtures::disc(100), ImageFormat::Png)).unwrap();
    assert_eq!(super::shrink(decoded, fixtures::TILE).unwrap().colour(), None);
}

#[test]
fn what_stays_in_planes_looks_as_if_its_colours_had_been_mixed() {
    // Odd, and less than a tile; halved; of one pixel.
    for (width, height) in [(441, 299), (57, 33), (900, 667), (1, 1)] {
        let lossy = encoded(fixtures::quarters(width, height), ImageFormat::Png);
        let lossy = render(decode(&lossy).unwrap(), &Recipe::PREVIEW).unwrap();
        for bytes in [fixtures::jpeg(&fixtures::quarters(width, height)), lossy] {
            let (webp, colour) = super::rendered(decode(&bytes).unwrap(), &Recipe::THUMBNAIL).unwrap();
            let mixed = super::shrink(decode(&bytes).unwrap(), fixtures::TILE).unwrap();
            let expected = seen(&encode::webp(&mixed, Effort::export(80)).unwrap());
            let seen = seen(&webp);
            assert_eq!(seen.dimensions(), expected.dimensions());
            let apart = |one: &u8, other: &u8| u64::from(one.abs_diff(*other));
            let sum: u64 = seen.as_raw().iter().zip(expected.as_raw()).map(|(one, other)| apart(one, other)).sum();
            let mean = sum as f64 / seen.as_raw().len() as f64;
            assert!(mean < 3.0, "{width} × {height}: {mean}");
            let shades = |colour: &str| u32::from_str_radix(&colour[1..], 16).unwrap().to_be_bytes();
            let (ours, theirs) = (shades(&colour.unwrap()), shades(&mixed.colour().unwrap()));
            assert!(ours.iter().zip(&theirs).all(|(one, other)| apart(one, other) <= 3), "{ours:?} {theirs:?}");
        }
    }
}

#[test]
fn at_an_odd_size_colours_stay_under_their_pixels_to_the_end() {
    // 440 × 293 afterwards, and turned: bands of one luma that are seven pixels across by then.
    for (width, height) in [(1200, 799), (799, 1200)] {
        let bands = RgbImage::from_fn(width, height, |x, y| {
            let along = if width > height { y } else { x };
            image::Rgb(if along / 19 % 2 == 0 { [200, 60, 60] } else { [40, 130, 100] })
        });
        let bytes = fixtures::jpeg(&bands);
        let seen = thumbnail(&bytes);
        let mixed = super::shrink(decode(&bytes).unwrap(), fixtures::TILE).unwrap();
        let expected = self::seen(&encode::webp(&mixed, Effort::export(90)).unwrap());
        let mut sum = 0;
        let end = seen.enumerate_pixels().filter(|(x, y, _)| x + 44 >= seen.width() && y + 44 >= seen.height());
        for (x, y, pixel) in end {
            let other = expected.get_pixel(x, y);
            sum += pixel.0.iter().zip(&other.0).map(|(one, other)| u32::from(one.abs_diff(*other))).sum::<u32>();
        }
        let mean = f64::from(sum) / f64::from(44 * 44 * 3);
        assert!(mean < 4.0, "{width} × {height}: {mean}");
    }
}
