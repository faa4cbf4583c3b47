//! Averages squares of pixels while the rows of a picture come in, so that a large picture is never in memory as a whole.
//!
//! Like a decoder's own reduction it leaves at least twice the pixels that are wanted; the resize does the rest.

use super::raster::{Depth, Layout, Raster};
use crate::pictures::recipe::Fit;

/// Sums stay within 32 bits up to here: 65 535 × 64 × 64.
const LARGEST: u32 = 64;

/// Collects rows into a smaller picture.
#[derive(Debug)]
pub(super) struct Reduce {
    factor: u32,
    width: u32,
    layout: Layout,
    depth: Depth,
    /// The rows since the last one that was written, summed up sample by sample.
    sums: Vec<u32>,
    summed: u32,
    across: u32,
    down: u32,
    data: Vec<u8>,
}

/// By how much a picture may be reduced for a rendition.
pub(in crate::pictures) fn factor(fit: Fit, width: u32, height: u32) -> u32 {
    let (least, from) = fit.least(width, height);
    (from / least.max(1)).clamp(1, LARGEST)
}

impl Reduce {
    /// `factor` is at least 2.
    pub(super) fn new(width: u32, height: u32, layout: Layout, depth: Depth, factor: u32) -> Self {
        let (across, down) = (width.div_ceil(factor), height.div_ceil(factor));
        let bytes = across as usize * down as usize * layout.channels() * depth.bytes();
        let sums = vec![0; width as usize * layout.channels()];
        Self { factor, width, layout, depth, sums, summed: 0, across, down, data: Vec::with_capacity(bytes) }
    }

    /// Takes the next row; samples of sixteen bits are in the machine's byte order.
    pub(super) fn row(&mut self, row: &[u8]) {
        match (self.depth, self.layout) {
            (Depth::Eight, Layout::Rgba) => add_weighted::<4>(&mut self.sums, row.iter().map(|byte| u32::from(*byte))),
            (Depth::Eight, Layout::GreyAlpha) => {
                add_weighted::<2>(&mut self.sums, row.iter().map(|byte| u32::from(*byte)));
            }
            (Depth::Eight, _) => {
                for (sum, byte) in self.sums.iter_mut().zip(row) {
                    *sum += u32::from(*byte);
                }
            }
            (Depth::Sixteen, layout) => {
                let wide = row.as_chunks::<2>().0.iter().map(|pair| u32::from(u16::from_ne_bytes(*pair)));
                if layout.has_alpha() {
                    self.add_wide_weighted(wide);
                } else {
                    self.sums.iter_mut().zip(wide).for_each(|(sum, sample)| *sum += sample);
                }
            }
        }
        self.summed += 1;
        if self.summed == self.factor {
            self.write();
        }
    }

    /// Sixteen bits times sixteen bits leave no room for sums: here the product is rounded at once.
    fn add_wide_weighted(&mut self, samples: impl Iterator<Item = u32>) {
        let channels = self.layout.channels();
        let samples: Vec<u32> = samples.collect();
        for (sums, pixel) in self.sums.chunks_exact_mut(channels).zip(samples.chunks_exact(channels)) {
            let alpha = u64::from(pixel[channels - 1]);
            for (sum, sample) in sums.iter_mut().zip(&pixel[..channels - 1]) {
                *sum += ((u64::from(*sample) * alpha + 32_767) / 65_535) as u32;
            }
            sums[channels - 1] += pixel[channels - 1];
        }
    }

    fn write(&mut self) {
        match self.layout.channels() {
            1 => self.write_row::<1>(),
            2 => self.write_row::<2>(),
            3 => self.write_row::<3>(),
            _ => self.write_row::<4>(),
        }
        self.sums.fill(0);
        self.summed = 0;
    }

    fn write_row<const CHANNELS: usize>(&mut self) {
        match self.factor {
            2 => self.write_squares::<CHANNELS, 2>(),
            3 => self.write_squares::<CHANNELS, 3>(),
            _ => self.write_squares::<CHANNELS, 0>(),
        }
    }

