//! Huffman codes, looked up with what follows them.
//!
//! Two thirds of the time of a small decode go into coefficients that nobody needs. So there are three tables: one for
//! plain symbols, one that gives a coefficient with its run at once, and one that skips as many whole coefficients as
//! fit into one look.

use super::bits::Bits;

/// Bits of a look for a symbol.
const SYMBOL: u32 = 9;
/// Bits of a look for a coefficient.
const COEFFICIENT: u32 = 11;
/// Bits of a look that skips.
const SKIP: u32 = 12;

/// The codes of one table.
#[derive(Debug)]
pub(super) struct Huffman {
    symbols: Vec<u8>,
    /// For each length, where codes of that length end, left-aligned in 16 bits; and what to add to a code for its place.
    ends: [u32; 17],
    places: [i32; 17],
    /// Length and symbol; a length of zero means that the code is longer than the look.
    looks: Box<[(u8, u8); 1 << SYMBOL]>,
    coefficients: Box<[Coefficient; 1 << COEFFICIENT]>,
    skips: Box<[Skip; 1 << SKIP]>,
}

/// A coefficient that was found in one look.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(4))]
struct Coefficient {
    value: i16,
    run: u8,
    /// Bits taken; zero where the look was too short.
    bits: u8,
}

/// Whole coefficients that were found in one look, without their values, in one number: the lowest four bits say how many
/// bits they take (zero where the look was too short), the next seven how many places of the block they cover, and the highest
/// whether the block ends with them.
#[derive(Clone, Copy, Debug, Default)]
struct Skip(u16);

impl Skip {
    fn new(bits: u32, places: usize, last: bool) -> Self {
        Self(bits as u16 | (places as u16) << 4 | u16::from(last) << 15)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0 & 15)
    }

    #[inline(always)]
    fn places(self) -> usize {
        usize::from(self.0 >> 4 & 127)
    }

    #[inline(always)]
    fn last(self) -> bool {
        self.0 >> 15 != 0
    }
}

/// The symbol that ends a block, as a run that leads out of it. What it adds to this tells how many blocks end with it, in
/// pictures that come in layers.
pub(super) const END: u8 = 64;

/// A code that does not exist.
#[derive(Debug)]
pub(super) struct NoSuchCode;

