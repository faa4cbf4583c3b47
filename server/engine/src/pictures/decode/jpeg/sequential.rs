//! Scans of a picture that comes from top to bottom.

use super::{
    Broken, Progress,
    bits::Bits,
    frame::{Component, Frame, Scan, Tables},
    huffman::{Huffman, NoSuchCode},
    idct::{self, Scale, ZIGZAG},
};

/// Decodes a scan; says where it ended and how many of its units could be decoded.
pub(super) fn scan(
    data: &[u8],
    at: usize,
    frame: &mut Frame,
    scan: &Scan,
    tables: &Tables<'_>,
) -> Result<(usize, Progress), Broken> {
    // Each scale has its own loops: what is not needed is not even asked for.
    match frame.scale {
        Scale::Eighth => scaled::<1>(data, at, frame, scan, tables),
        Scale::Quarter => scaled::<2>(data, at, frame, scan, tables),
        Scale::Half => scaled::<4>(data, at, frame, scan, tables),
        Scale::Whole => scaled::<8>(data, at, frame, scan, tables),
    }
}

fn scaled<const SIDE: usize>(
    data: &[u8],
    at: usize,
    frame: &mut Frame,
    scan: &Scan,
    tables: &Tables<'_>,
) -> Result<(usize, Progress), Broken> {
    let mut bits = Bits::new(data, at);
    let codes = scan
        .components
        .iter()
        .map(|index| {
            let component = &frame.components[*index];
            let dc = tables.dc.get(component.dc_table).and_then(Option::as_ref);
            let ac = tables.ac.get(component.ac_table).and_then(Option::as_ref);
            dc.zip(ac).ok_or(Broken("a table of codes is missing"))
        })
        .collect::<Result<Vec<(&Huffman, &Huffman)>, _>>()?;
    let alone = scan.components.len() == 1;
    let (across, down) = match scan.components[..] {
        [index] => frame.components[index].blocks,
        _ => frame.units,
    };
    let mut progress = Progress { units: u64::from(across) * u64::from(down), lost: 0 };
    let mut until_restart = tables.restart_interval;
    let mut lost_until_restart = false;
    for y in 0..down {
        for x in 0..across {
            if tables.restart_interval > 0 && until_restart == 0 {
                let (begun, found) = bits.restarted();
                (bits, lost_until_restart) = (begun, !found);
                until_restart = tables.restart_interval;
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
            for (index, codes) in scan.components.iter().zip(&codes) {
                let component = &mut frame.components[*index];
                let (columns, rows) = if alone { (1, 1) } else { (component.across, component.down) };
                for row in 0..rows {
                    for column in 0..columns {
                        let place = (x * columns + column, y * rows + row);
                        whole = whole && block::<SIDE>(&mut bits, component, *codes, place).is_ok();
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
fn block<const SIDE: usize>(
    bits: &mut Bits<'_>,
    component: &mut Component,
    (dc, ac): (&Huffman, &Huffman),
    (x, y): (u32, u32),
) -> Result<(), NoSuchCode> {
    let size = dc.symbol(bits)?;
    if size > 11 {
        return Err(NoSuchCode);
    }
    component.dc_before = component.dc_before.wrapping_add(bits.signed(u32::from(size)));
    let first = component.dc_before as i16;
    let corner = y as usize * SIDE * component.stride + x as usize * SIDE;
    let Component { plane, factors, stride, .. } = component;
    if SIDE <= 2 {
        // The few that are needed stay in the order in which they come.
        let mut few = [first, 0, 0, 0, 0, 0, 0, 0];
        let mut at = 1;
        // Four that are found at once need no other refill.
        bits.refill();
        while SIDE == 2 && at < idct::OF_A_QUARTER {
            let (run, value) = ac.coefficient_at_hand(bits)?;
            at += run;
            if let Some(place) = few.get_mut(at) {
                *place = value;
            }
            at += 1;
        }
        if at <= 64 {
            ac.skip(bits, at)?;
        }
        idct::few::<SIDE>(few, factors, plane, corner, *stride);
        return Ok(());
    }
    let scale = const { Scale::of_side(SIDE) };
    let mut coefficients = [0; 64];
    coefficients[0] = first;
    let (mut at, mut last) = (1, 0);
    let mut ended = false;
    while at < scale.needed() {
        let (run, value) = ac.coefficient(bits)?;
        at += run;
        if at > 63 {
            ended = true;
            break;
        }
        coefficients[usize::from(ZIGZAG[at])] = value;
        last = at;
        at += 1;
    }
    if !ended {
        ac.skip(bits, at)?;
    }
    idct::block(&coefficients, last, factors, scale, plane, corner, *stride);
    Ok(())
}
