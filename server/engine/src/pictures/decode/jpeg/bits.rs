//! The entropy-coded bits of a scan: stuffing removed, markers left alone, the end noticed but never passed.

/// Reads bits, the highest first. Past the end it reads zeros and remembers that it did.
///
/// What is seldom done takes it by value and gives it back: so it lives in registers, where a borrow would force it into
/// memory, onto the way from each bit to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    /// The next bits, the first one highest; below those that count may stand what follows them, or zeros.
    ahead: u64,
    /// How many of them count: fewer than 64.
    count: u32,
    /// How many of those that count were made up.
    padding: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(data: &'a [u8], at: usize) -> Self {
        Self { data, at, ahead: 0, count: 0, padding: 0 }
    }

    /// Makes sure that at least 56 bits can be taken.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if let Some(bytes) = self.data.get(self.at..).and_then(<[u8]>::first_chunk::<8>) {
            let word = u64::from_be_bytes(*bytes);
            // No byte is 0xff: none is stuffed, none begins a marker.
            if word & !word.wrapping_add(0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0 {
                self.ahead |= word >> self.count;
                self.at += ((63 - self.count) >> 3) as usize;
                self.count |= 56;
                return;
            }
        }
        *self = self.refilled_slowly();
    }

    /// Makes sure that at least 32 bits can be taken: a code and its value.
    #[inline(always)]
    pub(super) fn refill_for_one(&mut self) {
        if self.count < 32 {
            self.refill();
        }
    }

    #[cold]
    #[inline(never)]
    fn refilled_slowly(mut self) -> Self {
        while self.count < 56 {
            let byte = match self.data.get(self.at..) {
                Some([0xff, 0, ..]) => {
                    self.at += 2;
                    0xff
                }
                Some([byte, ..]) if *byte != 0xff => {
                    self.at += 1;
                    *byte
                }
                _ => {
                    self.padding += 8;
                    0
                }
            };
            self.ahead |= u64::from(byte) << (56 - self.count);
            self.count += 8;
        }
        self
    }

    /// The next `bits` (1 to 32) without taking them; a refill goes before.
    #[inline(always)]
    pub(super) fn peek(&self, bits: u32) -> usize {
        (self.ahead >> (64 - bits)) as usize
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, bits: u32) {
        self.ahead <<= bits;
        self.count -= bits;
    }

    /// Takes any number of bits and throws them away.
    #[inline(always)]
    pub(super) fn pass(&mut self, mut bits: u32) {
        while bits > 0 {
            self.refill();
            let some = bits.min(56);
            self.skip(some);
            bits -= some;
        }
    }

    /// Takes `bits` (0 to 16) as an unsigned number; a refill goes before.
    #[inline(always)]
    pub(super) fn take(&mut self, bits: u32) -> i32 {
        let value = ((self.ahead >> 1) >> (63 - bits)) as i32;
        self.skip(bits);
        value
    }

    /// Takes a value of `bits` (0 to 16) whose first bit tells its sign, as JPEG has it.
    #[inline(always)]
    pub(super) fn signed(&mut self, bits: u32) -> i32 {
        // The sign is as good as random: no branch could be foretold.
        let negative = !(self.ahead as i64 >> 63) as i32;
        self.take(bits) + (negative & (1 - (1 << bits)))
    }

    /// Takes one bit.
    #[inline(always)]
    pub(super) fn bit(&mut self) -> bool {
        self.refill_for_one();
        self.take(1) == 1
    }

    /// Whether more was taken than there was.
    #[inline(always)]
    pub(super) fn overrun(&self) -> bool {
        self.padding > self.count
    }

    /// Past the next restart marker, and whether there is one before anything else.
    #[inline(never)]
    pub(super) fn restarted(self) -> (Self, bool) {
        let at = self.marker();
        let found = matches!(self.data.get(at..), Some([0xff, 0xd0..=0xd7, ..]));
        // What lies before the marker is lost in either case, and looked through only once.
        (Self::new(self.data, if found { at + 2 } else { at }), found)
    }

    /// Where the next marker begins, or the end of the data.
    #[inline(never)]
    pub(super) fn marker(self) -> usize {
        // What is ahead may hold stuffed bytes: from their beginning on, only a marker can be a marker.
        let mut at = self.at;
        while let Some(rest) = self.data.get(at..) {
            match rest {
                [0xff, second, ..] if !matches!(second, 0 | 0xff) => return at,
                [] => break,
                _ => at += 1,
            }
        }
        self.data.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn stuffing_is_removed_and_a_marker_ends_the_bits() {
        let data = [0xa5, 0xff, 0x00, 0x0f, 0xff, 0xd9, 0x12];
        let mut bits = Bits::new(&data, 0);
        let mut taken = Vec::new();
        for _ in 0..3 {
            bits.refill();
            taken.push(bits.take(8));
        }
        assert_eq!(taken, [0xa5, 0xff, 0x0f]);
        assert!(!bits.overrun());
        assert_eq!(bits.marker(), 4);
        bits.refill();
        assert_eq!(bits.take(1), 0);
        assert!(bits.overrun());
    }

    #[test]
    fn long_runs_without_stuffing_read_the_same() {
        let data: Vec<u8> = (0..=254).cycle().take(5000).collect();
        let mut bits = Bits::new(&data, 0);
        for byte in &data {
            bits.refill();
            assert_eq!(bits.take(3) << 5 | bits.take(5), i32::from(*byte));
        }
        assert!(!bits.overrun());
        assert!(!bits.bit());
        assert!(bits.overrun());
    }

    #[test]
    fn the_first_bit_of_a_value_is_its_sign() {
        let data = [0b0111_0000, 0];
        let mut bits = Bits::new(&data, 0);
        bits.refill();
        assert_eq!((bits.signed(2), bits.signed(2), bits.signed(0)), (-2, 3, 0));
    }
}
