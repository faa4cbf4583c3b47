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
struct Coefficient {
    value: i16,
    run: u8,
    /// Bits taken; zero where the look was too short.
    bits: u8,
}

/// Whole coefficients that were found in one look, without their values.
#[derive(Clone, Copy, Debug, Default)]
struct Skip {
    /// How many places of the block they cover.
    places: u8,
    /// Bits taken; zero where the look was too short.
    bits: u8,
    /// Whether the block ends with them.
    last: bool,
}

/// The symbol that ends a block, as a run that leads out of it.
const END: u8 = 64;

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
                    coefficient = Coefficient { value: 0, run: if run == 15 { 15 } else { END }, bits: length as u8 };
                } else if bits <= COEFFICIENT {
                    let value = (look as i32 >> (COEFFICIENT - bits)) & ((1 << size) - 1);
                    let value = if value >> (size - 1) == 0 { value - (1 << size) + 1 } else { value };
                    coefficient = Coefficient { value: value as i16, run, bits: bits as u8 };
                }
            }
            self.coefficients[look] = coefficient;
        }
        for look in 0..1_usize << SKIP {
            let mut skip = Skip::default();
            while !skip.last {
                let left = SKIP - u32::from(skip.bits);
                let rest = look as u32 & ((1 << left) - 1);
                let Some((length, symbol)) = self.within(rest, left) else { break };
                let (run, size) = (symbol >> 4, u32::from(symbol & 15));
                let places = if size > 0 || run == 15 { run + 1 } else { 0 };
                if length + size > left || skip.places + places > 63 {
                    break;
                }
                skip.places += places;
                skip.bits += (length + size) as u8;
                skip.last = places == 0;
            }
            self.skips[look] = skip;
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
        bits.refill();
        let (length, symbol) = self.looks[bits.peek(SYMBOL)];
        if length > 0 {
            bits.skip(u32::from(length));
            return Ok(symbol);
        }
        self.long_symbol(bits)
    }

    #[cold]
    #[inline(never)]
    fn long_symbol(&self, bits: &mut Bits<'_>) -> Result<u8, NoSuchCode> {
        let (length, symbol) = self.within(bits.peek(16) as u32, 16).ok_or(NoSuchCode)?;
        bits.skip(length);
        Ok(symbol)
    }

    /// Takes a coefficient: how many zeros go before it, and its value. A run of 64 ends the block.
    #[inline(always)]
    pub(super) fn coefficient(&self, bits: &mut Bits<'_>) -> Result<(usize, i16), NoSuchCode> {
        bits.refill();
        let found = self.coefficients[bits.peek(COEFFICIENT)];
        if found.bits > 0 {
            bits.skip(u32::from(found.bits));
            return Ok((usize::from(found.run), found.value));
        }
        let symbol = self.symbol(bits)?;
        match (symbol >> 4, symbol & 15) {
            (15, 0) => Ok((15, 0)),
            (_, 0) => Ok((usize::from(END), 0)),
            (run, size) => Ok((usize::from(run), bits.signed(u32::from(size)) as i16)),
        }
    }

    /// Takes the rest of a block from place `at` on, and throws it away.
    #[inline(always)]
    pub(super) fn skip(&self, bits: &mut Bits<'_>, mut at: usize) -> Result<(), NoSuchCode> {
        while at < 64 {
            bits.refill();
            let found = self.skips[bits.peek(SKIP)];
            let reached = at + usize::from(found.places);
            // What comes after the block's last place belongs to the next block, even if it fitted into the look.
            if found.bits > 0 && reached + usize::from(found.last) <= 64 {
                bits.skip(u32::from(found.bits));
                if found.last {
                    return Ok(());
                }
                at = reached;
                continue;
            }
            let (run, _) = self.coefficient(bits)?;
            if run == usize::from(END) {
                return Ok(());
            }
            at += run + 1;
        }
        // A run that leads out of the block without ending it.
        if at > 64 { Err(NoSuchCode) } else { Ok(()) }
    }
}

fn boxed<T: Copy, const N: usize>(value: T) -> Option<Box<[T; N]>> {
    vec![value; N].into_boxed_slice().try_into().ok()
}
