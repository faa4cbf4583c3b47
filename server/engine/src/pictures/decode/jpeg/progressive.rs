//! Scans of a picture that comes in ever finer layers.
//!
//! Of each block only the coefficients that the scale needs are kept, and of the others whether they are zero: that
//! decides how many bits the later scans have for them.

use super::{
    Broken, Progress,
    bits::Bits,
    frame::{Component, Frame, Scan, Tables},
    huffman::{END, Huffman, NoSuchCode},
    idct::{self, Scale, ZIGZAG},
};

/// What was collected of a component.
#[derive(Debug)]
pub(super) struct Kept {
    /// Coefficients kept of each block.
    each: usize,
    values: Vec<i16>,
    /// A bit for each coefficient that is not zero.
    filled: Vec<u64>,
    across: usize,
    /// For each coefficient, how many of its low bits are still to come; 255 before its first scan.
    open: [u8; 64],
}

impl Kept {
    fn new(component: &Component, units: (u32, u32), scale: Scale) -> Self {
        let across = component.padded_across(units.0);
        let blocks = across * (units.1 * component.down) as usize;
        let each = scale.needed();
        Self { each, values: vec![0; blocks * each], filled: vec![0; blocks], across, open: [255; 64] }
    }

    #[inline(always)]
    fn set(&mut self, block: usize, at: usize, value: i32) {
        self.filled[block] |= 1 << at;
        if at < self.each {
            self.values[block * self.each + at] = value as i16;
        }
    }

    /// Whether nothing of it is still to come.
    pub(super) fn complete(&self) -> bool {
        self.open.iter().all(|bits| *bits == 0)
    }
}

/// Decodes a scan; says where it ended and how many of its units could be decoded.
pub(super) fn scan(
    data: &[u8],
    at: usize,
    frame: &mut Frame,
    scan: &Scan,
    tables: &Tables<'_>,
) -> Result<(usize, Progress), Broken> {
    let (units, scale) = (frame.units, frame.scale);
    for index in &scan.components {
        let component = &mut frame.components[*index];
        if component.kept.is_none() {
            component.kept = Some(Kept::new(component, units, scale));
        }
        if let Some(kept) = &mut component.kept {
            kept.open[scan.first..=scan.last].fill(scan.low);
        }
    }
    let mut bits = Bits::new(data, at);
    let alone = scan.components.len() == 1;
    let (across, down) = match scan.components[..] {
        [index] => frame.components[index].blocks,
        _ => frame.units,
    };
    let mut progress = Progress { units: u64::from(across) * u64::from(down), lost: 0 };
    let mut until_restart = tables.restart_interval;
    let mut lost_until_restart = false;
    let mut ended_blocks = 0;
    for y in 0..down {
        for x in 0..across {
            if tables.restart_interval > 0 && until_restart == 0 {
                let (begun, found) = bits.restarted();
                (bits, lost_until_restart) = (begun, !found);
                until_restart = tables.restart_interval;
                ended_blocks = 0;
                for index in &scan.components {
                    frame.components[*index].dc_before = 0;
                }
            }
            until_restart = until_restart.wrapping_sub(1);
            if lost_until_restart {
                if tables.restart_interval == 0 {
                    // Nothing can begin anew.
                    progress.lost += progress.units - (u64::from(y) * u64::from(across) + u64::from(x));
                    return Ok((bits.marker(), progress));
                }
                progress.lost += 1;
                continue;
            }
            let mut whole = true;
            for index in &scan.components {
                let component = &mut frame.components[*index];
                let (columns, rows) = if alone { (1, 1) } else { (component.across, component.down) };
                for row in 0..rows {
                    for column in 0..columns {
                        let place = ((x * columns + column) as usize, (y * rows + row) as usize);
                        whole = whole && block(&mut bits, component, scan, tables, place, &mut ended_blocks).is_ok();
                    }
                }
            }
            if !whole || bits.overrun() {
                lost_until_restart = true;
                progress.lost += 1;
            }
        }
    }
    Ok((bits.marker(), progress))
}

#[inline(always)]
fn block(
    bits: &mut Bits<'_>,
    component: &mut Component,
    scan: &Scan,
    tables: &Tables<'_>,
    (x, y): (usize, usize),
    ended_blocks: &mut u32,
) -> Result<(), NoSuchCode> {
    let Component { kept: Some(kept), dc_before, dc_table, ac_table, .. } = component else { return Ok(()) };
    let block = y * kept.across + x;
    if scan.first > 0 {
        let codes = tables.ac.get(*ac_table).and_then(Option::as_ref).ok_or(NoSuchCode)?;
        return if scan.high == 0 {
            first_ac(bits, kept, scan, codes, block, ended_blocks)
        } else {
            refine_ac(bits, kept, scan, codes, block, ended_blocks)
        };
    }
    if scan.high > 0 {
        if bits.bit() {
            kept.values[block * kept.each] |= 1 << scan.low;
        }
        return Ok(());
    }
    let codes = tables.dc.get(*dc_table).and_then(Option::as_ref).ok_or(NoSuchCode)?;
    let size = codes.symbol(bits)?;
    if size > 11 {
        return Err(NoSuchCode);
    }
    *dc_before = dc_before.wrapping_add(bits.signed(u32::from(size)));
    kept.values[block * kept.each] = (*dc_before << scan.low) as i16;
    Ok(())
}

