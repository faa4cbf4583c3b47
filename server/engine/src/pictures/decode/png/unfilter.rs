//! Undoes the filters of PNG's rows, eight rows at once: each row a pixel behind the one above it, so that what a pixel is
//! told from is there already, and no row waits for the end of another.
//!
//! A pixel is told from the one before it, whose own sum has just been formed: row by row nearly all of the time goes by
//! waiting for it. The filters are those of the PNG specification, third edition, section 9.

use wide::{u8x32, u16x16};

/// Rows that are undone together.
pub(super) const ROWS: usize = 8;
/// Bytes behind each row that are read and written with its last pixel, and mean nothing.
pub(super) const SLACK: usize = 4;

/// Brings the next [`ROWS`] rows of `filtered` into `plain`.
///
/// `filtered` has `stride` bytes for each row, its filter and then its samples, and [`SLACK`] behind them all. `plain` has one
/// row more, the first of them the one above those to come, and [`SLACK`] behind each. `PIXEL` is the bytes of a pixel, 3 or 4.
pub(super) fn unfilter<const PIXEL: usize>(filtered: &[u8], stride: usize, plain: &mut [u8]) {
    let row = stride - 1 + SLACK;
    let (above, rows) = plain.split_at_mut(row);
    let above = &*above;
    let mut rows = rows.chunks_exact_mut(row);
    let mut plain: [&mut [u8]; ROWS] = std::array::from_fn(|_| rows.next().unwrap_or_default());
    let samples: [&[u8]; ROWS] = std::array::from_fn(|row| filtered.get(row * stride + 1..).unwrap_or_default());
    let mut front = Front {
        filters: Filters::of(std::array::from_fn(|row| filtered.get(row * stride).copied().unwrap_or_default())),
        left: u8x32::ZERO,
        above_left: u8x32::ZERO,
    };
    // Where the first row is when the last begins, and where the first ends, and the last.
    let behind = (ROWS - 1) * PIXEL;
    let (begin, end, last) = (behind.min(stride - 1), stride - 1, stride - 1 + behind);
    for place in (0..begin).step_by(PIXEL) {
        checked::<PIXEL>(&mut front, place, above, &samples, &mut plain);
    }
    if begin < end {
        // Of one length, so that the compiler sees it, and looks at no bounds within.
        let length = end - begin + SLACK;
        let above = &above[begin..][..length];
        let samples: [&[u8]; ROWS] = std::array::from_fn(|row| &samples[row][begin - row * PIXEL..][..length]);
        let mut begins = (0..ROWS).map(|row| begin - row * PIXEL);
        let mut plain = plain.each_mut().map(|plain| &mut plain[begins.next().unwrap_or_default()..][..length]);
        for place in (0..length - SLACK).step_by(PIXEL) {
            let pixels = front.go(pixel(above, place), samples.map(|samples| pixel(samples, place)));
            for (plain, pixel) in plain.iter_mut().zip(pixels) {
                put(plain, place, pixel);
            }
        }
    }
    for place in (end.max(begin)..last).step_by(PIXEL) {
        checked::<PIXEL>(&mut front, place, above, &samples, &mut plain);
    }
}

/// Where some rows have not begun yet, or have ended.
fn checked<const PIXEL: usize>(
    front: &mut Front,
    place: usize,
    above: &[u8],
    samples: &[&[u8]; ROWS],
    plain: &mut [&mut [u8]; ROWS],
) {
    // Before a row begins this is beyond all places, and there is nothing.
    let places: [usize; ROWS] = std::array::from_fn(|row| place.wrapping_sub(row * PIXEL));
    let pixels = front.go(pixel(above, place), std::array::from_fn(|row| pixel(samples[row], places[row])));
    for ((plain, place), pixel) in plain.iter_mut().zip(places).zip(pixels) {
        put(plain, place, pixel);
    }
}

