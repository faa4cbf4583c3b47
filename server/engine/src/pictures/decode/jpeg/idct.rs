//! From coefficients to samples, at an eighth, a quarter, a half or the whole of the size.
//!
//! A smaller transform takes only the low frequencies: what the picture would be after an ideal low-pass filter.

use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

/// The order in which a block's coefficients come.
pub(super) const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63,
];

/// Coefficients up to the last that a quarter needs, in the order in which they come.
pub(super) const OF_A_QUARTER: usize = 5;

/// Samples that a block becomes in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pictures) enum Scale {
    Eighth,
    Quarter,
    Half,
    Whole,
}

impl Scale {
    pub(in crate::pictures) const fn side(self) -> usize {
        match self {
            Self::Eighth => 1,
            Self::Quarter => 2,
            Self::Half => 4,
            Self::Whole => 8,
        }
    }

    pub(super) const fn of_side(side: usize) -> Self {
        match side {
            1 => Self::Eighth,
            2 => Self::Quarter,
            4 => Self::Half,
            _ => Self::Whole,
        }
    }

    /// How many coefficients of a block are needed, in the order in which they come.
    pub(in crate::pictures) const fn needed(self) -> usize {
        match self {
            Self::Eighth => 1,
            Self::Quarter => OF_A_QUARTER,
            Self::Half => 25,
            Self::Whole => 64,
        }
    }

    /// The coarsest scale at which `from` pixels are still at least `least`.
    pub(in crate::pictures) fn for_at_least(least: u32, from: u32) -> Self {
        [Self::Eighth, Self::Quarter, Self::Half]
            .into_iter()
            .find(|scale| u64::from(from) * scale.side() as u64 >= u64::from(least) * 8)
            .unwrap_or(Self::Whole)
    }
}

/// A quantisation table that has the constant factors of the transform in it, in rows.
pub(super) fn factors(quantisation: &[u16; 64], scale: Scale) -> [f32; 64] {
    // The factors of the transform by Arai, Agui and Nakajima.
    let whole = |frequency: usize| match frequency {
        0 => 1.0,
        _ => (frequency as f32 * std::f32::consts::PI / 16.0).cos() * SQRT_2,
    };
    let factor = |frequency: usize| match scale {
        Scale::Whole => whole(frequency) * 0.125_f32.sqrt(),
        _ if frequency == 0 => FRAC_1_SQRT_2 / 2.0,
        _ => 0.5,
    };
    let mut factors = [0.0; 64];
    for (place, step) in ZIGZAG.iter().zip(quantisation) {
        let place = usize::from(*place);
        factors[place] = f32::from(*step) * factor(place / 8) * factor(place % 8);
    }
    factors
}

/// Writes the samples of one block into a plane at `at`. `last` is the highest place (in the order in which they come)
/// that holds something.
#[inline(always)]
pub(super) fn block(
    coefficients: &[i16; 64],
    last: usize,
    factors: &[f32; 64],
    scale: Scale,
    plane: &mut [u8],
    at: usize,
    stride: usize,
) {
    let in_order = || {
        let [first, second, third, fourth, fifth] = [0, 1, 8, 16, 9].map(|place: usize| coefficients[place]);
        [first, second, third, fourth, fifth, 0, 0, 0]
    };
    if last == 0 && scale > Scale::Quarter {
        let mean = sample(f32::from(coefficients[0]) * factors[0]);
        for row in 0..scale.side() {
            if let Some(row) = plane.get_mut(at + row * stride..at + row * stride + scale.side()) {
                row.fill(mean);
            }
        }
        return;
    }
    match scale {
        Scale::Eighth => few::<1>(in_order(), factors, plane, at, stride),
        Scale::Quarter => few::<2>(in_order(), factors, plane, at, stride),
        Scale::Half => half(coefficients, factors, plane, at, stride),
        Scale::Whole => whole(coefficients, factors, plane, at, stride),
    }
}

/// A block at an eighth or a quarter, from its first coefficients in the order in which they come.
#[inline(always)]
pub(super) fn few<const SIDE: usize>(
    coefficients: [i16; 8],
    factors: &[f32; 64],
    plane: &mut [u8],
    at: usize,
    stride: usize,
) {
    let [mean, across, down, _, both, ..] = coefficients.map(f32::from);
    let mean = mean * factors[0];
    if SIDE == 1 {
        write(plane, at, &[sample(mean)]);
        return;
    }
    let (across, down) = (across * factors[1] * FRAC_1_SQRT_2, down * factors[8] * FRAC_1_SQRT_2);
    let both = both * factors[9] * 0.5;
    let (top, bottom) = (mean + down, mean - down);
    let (inner, outer) = (across + both, across - both);
    write(plane, at, &[sample(top + inner), sample(top - inner)]);
    write(plane, at + stride, &[sample(bottom + outer), sample(bottom - outer)]);
}

fn half(coefficients: &[i16; 64], factors: &[f32; 64], plane: &mut [u8], at: usize, stride: usize) {
    let mut rows = [[0.0; 4]; 4];
    for (down, row) in rows.iter_mut().enumerate() {
        for (across, value) in row.iter_mut().enumerate() {
            *value = f32::from(coefficients[down * 8 + across]) * factors[down * 8 + across];
        }
    }
    let columns = transposed(four(rows));
    for (row, samples) in transposed(four(columns)).iter().enumerate() {
        write(plane, at + row * stride, &samples.map(sample));
    }
}