#[inline(always)]
fn first_ac(
    bits: &mut Bits<'_>,
    kept: &mut Kept,
    scan: &Scan,
    codes: &Huffman,
    block: usize,
    ended_blocks: &mut u32,
) -> Result<(), NoSuchCode> {
    if *ended_blocks > 0 {
        *ended_blocks -= 1;
        return Ok(());
    }
    let (mut at, mut filled) = (scan.first, 0_u64);
    while at <= scan.last {
        let (run, value) = codes.coefficient(bits)?;
        if run >= usize::from(END) {
            let more = (run - usize::from(END)) as u32;
            *ended_blocks = (1 << more) - 1 + bits.take(more) as u32;
            break;
        }
        at += run;
        // Sixteen zeros come as a coefficient that is none.
        if value != 0 {
            if at > 63 {
                return Err(NoSuchCode);
            }
            filled |= 1 << at;
            if at < kept.each {
                kept.values[block * kept.each + at] = (i32::from(value) << scan.low) as i16;
            }
        }
        at += 1;
    }
    kept.filled[block] |= filled;
    Ok(())
}

#[inline(always)]
fn refine_ac(
    bits: &mut Bits<'_>,
    kept: &mut Kept,
    scan: &Scan,
    codes: &Huffman,
    block: usize,
    ended_blocks: &mut u32,
) -> Result<(), NoSuchCode> {
    let mut at = scan.first;
    while *ended_blocks == 0 && at <= scan.last {
        let symbol = codes.symbol(bits)?;
        let (zeros, size) = (u32::from(symbol >> 4), symbol & 15);
        let mut fresh = 0;
        if size == 0 {
            if zeros < 15 {
                *ended_blocks = (1 << zeros) + bits.take(zeros) as u32;
                break;
            }
        } else if size == 1 {
            fresh = if bits.bit() { 1 } else { -1 };
        } else {
            return Err(NoSuchCode);
        }
        let filled = kept.filled[block];
        let left = scan.from(at);
        let mut open = left & !filled;
        for _ in 0..zeros {
            open &= open.wrapping_sub(1);
        }
        // Up to the next zero after so many, each coefficient that is none gets its bit.
        let place = if open == 0 { scan.last + 1 } else { open.trailing_zeros() as usize };
        refine(bits, kept, scan, block, left & filled & !scan.from(place));
        if fresh != 0 {
            if place > scan.last {
                return Err(NoSuchCode);
            }
            kept.set(block, place, fresh << scan.low);
        }
        at = place + 1;
    }
    if *ended_blocks > 0 {
        *ended_blocks -= 1;
        refine(bits, kept, scan, block, kept.filled[block] & scan.from(at));
    }
    Ok(())
}

/// One more bit for each of these coefficients of a block, away from zero.
#[inline(always)]
fn refine(bits: &mut Bits<'_>, kept: &mut Kept, scan: &Scan, block: usize, these: u64) {
    let values = kept.values.get_mut(block * kept.each..(block + 1) * kept.each).unwrap_or_default();
    let step = 1 << scan.low;
    let mut left = these;
    while left != 0 {
        let Some(value) = values.get_mut(left.trailing_zeros() as usize) else {
            // From here on nobody needs them.
            bits.pass(left.count_ones());
            break;
        };
        if bits.bit() && *value & step == 0 {
            *value = value.saturating_add(if *value >= 0 { step } else { -step });
        }
        left &= left - 1;
    }
}

/// Turns what was collected into samples, and lets it go.
pub(super) fn finish(frame: &mut Frame) {
    let scale = frame.scale;
    let side = scale.side();
    for component in &mut frame.components {
        let Some(kept) = component.kept.take() else { continue };
        for (at, values) in kept.values.chunks_exact(kept.each).enumerate() {
            let mut coefficients = [0; 64];
            let mut last = 0;
            for (place, value) in values.iter().enumerate() {
                coefficients[usize::from(ZIGZAG[place])] = *value;
                if *value != 0 {
                    last = place;
                }
            }
            let corner = (at / kept.across) * side * component.stride + (at % kept.across) * side;
            idct::block(&coefficients, last, &component.factors, scale, &mut component.plane, corner, component.stride);
        }
    }
}
