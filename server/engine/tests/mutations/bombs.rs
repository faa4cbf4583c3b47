//! Small claims that cost much: each is a valid picture of the corpus with something added by somebody who knows readers.

/// Each with a name, made from the picture of the corpus that `of` gives by its name.
pub(crate) fn bombs(of: impl Fn(&str) -> Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let (jpeg, layers, restarts) =
        (of("sampled-2x2.jpg"), of("sampled-2x2-progressive.jpg"), of("restarts-each-block.jpg"));
    let profile = segment(0xe2, &[b"ICC_PROFILE\0\x01\x01".as_slice(), &[0x5a; 65_000]].concat());
    let table = segment(0xc4, &[&[0x11, 0, 1][..], &[0; 14], &[7]].concat());
    let last = layers.windows(2).rposition(|pair| pair == [0xff, 0xda]).unwrap();
    let scan = layers[last..last + 10].to_vec();
    let data = restarts.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap() + 14;
    vec![
        ("a profile in 300 parts.jpg", after(&jpeg, 2, &profile.repeat(300))),
        ("100 000 tables.jpg", after(&jpeg, 2, &table.repeat(100_000))),
        ("200 000 layers without data.jpg", after(&layers, layers.len() - 2, &scan.repeat(200_000))),
        ("restarts that never come.jpg", [&larger(&restarts[..data]), &vec![0x5a; 16 << 20][..]].concat()),
        ("a profile of 16 MiB.webp", riff(&of("profile-display-p3.webp"), b"ICCP", &vec![0x5a; 16 << 20])),
        ("a million chunks.png", after(&of("grey-8-bit.png"), 33, &chunk(b"aBCd", &[]).repeat(1_000_000))),
        ("16 MiB of orientation.png", after(&of("grey-8-bit.png"), 33, &chunk(b"eXIf", &vec![0; 16 << 20]))),
        (
            "a million blocks.gif",
            after(&of("animated.gif"), 37, &[&b"\x21\xfe"[..], &b"\x01x".repeat(1_000_000), &[0]].concat()),
        ),
        ("a frame far larger than its canvas.gif", overhanging(&of("animated.gif"))),
    ]
}

fn after(file: &[u8], at: usize, added: &[u8]) -> Vec<u8> {
    [&file[..at], added, &file[at..]].concat()
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker][..], &length, content].concat()
}

/// A JPEG that says that it is 1900 pixels on each side.
fn larger(jpeg: &[u8]) -> Vec<u8> {
    let mut jpeg = jpeg.to_vec();
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x07, 0x6c, 0x07, 0x6c]);
    jpeg
}

/// A GIF that says that it is 1000 pixels on each side, and its first frame 1870.
fn overhanging(gif: &[u8]) -> Vec<u8> {
    let mut gif = gif.to_vec();
    let frame = gif.windows(5).position(|five| five == [0x2c, 0, 0, 0, 0]).unwrap();
    gif[6..10].copy_from_slice(&[0xe8, 0x03, 0xe8, 0x03]);
    gif[frame + 5..frame + 9].copy_from_slice(&[0x4e, 0x07, 0x4e, 0x07]);
    gif
}

/// A chunk of a PNG.
fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let body = [name.as_slice(), content].concat();
    [&(content.len() as u32).to_be_bytes()[..], &body, &super::mutate::crc32(&body).to_be_bytes()].concat()
}

/// A WebP with its chunk of this name replaced.
fn riff(webp: &[u8], name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let at = webp.windows(4).position(|four| four == name).unwrap();
    let length = u32::from_le_bytes([webp[at + 4], webp[at + 5], webp[at + 6], webp[at + 7]]) as usize;
    let replaced = [&name[..], &(content.len() as u32).to_le_bytes(), content].concat();
    [&webp[..at], &replaced, &webp[at + 8 + length + length % 2..]].concat()
}
