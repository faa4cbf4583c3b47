use image::{DynamicImage, RgbImage, codecs::jpeg::JpegDecoder};

use crate::pictures::{
    Recipe,
    fixtures::{self, decode, jpeg, scene},
    render::shrink,
    unreadable::Unreadable,
};

#[test]
fn a_cut_picture_is_refused_with_how_much_is_missing() {
    let whole = jpeg(&scene(900, 700));
    let Err(Unreadable::Truncated { detail, .. }) = decode(&whole[..whole.len() * 6 / 10]) else {
        panic!("a picture cut at 60 % was let in")
    };
    assert!(detail.contains('%'), "{detail}");
}

#[test]
fn a_picture_that_lacks_only_its_end_marker_is_whole() {
    let whole = jpeg(&scene(300, 200));
    let decoded = decode(&whole[..whole.len() - 2]).unwrap();
    assert_eq!(decoded.damage, None);
}

#[test]
fn a_picture_that_lacks_its_last_row_of_blocks_is_marked() {
    let whole = jpeg(&scene(900, 2000));
    let decoded = decode(&whole[..whole.len() - 400]).unwrap();
    assert!(decoded.damage.is_some());
}

#[test]
fn the_whole_size_is_what_another_decoder_gives() {
    for (width, height) in [(200, 120), (203, 117), (1, 9), (16, 16)] {
        let bytes = jpeg(&scene(width, height));
        let ours = shrink(decode(&bytes).unwrap(), fixtures::TILE).unwrap();
        let theirs = DynamicImage::from_decoder(JpegDecoder::new(std::io::Cursor::new(&bytes)).unwrap()).unwrap();
        let apart: u32 = ours.samples().iter().zip(theirs.as_bytes()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        let mean = f64::from(apart) / theirs.as_bytes().len() as f64;
        assert!(mean < 0.7, "{width} × {height}: {mean}");
    }
}

#[test]
fn a_reduced_picture_looks_like_the_whole_one_made_smaller() {
    let picture =
        RgbImage::from_fn(2400, 1600, |x, y| image::Rgb([(x / 10) as u8, (y / 7) as u8, (x / 20 + y / 20) as u8]));
    let ours = shrink(decode(&jpeg(&picture)).unwrap(), Recipe::THUMBNAIL.fit).unwrap();
    let small = image::imageops::resize(&picture, 440, 293, image::imageops::FilterType::Lanczos3);
    let worst = ours.samples().iter().zip(small.as_raw()).map(|(a, b)| a.abs_diff(*b)).max();
    // The picture jumps where its bytes overflow; away from there it is smooth.
    let apart: u32 = ours.samples().iter().zip(small.as_raw()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    assert!(f64::from(apart) / (small.as_raw().len() as f64) < 1.5, "{apart}, {worst:?}");
}

#[test]
fn every_broken_byte_is_survived() {
    let whole = jpeg(&scene(64, 48));
    for at in 0..whole.len() {
        let mut broken = whole.clone();
        broken[at] ^= 0x55;
        // Refused, marked or shown: never a panic.
        if let Err(refusal) = decode(&broken) {
            assert!(!matches!(refusal, Unreadable::Panicked { .. }), "{at}: {refusal}");
        }
    }
}

/// Written by libjpeg-turbo: in layers; with colours at half their width and restarts; in inks.
const PROGRESSIVE: &[u8] = include_bytes!("fixtures/progressive.jpg");
const RESTARTS: &[u8] = include_bytes!("fixtures/sampling-422-restarts.jpg");
const INKS: &[u8] = include_bytes!("fixtures/cmyk.jpg");

#[test]
fn layers_and_restarts_are_what_another_decoder_gives() {
    for bytes in [PROGRESSIVE, RESTARTS] {
        let ours = shrink(decode(bytes).unwrap(), fixtures::TILE).unwrap();
        let theirs = DynamicImage::from_decoder(JpegDecoder::new(std::io::Cursor::new(bytes)).unwrap()).unwrap();
        let apart: u32 = ours.samples().iter().zip(theirs.as_bytes()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        let mean = f64::from(apart) / theirs.as_bytes().len() as f64;
        assert!(mean < 0.8, "{mean}");
    }
}

#[test]
fn layers_that_are_cut_off_are_refused() {
    for share in [3, 5, 7, 9] {
        let refusal = decode(&PROGRESSIVE[..PROGRESSIVE.len() * share / 10]).unwrap_err();
        assert!(matches!(refusal, Unreadable::Truncated { .. }), "{share}: {refusal}");
    }
}

#[test]
fn a_restart_confines_what_a_broken_byte_breaks() {
    let mut broken = RESTARTS.to_vec();
    let scan = RESTARTS.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    let restart = RESTARTS[scan..].windows(2).position(|pair| pair == [0xff, 0xd0]).unwrap() + scan;
    // The last bytes before the restart: as many codes as there were, or too few.
    broken.drain(restart - 6..restart);
    let refusal = decode(&broken).unwrap_err().to_string();
    assert!(refusal.contains(" % of its picture data"), "{refusal}");
}

#[test]
fn inks_are_told_apart_from_their_opposite() {
    let seen = shrink(decode(INKS).unwrap(), fixtures::TILE).unwrap();
    let bright = seen.samples().iter().filter(|sample| **sample > 100).count();
    // The picture is a face before a bright background: inverted it would be dark.
    assert!(bright * 2 > seen.samples().len(), "{bright} of {}", seen.samples().len());
}
