use image::ImageFormat;

use crate::pictures::{
    fixtures::{self, encoded, probe, scene},
    probe::{Format, OF_256_IN_PLANES},
    unreadable::Unreadable,
};

#[test]
fn the_bytes_tell_the_format_and_the_displayed_size() {
    for (format, expected) in [
        (ImageFormat::Jpeg, Format::Jpeg),
        (ImageFormat::Png, Format::Png),
        (ImageFormat::WebP, Format::WebP),
        (ImageFormat::Gif, Format::Gif),
        (ImageFormat::Tiff, Format::Tiff),
        (ImageFormat::Bmp, Format::Bmp),
    ] {
        let probe = probe(&encoded(scene(37, 21), format)).unwrap();
        assert_eq!((probe.format, probe.width(), probe.height()), (expected, 37, 21));
        assert!(!probe.animated());
    }
}

#[test]
fn a_turned_picture_is_as_wide_as_it_is_displayed() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        for orientation in 1..=8 {
            let probe = probe(&fixtures::oriented(&scene(40, 24), format, orientation)).unwrap();
            let expected = if orientation < 5 { (40, 24) } else { (24, 40) };
            assert_eq!((probe.width(), probe.height()), expected, "{format:?} {orientation}");
        }
    }
}

#[test]
fn what_is_no_picture_is_named() {
    let reason = |bytes: &[u8]| probe(bytes).unwrap_err().to_string();
    assert_eq!(reason(b""), "the file is empty");
    assert!(reason(b"Dear diary, today I named a text picture.png").starts_with("this is a text, not a picture"));
    assert!(reason("Grüße".as_bytes()).starts_with("this is a text"));
    assert!(reason(b"BM is how this text begins, but no bitmap does").starts_with("this is a text"));
    assert!(reason(&[0; 2000]).starts_with("this is a file of zeros"));
    assert!(reason(&[7, 200, 13, 255, 0, 1]).starts_with("this is an unknown kind of file"));
    assert!(reason(b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>").starts_with("SVG is not"));
    assert!(reason(b"%PDF-1.7").starts_with("this is a PDF"));
    assert!(reason(b"PK\x03\x04").starts_with("this is a ZIP archive"));
    assert!(reason(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").contains("convert it to JPEG"));
    assert!(reason(b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf").starts_with("AVIF is not supported"));
    assert!(
        reason(b"\0\0\0\x14ftypqt  \0\0\0\0qt  ").starts_with("QuickTime (MOV) is not supported: convert it to MP4")
    );
    assert!(reason(b"\0\0\0\x14ftypM4A \0\0\0\0M4A ").starts_with("this is a sound"));
    assert!(reason(b"\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska").starts_with("Matroska (MKV) is not supported"));
}

#[test]
fn too_many_pixels_are_refused_by_the_header_alone() {
    let header = fixtures::png_header(24_000, 24_000, 8, 2);
    let refusal = probe(&fixtures::png(header, &[], &[])).unwrap_err();
    assert_eq!(refusal, Unreadable::TooManyPixels { width: 24_000, height: 24_000, limit: 100_000_000 });
}

#[test]
fn every_beginning_of_a_picture_is_read_or_refused() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp] {
        let whole = encoded(scene(16, 16), format);
        for length in 0..whole.len() {
            // Only that it returns is asked for here.
            let _ = probe(&whole[..length]);
        }
    }
}

/// A WebP of these chunks, behind an extended header that denies any transparency.
fn extended(width: u32, height: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let [w0, w1, w2, _] = (width - 1).to_le_bytes();
    let [h0, h1, h2, _] = (height - 1).to_le_bytes();
    let mut body = b"WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
    body.extend([w0, w1, w2, h0, h1, h2]);
    for (kind, content) in chunks {
        body.extend_from_slice(*kind);
        body.extend((content.len() as u32).to_le_bytes());
        body.extend_from_slice(content);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [&b"RIFF"[..], &(body.len() as u32).to_le_bytes(), &body].concat()
}

#[test]
fn a_webp_is_weighed_as_what_its_decoder_takes_it_for() {
    let picture = scene(64, 48);
    let lossy = webpx::EncoderConfig::new().encode_rgb(&picture, 64, 48, webpx::Unstoppable).unwrap();
    let lossless = encoded(picture, ImageFormat::WebP);
    assert_eq!((&lossy[12..16], &lossless[12..16]), (&b"VP8 "[..], &b"VP8L"[..]));
    assert_eq!(probe(&lossy).unwrap().bytes_of_256, OF_256_IN_PLANES);
    assert_eq!(probe(&lossless).unwrap().bytes_of_256, 768);
    let (lossy, lossless) = ((b"VP8 ", &lossy[20..]), (b"VP8L", &lossless[20..]));
    let weighed = |chunks: &[_]| probe(&extended(64, 48, chunks)).unwrap().bytes_of_256;
    assert_eq!(weighed(&[lossy]), OF_256_IN_PLANES);
    // The layer is believed, whatever the header says of it; and the first picture, whatever comes behind it.
    assert_eq!(weighed(&[(b"ALPH", &[0; 64 * 48 + 1]), lossy]), 1024);
    assert_eq!(weighed(&[lossless, lossy]), 768);
}
