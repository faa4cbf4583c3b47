use image::{Frame, ImageFormat, Rgba, RgbaImage, codecs::gif::GifEncoder};

use super::contained;
use crate::pictures::{
    fixtures::{self, decode, encoded, probe, scene},
    probe::Format,
    unreadable::Unreadable,
};

#[test]
fn a_cut_picture_is_refused() {
    for format in
        [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Tiff, ImageFormat::Bmp]
    {
        let whole = encoded(scene(300, 200), format);
        let refusal = decode(&whole[..whole.len() * 6 / 10]).unwrap_err();
        assert!(matches!(refusal, Unreadable::Truncated { .. } | Unreadable::Damaged { .. }), "{format:?}: {refusal}");
    }
}

#[test]
fn what_follows_a_picture_is_ignored() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif] {
        let mut bytes = encoded(scene(64, 48), format);
        bytes.extend(std::iter::repeat_n(0x5a, 100_000));
        assert!(decode(&bytes).is_ok(), "{format:?}");
    }
}

#[test]
fn of_an_animation_the_first_frame_is_decoded() {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new(&mut bytes);
    for colour in [Rgba([200, 0, 0, 255]), Rgba([0, 200, 0, 255]), Rgba([0, 0, 200, 255])] {
        encoder.encode_frame(Frame::new(RgbaImage::from_pixel(20, 10, colour))).unwrap();
    }
    drop(encoder);
    let probe = probe(&bytes).unwrap();
    assert!(probe.animated());
    assert_eq!(probe.frames, 3);
    assert_eq!(fixtures::raster(&bytes).data[..4], [200, 0, 0, 255]);
}

#[test]
fn a_decoder_that_panics_is_a_refusal() {
    let refusal = contained::<()>(Format::WebP, || panic!("index out of bounds")).unwrap_err();
    assert_eq!(refusal, Unreadable::Panicked { format: Format::WebP, detail: "index out of bounds".to_owned() });
}

#[test]
fn garbage_after_a_right_signature_is_refused() {
    let noise: Vec<u8> = (0..5000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for signature in [&b"\xff\xd8\xff"[..], b"\x89PNG\r\n\x1a\n", b"RIFF\x80\x13\0\0WEBP", b"GIF89a", b"II*\0"] {
        let bytes = [signature, &noise].concat();
        assert!(decode(&bytes).is_err(), "{signature:?}");
    }
}

#[test]
fn a_text_bomb_beside_the_pixels_is_not_inflated() {
    let bomb = |name| (name, b"Comment\0\0\x78\xda".iter().copied().chain([0; 4000]).collect::<Vec<u8>>());
    let rows: Vec<u8> = [0, 1, 2, 3, 4, 5, 6].to_vec();
    let bytes = fixtures::png(fixtures::png_header(2, 1, 8, 2), &[bomb(b"zTXt")], &rows);
    assert_eq!(fixtures::raster(&bytes).data, [1, 2, 3, 4, 5, 6]);
}