impl Huffman {
    /// Builds the tables from how many codes each length has and the symbols in order. `None` where no such code exists.
    pub(super) fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        let mut table = Self {
            symbols: symbols.to_vec(),
            ends: [0; 17],
            places: [0; 17],
            looks: boxed((0, 0))?,
            coefficients: boxed(Coefficient::default())?,
            skips: boxed(Skip::default())?,
        };
        let (mut code, mut place) = (0_u32, 0_usize);
        for (length, count) in (1_u32..).zip(counts) {
            let count = usize::from(*count);
            table.places[length as usize] = place as i32 - code as i32;
            for symbol in symbols.get(place..place + count)? {
                if code >= 1 << length {
                    return None;
                }
                if length <= SYMBOL {
                    let (from, upto) = (code << (SYMBOL - length), (code + 1) << (SYMBOL - length));
                    table.looks[from as usize..upto as usize].fill((length as u8, *symbol));
                }
                code += 1;
            }
            place += count;
            table.ends[length as usize] = code << (16 - length);
            code <<= 1;
        }
        Some(table)
    }

    /// Prepares [`Huffman::coefficient`] and [`Huffman::skip`].
    pub(super) fn prepare(&mut self) {
        for look in 0..1_usize << COEFFICIENT {
            let mut coefficient = Coefficient::default();
            if let Some((length, symbol)) = self.within(look as u32, COEFFICIENT) {
                let (run, size) = (symbol >> 4, u32::from(symbol & 15));
                let bits = length + size;
                if size == 0 {
                    coefficient =
                        Coefficient { value: 0, run: if run == 15 { 15 } else { END + run }, bits: length as u8 };
                } else if bits <= COEFFICIENT {
                    let value = (look as i32 >> (COEFFICIENT - bits)) & ((1 << size) - 1);
                    let value = if value >> (size - 1) == 0 { value - (1 << size) + 1 } else { value };
                    coefficient = Coefficient { value: value as i16, run, bits: bits as u8 };
                }
            }
            self.coefficients[look] = coefficient;
        }
        for look in 0..1_usize << SKIP {
            let (mut taken, mut covered, mut last) = (0, 0, false);
            while !last {
                let left = SKIP - taken;
                let rest = look as u32 & ((1 << left) - 1);
                let Some((length, symbol)) = self.within(rest, left) else { break };
                let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
                let places = if size > 0 || run == 15 { run + 1 } else { 0 };
                if length + size > left || covered + places > 63 {
                    break;
                }
                covered += places;
                taken += length + size;
                last = places == 0;
            }
            self.skips[look] = Skip::new(taken, covered, last);
        }
    }

    /// The code that `look`, of `bits`, begins with.
    fn within(&self, look: u32, bits: u32) -> Option<(u32, u8)> {
        let aligned = if bits <= 16 { look << (16 - bits) } else { look >> (bits - 16) };
        let length = (1..=bits.min(16)).find(|length| aligned < self.ends[*length as usize])?;
        Some((length, self.place(aligned, length)?))
    }

    fn place(&self, aligned: u32, length: u32) -> Option<u8> {
        let place = (aligned >> (16 - length)) as i32 + self.places[length as usize];
        self.symbols.get(usize::try_from(place).ok()?).copied()
    }

    /// Takes a symbol. At least sixteen bits can be taken after it without a refill.
    #[inline(always)]
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Result<u8, NoSuchCode> {
        bits.refill_for_one();
        let (mut length, mut symbol) = self.looks[bits.peek(SYMBOL)];
        if length == 0 {
            (length, symbol) = self.long_symbol(bits.peek(16) as u32)?;
        }
        bits.skip(u32::from(length));
        Ok(symbol)
    }

    #[cold]
    #[inline(never)]
    fn long_symbol(&self, look: u32) -> Result<(u8, u8), NoSuchCode> {
        self.within(look, 16).map(|(length, symbol)| (length as u8, symbol)).ok_or(NoSuchCode)
    }

    /// Takes a coefficient: how many zeros go before it, and its value. A run of [`END`] or more ends the block.
    #[inline(always)]
    pub(super) fn coefficient(&self, bits: &mut Bits<'_>) -> Result<(usize, i16), NoSuchCode> {
        bits.refill_for_one();
        self.coefficient_at_hand(bits)
    }

    /// The same without a refill, as long as it takes no more than [`COEFFICIENT`] bits.
    #[inline(always)]
    pub(super) fn coefficient_at_hand(&self, bits: &mut Bits<'_>) -> Result<(usize, i16), NoSuchCode> {
        let found = self.coefficients[bits.peek(COEFFICIENT)];
        if found.bits > 0 {
            bits.skip(u32::from(found.bits));
            return Ok((usize::from(found.run), found.value));
        }
        let symbol = self.symbol(bits)?;
        let coefficient = match (symbol >> 4, symbol & 15) {
            (15, 0) => (15, 0),
            (run, 0) => (usize::from(END + run), 0),
            (run, size) => (usize::from(run), bits.signed(u32::from(size)) as i16),
        };
        bits.refill();
        Ok(coefficient)
    }

    /// Takes the rest of a block from place `at` on, and throws it away.
    #[inline(always)]
    pub(super) fn skip(&self, bits: &mut Bits<'_>, mut at: usize) -> Result<(), NoSuchCode> {
        while at < 64 {
            bits.refill();
            // So many looks need no refill.
            for _ in 0..56 / SKIP {
                let found = self.skips[bits.peek(SKIP)];
                let reached = at + found.places();
                // What comes after the block's last place belongs to the next block, even if it fitted into the look.
                if found.bits() == 0 || reached + usize::from(found.last()) > 64 {
                    let (run, _) = self.coefficient(bits)?;
                    if run >= usize::from(END) {
                        return Ok(());
                    }
                    at += run + 1;
                    break;
                }
                bits.skip(found.bits());
                at = reached;
                if found.last() {
                    return Ok(());
                }
                if at == 64 {
                    break;
                }
            }
        }
        // A run that leads out of the block without ending it.
        if at > 64 { Err(NoSuchCode) } else { Ok(()) }
    }
}

fn boxed<T: Copy, const N: usize>(value: T) -> Option<Box<[T; N]>> {
    vec![value; N].into_boxed_slice().try_into().ok()
}
