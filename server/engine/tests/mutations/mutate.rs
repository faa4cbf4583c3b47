//! Ways in which a file breaks: by chance, by a bad copy, or by somebody's will.

use std::ops::Range;

/// Numbers that follow from a seed (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A place in a file: half of them in its first part, where headers are.
    fn place(&mut self, length: usize) -> usize {
        if self.below(2) == 0 { self.below(length.min(200)) } else { self.below(length) }
    }

    fn range(&mut self, length: usize) -> Range<usize> {
        let from = self.place(length);
        let most = if self.below(2) == 0 { 16 } else { length };
        from..(from + self.below(most)).min(length)
    }
}

/// Where numbers turn over, and sizes that somebody forgot.
const NUMBERS: [u32; 24] = [
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    16,
    17,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    1000,
    2000,
    16_383,
    16_384,
    32_768,
    65_535,
    0x7fff_ffff,
    0xffff_ffff,
];

/// The file, broken in one to four ways.
pub(crate) fn mutated(file: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..=chance.below(4) {
        once(&mut file, other, chance);
        if file.is_empty() {
            break;
        }
    }
    // A checksum that does not fit would hide what lies behind it.
    if chance.below(5) > 0 {
        mend_png(&mut file);
    }
    file
}

fn once(file: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    let length = file.len();
    if length == 0 {
        return;
    }
    match chance.below(11) {
        0 | 1 => file[chance.place(length)] ^= 1 << chance.below(8),
        2 => file[chance.place(length)] = *chance.one_of(&[0, 1, 0x7f, 0x80, 0xfe, 0xff]),
        3 => file.truncate(chance.below(length)),
        4 => {
            file.truncate(chance.place(length));
            file.extend(&other[chance.place(other.len()).min(other.len())..]);
        }
        5 => drop(file.drain(chance.range(length))),
        6 => {
            let part = file[chance.range(length)].to_vec();
            let at = chance.place(length);
            file.splice(at..at, part.iter().copied().cycle().take(part.len() * (1 + chance.below(4))));
        }
        7 => {
            let range = chance.range(length);
            let filling = chance.next() as u8;
            file[range].fill(filling);
        }
        8 => number(file, chance),
        9 => size(file, chance),
        _ => {
            let (from, to) = (chance.range(other.len()), chance.place(length));
            let part = &other[from];
            let room = part.len().min(length - to);
            file[to..to + room].copy_from_slice(&part[..room]);
        }
    }
}

/// Writes a number of two or four bytes over what is somewhere: a length, an offset, a count.
fn number(file: &mut [u8], chance: &mut Chance) {
    let at = chance.place(file.len());
    let value = *chance.one_of(&NUMBERS);
    let bytes = match chance.below(4) {
        0 => value.to_be_bytes().to_vec(),
        1 => value.to_le_bytes().to_vec(),
        2 => (value as u16).to_be_bytes().to_vec(),
        _ => (value as u16).to_le_bytes().to_vec(),
    };
    write(file, at, &bytes);
}

/// Writes another width or height into the header.
fn size(file: &mut [u8], chance: &mut Chance) {
    let value = if chance.below(2) == 0 { *chance.one_of(&NUMBERS) } else { chance.below(3000) as u32 };
    let second = chance.below(2);
    let (big, little) = (value.to_be_bytes(), value.to_le_bytes());
    match file {
        [0x89, ..] => write(file, 16 + 4 * second, &big),
        [b'G', ..] => write(file, 6 + 2 * second, &little[..2]),
        [b'B', ..] => write(file, 18 + 4 * second, &little),
        [b'R', ..] if file.get(12..16) == Some(b"VP8X") => write(file, 24 + 3 * second, &little[..3]),
        [b'R', ..] if file.get(12..16) == Some(b"VP8L") => write(file, 21 + 2 * second, &little[..2]),
        [b'R', ..] => write(file, 26 + 2 * second, &little[..2]),
        [0xff, ..] => {
            let frame = file.windows(2).position(|pair| matches!(pair, [0xff, 0xc0..=0xc2]));
            write(file, frame.unwrap_or(0) + 5 + 2 * second, &big[2..]);
        }
        [b'I' | b'M', ..] => {
            let tag = [[1_u8, 0], [0, 1]].map(|[high, low]| if file[0] == b'M' { [high, low] } else { [low, high] });
            let entry = file.windows(2).rposition(|pair| pair == tag[second]);
            let bytes = if file[0] == b'M' { &big[2..] } else { &little[..2] };
            let bytes = bytes.to_vec();
            write(file, entry.unwrap_or(0) + 8, &bytes);
        }
        _ => {}
    }
}

fn write(file: &mut [u8], at: usize, bytes: &[u8]) {
    for (to, byte) in file.iter_mut().skip(at).zip(bytes) {
        *to = *byte;
    }
}

/// Makes the checksums of a PNG's chunks right again, as far as chunks can be told.
fn mend_png(file: &mut [u8]) {
    let mut at = 8;
    while let Some(Some(length)) = file.get(at..).map(|rest| rest.first_chunk::<4>()) {
        let length = u32::from_be_bytes(*length) as usize;
        let Some(body) = at.checked_add(8 + length).and_then(|end| file.get(at + 4..end)) else { break };
        if !file.starts_with(b"\x89PNG") {
            break;
        }
        let sum = crc32(body).to_be_bytes();
        write(file, at + 8 + length, &sum);
        at += 12 + length;
    }
}

pub(crate) fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