    /// `SIDE` is the factor where the compiler may know it, or 0.
    fn write_squares<const CHANNELS: usize, const SIDE: usize>(&mut self) {
        let side = if SIDE > 0 { SIDE } else { self.factor as usize };
        // Eight-bit colours were multiplied by their alpha on the way in.
        let weight = if self.layout.has_alpha() && self.depth == Depth::Eight { 255 } else { 1 };
        let means = |square: &[[u32; CHANNELS]], mean: &[Mean; CHANNELS]| {
            let mut total = [0_u32; CHANNELS];
            for pixel in square {
                for (total, sum) in total.iter_mut().zip(pixel) {
                    *total += sum;
                }
            }
            std::array::from_fn(|channel| mean[channel].of(total[channel]))
        };
        let of = |pixels: usize| {
            let count = self.summed * pixels as u32;
            std::array::from_fn(|channel| Mean::new(if channel + 1 == CHANNELS { count } else { count * weight }))
        };
        let mean = of(side);
        let squares = self.sums.as_chunks::<CHANNELS>().0.chunks_exact(side);
        let rest = squares.remainder();
        let begin = self.data.len();
        let bytes = CHANNELS * self.depth.bytes();
        self.data.resize(begin + self.across as usize * bytes, 0);
        let mut written = self.data[begin..].chunks_exact_mut(bytes);
        let depth = self.depth;
        let put = |samples: [u32; CHANNELS], to: &mut [u8]| match depth {
            Depth::Eight => to.iter_mut().zip(samples).for_each(|(to, sample)| *to = sample as u8),
            Depth::Sixteen => to
                .as_chunks_mut::<2>()
                .0
                .iter_mut()
                .zip(samples)
                .for_each(|(to, sample)| *to = (sample as u16).to_ne_bytes()),
        };
        for (square, to) in squares.zip(&mut written) {
            put(means(square, &mean), to);
        }
        if let (false, Some(to)) = (rest.is_empty(), written.next()) {
            put(means(rest, &of(rest.len())), to);
        }
    }

    /// The picture, once all rows have come.
    pub(super) fn finish(mut self, height: u32) -> Raster {
        if self.summed > 0 {
            self.write();
        }
        Raster {
            width: self.across,
            height: self.down,
            layout: self.layout,
            depth: self.depth,
            premultiplied: self.layout.has_alpha(),
            density: (1.0 / f64::from(self.factor), 1.0 / f64::from(self.factor)),
            whole: (self.width, height),
            data: self.data,
        }
    }
}

/// Divides, rounding, by a number that stays the same: by multiplying with its reciprocal.
#[derive(Clone, Copy)]
struct Mean {
    half: u64,
    reciprocal: u64,
}

impl Mean {
    fn new(divisor: u32) -> Self {
        Self { half: u64::from(divisor / 2), reciprocal: (1 << 40) / u64::from(divisor.max(1)) + 1 }
    }

    #[inline(always)]
    fn of(self, total: u32) -> u32 {
        (((u64::from(total) + self.half) * self.reciprocal) >> 40) as u32
    }
}

#[inline(always)]
fn add_weighted<const CHANNELS: usize>(sums: &mut [u32], samples: impl Iterator<Item = u32>) {
    let mut samples = samples;
    for sums in sums.as_chunks_mut::<CHANNELS>().0 {
        let pixel: [u32; CHANNELS] = std::array::from_fn(|_| samples.next().unwrap_or_default());
        let alpha = pixel[CHANNELS - 1];
        for (sum, sample) in sums[..CHANNELS - 1].iter_mut().zip(&pixel[..CHANNELS - 1]) {
            *sum += sample * alpha;
        }
        sums[CHANNELS - 1] += alpha;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_become_their_means_and_the_rest_at_the_edges_as_well() {
        let mut reduce = Reduce::new(5, 3, Layout::Grey, Depth::Eight, 2);
        for row in [[10, 20, 30, 40, 50], [20, 30, 40, 50, 70], [1, 3, 5, 7, 9]] {
            reduce.row(&row);
        }
        let raster = reduce.finish(3);
        assert_eq!((raster.width, raster.height), (3, 2));
        assert_eq!(raster.data, [20, 40, 60, 2, 6, 9]);
    }

    #[test]
    fn what_is_transparent_lends_no_colour() {
        let mut reduce = Reduce::new(2, 2, Layout::Rgba, Depth::Eight, 2);
        reduce.row(&[200, 100, 0, 255, 0, 0, 0, 0]);
        reduce.row(&[200, 100, 0, 255, 9, 9, 9, 0]);
        let raster = reduce.finish(2);
        assert!(raster.premultiplied);
        assert_eq!(raster.data, [100, 50, 0, 128]);
    }

    #[test]
    fn sixteen_bits_do_not_overflow() {
        let white = [255; 64 * 8];
        let mut reduce = Reduce::new(64, 64, Layout::Rgba, Depth::Sixteen, 64);
        for _ in 0..64 {
            reduce.row(&white);
        }
        assert_eq!(reduce.finish(64).data, [255; 8]);
    }
}