/// Four points of each column at once.
fn four([f0, f1, f2, f3]: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
    const C1: f32 = 0.923_879_5;
    const C3: f32 = 0.382_683_43;
    let mut out = [[0.0; 4]; 4];
    for i in 0..4 {
        let turned = f2[i] * FRAC_1_SQRT_2;
        let (even, odd) = (f0[i] + turned, f0[i] - turned);
        let (outer, inner) = (f1[i] * C1 + f3[i] * C3, f1[i] * C3 - f3[i] * C1);
        out[0][i] = even + outer;
        out[1][i] = odd + inner;
        out[2][i] = odd - inner;
        out[3][i] = even - outer;
    }
    out
}

fn whole(coefficients: &[i16; 64], factors: &[f32; 64], plane: &mut [u8], at: usize, stride: usize) {
    let mut rows = [[0.0; 8]; 8];
    for ((row, values), factors) in rows.iter_mut().zip(coefficients.as_chunks::<8>().0).zip(factors.as_chunks::<8>().0)
    {
        for i in 0..8 {
            row[i] = f32::from(values[i]) * factors[i];
        }
    }
    let columns = transposed(eight(rows));
    for (row, samples) in transposed(eight(columns)).iter().enumerate() {
        write(plane, at + row * stride, &samples.map(sample));
    }
}

/// Eight points of each column at once, by Arai, Agui and Nakajima.
fn eight(f: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
    let mut out = [[0.0; 8]; 8];
    for i in 0..8 {
        let (a, b) = (f[0][i] + f[4][i], f[0][i] - f[4][i]);
        let c = f[2][i] + f[6][i];
        let d = (f[2][i] - f[6][i]) * SQRT_2 - c;
        let (e0, e3, e1, e2) = (a + c, a - c, b + d, b - d);

        let (z13, z10) = (f[5][i] + f[3][i], f[5][i] - f[3][i]);
        let (z11, z12) = (f[1][i] + f[7][i], f[1][i] - f[7][i]);
        let o7 = z11 + z13;
        let turned = (z10 + z12) * 1.847_759_1;
        let o6 = turned - z10 * 2.613_126 - o7;
        let o5 = (z11 - z13) * SQRT_2 - o6;
        let o4 = turned - z12 * 1.082_392_2 - o5;

        out[0][i] = e0 + o7;
        out[7][i] = e0 - o7;
        out[1][i] = e1 + o6;
        out[6][i] = e1 - o6;
        out[2][i] = e2 + o5;
        out[5][i] = e2 - o5;
        out[3][i] = e3 + o4;
        out[4][i] = e3 - o4;
    }
    out
}

fn transposed<const N: usize>(rows: [[f32; N]; N]) -> [[f32; N]; N] {
    let mut columns = [[0.0; N]; N];
    for (down, row) in rows.iter().enumerate() {
        for (across, value) in row.iter().enumerate() {
            columns[across][down] = *value;
        }
    }
    columns
}

#[inline(always)]
fn write<const N: usize>(plane: &mut [u8], at: usize, samples: &[u8; N]) {
    if let Some(row) = plane.get_mut(at..at + N) {
        row.copy_from_slice(samples);
    }
}

/// Samples are stored around zero.
#[inline(always)]
fn sample(value: f32) -> u8 {
    // The cast saturates at both ends.
    (value + 128.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The transform as the standard writes it.
    fn by_the_book(coefficients: &[i16; 64], side: usize) -> Vec<f64> {
        let c = |frequency: usize| if frequency == 0 { 0.5_f64.sqrt() } else { 1.0 };
        let wave = |at: usize, frequency: usize| {
            ((2 * at + 1) as f64 * frequency as f64 * std::f64::consts::PI / (2 * side) as f64).cos()
        };
        let mut samples = Vec::new();
        for y in 0..side {
            for x in 0..side {
                let mut sum = 0.0;
                for v in 0..side {
                    for u in 0..side {
                        sum += c(u) * c(v) * f64::from(coefficients[v * 8 + u]) * wave(x, u) * wave(y, v);
                    }
                }
                samples.push((sum / 4.0 + 128.0).clamp(0.0, 255.0));
            }
        }
        samples
    }

    #[test]
    fn every_scale_is_the_transform_of_the_standard() {
        for seed in 0..50_i32 {
            let mut coefficients = [0; 64];
            for (place, value) in coefficients.iter_mut().enumerate() {
                let noise = (seed.wrapping_mul(7919) + place as i32 * 104_729).wrapping_mul(48_271) >> 8;
                *value = (noise % (400 / (1 + place as i32))) as i16;
            }
            for scale in [Scale::Eighth, Scale::Quarter, Scale::Half, Scale::Whole] {
                let side = scale.side();
                let mut plane = vec![0; 64];
                block(&coefficients, 63, &factors(&[1; 64], scale), scale, &mut plane, 0, side);
                for (sample, exact) in plane.iter().zip(by_the_book(&coefficients, side)) {
                    assert!((f64::from(*sample) - exact).abs() < 0.51, "{scale:?} {sample} {exact}");
                }
            }
        }
    }

    #[test]
    fn the_scale_leaves_enough_pixels() {
        assert_eq!(Scale::for_at_least(880, 4000), Scale::Quarter);
        assert_eq!(Scale::for_at_least(880, 8000), Scale::Eighth);
        assert_eq!(Scale::for_at_least(880, 1760), Scale::Half);
        assert_eq!(Scale::for_at_least(880, 1759), Scale::Whole);
        assert_eq!(Scale::for_at_least(880, 100), Scale::Whole);
    }
}
