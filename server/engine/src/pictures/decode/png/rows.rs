//! The rows of a plain PNG of a moderate size, from first to last.

use super::{
    data::inflated,
    unfilter::{ROWS, SLACK, unfilter},
};

/// Bytes of rows that are inflated at once: more than this is not worth the memory.
const MOST: u64 = 16 << 20;

/// Bytes of the rows of a picture of so many bytes a pixel, each with its filter, where they are inflated at once.
pub(in crate::pictures) fn inflated_at_once((width, height): (u32, u32), pixel: u32) -> Option<u64> {
    let bytes = u64::from(height) * (u64::from(width) * u64::from(pixel) + 1);
    (bytes <= MOST && matches!(pixel, 3 | 4)).then_some(bytes)
}

/// Gives every row of a picture of `PIXEL` bytes a pixel (3 or 4) to `take`, top to bottom. None before the first row, where
/// they are too many, or anything about them is not as it must be.
pub(super) fn each<const PIXEL: usize>(file: &[u8], size: (u32, u32), mut take: impl FnMut(&[u8])) -> Option<()> {
    let length = inflated_at_once(size, PIXEL as u32)? as usize;
    let row = size.0 as usize * PIXEL;
    let stride = row + 1;
    let filtered = inflated(file, length, length.next_multiple_of(stride * ROWS) - length + SLACK)?;
    if filtered[..length].iter().step_by(stride).any(|filter| *filter > 4) {
        return None;
    }
    let mut plain = vec![0; (row + SLACK) * (ROWS + 1)];
    for begin in (0..length).step_by(stride * ROWS) {
        unfilter::<PIXEL>(&filtered[begin..], stride, &mut plain);
        let there = plain.chunks_exact(row + SLACK).skip(1).take((length - begin) / stride);
        there.for_each(|plain| take(&plain[..row]));
        plain.copy_within((row + SLACK) * ROWS.., 0);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use png::{BitDepth, ColorType, Encoder, Filter};

    use super::*;
    use crate::pictures::fixtures::{self, scene};

    /// A PNG whose data comes in pieces of so many bytes.
    fn file(samples: &[u8], (width, height): (u32, u32), colour: ColorType, filter: Filter, piece: usize) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, width, height);
        encoder.set_color(colour);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_filter(filter);
        let mut writer = encoder.write_header().unwrap();
        let mut rows = writer.stream_writer_with_size(piece).unwrap();
        rows.write_all(samples).unwrap();
        rows.finish().unwrap();
        writer.finish().unwrap();
        file
    }

    fn read<const PIXEL: usize>(file: &[u8], size: (u32, u32)) -> Option<Vec<u8>> {
        let mut samples = Vec::new();
        each::<PIXEL>(file, size, |row| samples.extend_from_slice(row))?;
        Some(samples)
    }

    #[test]
    fn rows_are_what_was_written_by_any_filter_at_any_size() {
        for size in [(1, 1), (2, 9), (300, 7), (9, 300), (129, 40)] {
            let picture = scene(size.0, size.1);
            let opaque = picture.as_raw();
            let clear: Vec<u8> =
                picture.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2], pixel.0[1]]).collect();
            for filter in [Filter::NoFilter, Filter::Sub, Filter::Up, Filter::Avg, Filter::Paeth, Filter::Adaptive] {
                let written = file(opaque, size, ColorType::Rgb, filter, 1 << 20);
                assert_eq!(read::<3>(&written, size).as_ref(), Some(opaque), "{size:?} {filter:?}");
                let written = file(&clear, size, ColorType::Rgba, filter, 50);
                assert_eq!(read::<4>(&written, size).as_ref(), Some(&clear), "{size:?} {filter:?}, in pieces");
            }
        }
    }

    #[test]
    fn what_is_not_as_it_must_be_is_left_to_others() {
        let size = (40, 30);
        let picture = scene(size.0, size.1);
        let whole = file(picture.as_raw(), size, ColorType::Rgb, Filter::Adaptive, 200);
        assert!(read::<3>(&whole, size).is_some());
        for cut in 0..whole.len() - 12 {
            assert!(read::<3>(&whole[..cut], size).is_none(), "cut at {cut}");
        }
        let data = whole.windows(4).position(|name| name == b"IDAT").unwrap();
        for at in data..data + 200 {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(read::<3>(&changed, size).is_none(), "changed at {at}");
        }
        assert!(read::<3>(&whole, (40, 31)).is_none(), "more rows than there are");
        assert!(read::<3>(&whole, (40, 29)).is_none(), "fewer rows than there are");
        let unknown = fixtures::png(fixtures::png_header(1, 2, 8, 2), &[], &[0, 1, 2, 3, 5, 4, 5, 6]);
        assert!(read::<3>(&unknown, (1, 2)).is_none(), "a filter that does not exist");
        assert!(read::<3>(&whole, (4000, 4000)).is_none(), "more than is inflated at once");
    }
}