#[inline(always)]
fn pixel(row: &[u8], place: usize) -> u32 {
    row.get(place..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}

#[inline(always)]
fn put(row: &mut [u8], place: usize, pixel: u32) {
    if let Some(to) = row.get_mut(place..).and_then(<[u8]>::first_chunk_mut) {
        *to = pixel.to_ne_bytes();
    }
}

/// What is known of each row where it has come to.
struct Front {
    filters: Filters,
    left: u8x32,
    above_left: u8x32,
}

impl Front {
    /// The next pixel of each row, from the one above the first row and those that are filtered.
    #[inline(always)]
    fn go(&mut self, above: u32, filtered: [u32; ROWS]) -> [u32; ROWS] {
        let [first, second, third, fourth, fifth, sixth, seventh, _]: [u32; ROWS] = bytemuck::cast(self.left);
        let up: u8x32 = bytemuck::cast([above, first, second, third, fourth, fifth, sixth, seventh]);
        let sum = bytemuck::cast::<_, u8x32>(filtered) + self.filters.told(self.left, up, self.above_left);
        (self.left, self.above_left) = (sum, up);
        bytemuck::cast(sum)
    }
}

/// Where each filter is used: all bits of a row's four bytes, or none.
struct Filters {
    left: u8x32,
    up: u8x32,
    average: u8x32,
    paeth: u8x32,
}

impl Filters {
    fn of(rows: [u8; ROWS]) -> Self {
        let with = |filter| u8x32::new(std::array::from_fn(|byte| if rows[byte / 4] == filter { 255 } else { 0 }));
        Self { left: with(1), up: with(2), average: with(3), paeth: with(4) }
    }

    /// What each byte is told to be from those around it.
    #[inline(always)]
    fn told(&self, left: u8x32, up: u8x32, above_left: u8x32) -> u8x32 {
        let average = (left & up) + halved(left ^ up);
        (left & self.left) | (up & self.up) | (average & self.average) | (paeth(left, up, above_left) & self.paeth)
    }
}

/// Bytes have no shift of their own in SSE2.
#[inline(always)]
fn halved(bytes: u8x32) -> u8x32 {
    let pairs = bytemuck::cast::<_, u16x16>(bytes) >> 1_u32;
    bytemuck::cast::<_, u8x32>(pairs) & u8x32::splat(0x7f)
}

/// The one of three that is nearest to `left + up - above_left`, without leaving eight bits: the distance of `above_left` is
/// the sum of the others' where both lie on one side of it, and so never the least; else it is their difference.
#[inline(always)]
fn paeth(left: u8x32, up: u8x32, above_left: u8x32) -> u8x32 {
    let (over_left, under_left) = (up.saturating_sub(above_left), above_left.saturating_sub(up));
    let (over_up, under_up) = (left.saturating_sub(above_left), above_left.saturating_sub(left));
    let (of_left, of_up) = (over_left | under_left, over_up | under_up);
    let apart = (over_left.min(over_up) | under_left.min(under_up)).simd_eq(u8x32::ZERO);
    let of_above_left = of_left.saturating_sub(of_up) | of_up.saturating_sub(of_left) | !apart;
    let least = of_above_left.min(of_left).min(of_up);
    let other = least.simd_eq(of_up).bitselect(up, above_left);
    least.simd_eq(of_left).bitselect(left, other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The specification, byte by byte.
    fn plainly(filtered: &[u8], stride: usize, pixel: usize, above: &[u8]) -> Vec<Vec<u8>> {
        let mut above = above.to_vec();
        let undo = |row: &[u8]| {
            let mut plain: Vec<u8> = Vec::new();
            for (at, byte) in row[1..].iter().enumerate() {
                let before = |row: &[u8]| at.checked_sub(pixel).map_or(0, |at| i32::from(row[at]));
                let (left, up, above_left) = (before(&plain), i32::from(above[at]), before(&above));
                let guess = left + up - above_left;
                let told = match row[0] {
                    1 => left,
                    2 => up,
                    3 => (left + up) / 2,
                    4 => [left, up, above_left].into_iter().min_by_key(|side| (guess - side).abs()).unwrap(),
                    _ => 0,
                };
                plain.push(byte.wrapping_add(told as u8));
            }
            above.clone_from(&plain);
            plain
        };
        filtered.chunks_exact(stride).map(undo).collect()
    }

    proptest! {
        #[test]
        fn rows_are_those_of_the_specification(
            pixel in 3_usize..5,
            width in 1_usize..30,
            filters in prop::array::uniform8(0_u8..5),
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0), Just(255)], 9 * 30 * 4),
        ) {
            let stride = width * pixel + 1;
            let above = &bytes[..stride - 1];
            let mut filtered = bytes[stride - 1..][..stride * ROWS].to_vec();
            for (row, filter) in filtered.chunks_exact_mut(stride).zip(filters) {
                row[0] = filter;
            }
            let expected = plainly(&filtered, stride, pixel, above);
            filtered.extend([0; SLACK]);
            let mut plain = vec![0; (stride - 1 + SLACK) * (ROWS + 1)];
            plain[..stride - 1].copy_from_slice(above);
            match pixel {
                3 => unfilter::<3>(&filtered, stride, &mut plain),
                _ => unfilter::<4>(&filtered, stride, &mut plain),
            }
            let found: Vec<_> = plain.chunks_exact(stride - 1 + SLACK).skip(1).map(|row| &row[..stride - 1]).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
