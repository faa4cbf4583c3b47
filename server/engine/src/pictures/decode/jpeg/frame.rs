//! The description of a JPEG: tables, components, how they are sampled and what their colours are.

use super::{
    Broken,
    huffman::Huffman,
    idct::{Scale, factors},
};

/// A profile's parts are numbered by a byte.
const MOST_PARTS: usize = 255;
/// Building a table takes longer than reading one: eight for each of the most layers are enough.
const MOST_CODES: u32 = 8 * super::MOST_SCANS;

/// What the segments before a scan have said so far.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    quantisation: [Option<[u16; 64]>; 4],
    pub(super) dc: [Option<Huffman>; 4],
    pub(super) ac: [Option<Huffman>; 4],
    pub(super) restart_interval: u32,
    /// What an Adobe segment says of the colours.
    pub(super) adobe: Option<u8>,
    /// Whether there is a JFIF segment: then three colours are never RGB.
    pub(super) jfif: bool,
    /// Parts of the colour profile, by number.
    profile: Vec<(u8, &'a [u8])>,
    /// How many tables of codes there were.
    codes_read: u32,
}

/// One colour of the picture.
#[derive(Debug)]
pub(super) struct Component {
    id: u8,
    pub(super) across: u32,
    pub(super) down: u32,
    table: u8,
    pub(super) factors: [f32; 64],
    /// Blocks that hold something of the picture.
    pub(super) blocks: (u32, u32),
    /// Samples, in rows as long as the padded blocks.
    pub(super) plane: Vec<u8>,
    pub(super) stride: usize,
    pub(super) dc_before: i32,
    pub(super) dc_table: usize,
    pub(super) ac_table: usize,
    /// Whether a scan has told of it.
    pub(super) seen: bool,
    /// What a progressive picture has collected.
    pub(super) kept: Option<super::progressive::Kept>,
}

/// The picture and its components.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) progressive: bool,
    pub(super) components: Vec<Component>,
    pub(super) scale: Scale,
    /// Units of interleaved blocks, across and down.
    pub(super) units: (u32, u32),
}

/// Which components a scan holds, and of a progressive one which part of them.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) components: Vec<usize>,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) high: u8,
    pub(super) low: u8,
}

impl Default for Tables<'_> {
    fn default() -> Self {
        Self {
            quantisation: [None; 4],
            dc: [const { None }; 4],
            ac: [const { None }; 4],
            restart_interval: 0,
            adobe: None,
            jfif: false,
            profile: Vec::new(),
            codes_read: 0,
        }
    }
}

impl<'a> Tables<'a> {
    /// Takes in a segment that is neither a frame nor a scan. What is not known is passed over.
    pub(super) fn read(&mut self, marker: u8, segment: &'a [u8]) -> Result<(), Broken> {
        match marker {
            0xdb => self.quantisation(segment),
            0xc4 => self.codes(segment),
            0xdd => {
                if let [high, low, ..] = segment {
                    self.restart_interval = u32::from(u16::from_be_bytes([*high, *low]));
                }
                Ok(())
            }
            0xee => {
                if let [b'A', b'd', b'o', b'b', b'e', _, _, _, _, _, _, transform, ..] = segment {
                    self.adobe = Some(*transform);
                }
                Ok(())
            }
            0xe0 => {
                self.jfif |= segment.starts_with(b"JFIF\0");
                Ok(())
            }
            0xe2 => {
                if let Some([number, _, part @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0")
                    && self.profile.len() < MOST_PARTS
                {
                    self.profile.push((*number, part));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn quantisation(&mut self, mut segment: &[u8]) -> Result<(), Broken> {
        while let [kind, rest @ ..] = segment {
            let wide = kind >> 4 != 0;
            let length = if wide { 128 } else { 64 };
            let (values, after) = rest.split_at_checked(length).ok_or(Broken("a table of steps is cut off"))?;
            let mut table = [0; 64];
            for (at, step) in table.iter_mut().enumerate() {
                *step =
                    if wide { u16::from_be_bytes([values[at * 2], values[at * 2 + 1]]) } else { u16::from(values[at]) };
            }
            *self.quantisation.get_mut(usize::from(kind & 15)).ok_or(Broken("a table of steps has no place"))? =
                Some(table);
            segment = after;
        }
        Ok(())
    }

    fn codes(&mut self, mut segment: &[u8]) -> Result<(), Broken> {
        while let [kind, rest @ ..] = segment {
            self.codes_read += 1;
            if self.codes_read > MOST_CODES {
                return Err(Broken("it has more tables than a picture can need"));
            }
            let (counts, rest) = rest.split_first_chunk::<16>().ok_or(Broken("a table of codes is cut off"))?;
            let length = counts.iter().map(|count| usize::from(*count)).sum();
            let (symbols, after) = rest.split_at_checked(length).ok_or(Broken("a table of codes is cut off"))?;
            let mut table = Huffman::new(counts, symbols).ok_or(Broken("a table of codes contradicts itself"))?;
            let tables = if kind >> 4 == 0 {
                &mut self.dc
            } else {
                table.prepare();
                &mut self.ac
            };
            *tables.get_mut(usize::from(kind & 15)).ok_or(Broken("a table of codes has no place"))? = Some(table);
            segment = after;
        }
        Ok(())
    }

    /// The colour profile, unless it has more than `most` bytes.
    pub(super) fn whole_profile(&mut self, most: u64) -> Option<Vec<u8>> {
        self.profile.sort_by_key(|(number, _)| *number);
        let bytes: u64 = self.profile.iter().map(|(_, part)| part.len() as u64).sum();
        (bytes > 0 && bytes <= most).then(|| self.profile.iter().flat_map(|(_, part)| *part).copied().collect())
    }
}

impl Frame {
    /// Reads a frame header and plans the planes.
    pub(super) fn read(marker: u8, segment: &[u8], scale: impl Fn(u32, u32) -> Scale) -> Result<Self, Broken> {
        let [_, h1, h0, w1, w0, count, rest @ ..] = segment else { return Err(Broken("the frame header is cut off")) };
        let (width, height) = (u32::from(u16::from_be_bytes([*w1, *w0])), u32::from(u16::from_be_bytes([*h1, *h0])));
        let count = usize::from(*count);
        if width == 0 || height == 0 || rest.len() < count * 3 || !matches!(count, 1 | 3 | 4) {
            return Err(Broken("the frame header is impossible"));
        }
        let described = rest.as_chunks::<3>().0.get(..count).unwrap_or_default();
        // A single component is not interleaved with anything: its sampling means nothing.
        let sampling = |byte: u8| if count == 1 { (1, 1) } else { (u32::from(byte >> 4), u32::from(byte & 15)) };
        let most = described.iter().map(|[_, byte, _]| sampling(*byte));
        let (most_across, most_down) = most.fold((1, 1), |(a, b), (c, d)| (a.max(c), b.max(d)));
        let scale = scale(width, height);
        let units = (width.div_ceil(most_across * 8), height.div_ceil(most_down * 8));
        let mut components = Vec::with_capacity(count);
        for [id, byte, table] in described {
            let (across, down) = sampling(*byte);
            if !matches!((across, down), (1..=4, 1..=4)) {
                return Err(Broken("its colours are sampled in an impossible way"));
            }
            let stride = (units.0 * across) as usize * scale.side();
            let rows = (units.1 * down) as usize * scale.side();
            components.push(Component {
                id: *id,
                across,
                down,
                table: *table,
                factors: [0.0; 64],
                blocks: ((width * across).div_ceil(most_across * 8), (height * down).div_ceil(most_down * 8)),
                plane: vec![128; stride * rows],
                stride,
                dc_before: 0,
                dc_table: 0,
                ac_table: 0,
                seen: false,
                kept: None,
            });
        }
        Ok(Self { width, height, progressive: marker == 0xc2, components, scale, units })
    }

    /// Whether the components are called so.
    pub(super) fn named(&self, ids: [u8; 3]) -> bool {
        self.components.iter().map(|component| component.id).eq(ids)
    }

    /// Reads a scan header.
    pub(super) fn scan(&mut self, segment: &[u8], tables: &Tables<'_>) -> Result<Scan, Broken> {
        let [count, rest @ ..] = segment else { return Err(Broken("a scan header is cut off")) };
        let (chosen, rest) =
            rest.split_at_checked(usize::from(*count) * 2).ok_or(Broken("a scan header is cut off"))?;
        let mut components: Vec<usize> = Vec::new();
        for [id, choice] in chosen.as_chunks::<2>().0 {
            let index = self.components.iter().position(|component| component.id == *id);
            let index = index.filter(|index| !components.contains(index)).ok_or(Broken("a scan is of no component"))?;
            let component = &mut self.components[index];
            component.dc_table = usize::from(choice >> 4);
            component.ac_table = usize::from(choice & 15);
            component.dc_before = 0;
            let steps = tables.quantisation.get(usize::from(component.table)).copied().flatten();
            component.factors = factors(&steps.ok_or(Broken("a table of steps is missing"))?, self.scale);
            components.push(index);
        }
        let [first, last, bits, ..] = rest else { return Err(Broken("a scan header is cut off")) };
        let (first, last) = (usize::from(*first), usize::from(*last));
        let possible = !self.progressive || (first <= last && last < 64 && bits & 15 < 14);
        let alone = first == 0 || components.len() == 1;
        if components.is_empty() || !possible || (self.progressive && (!alone || (first == 0 && last > 0))) {
            return Err(Broken("a scan header is impossible"));
        }
        Ok(Scan { components, first, last, high: bits >> 4, low: bits & 15 })
    }
}

impl Scan {
    /// A bit for each coefficient of the scan from `at` on.
    #[inline(always)]
    pub(super) fn from(&self, at: usize) -> u64 {
        let upto = !0 >> (63 - self.last.min(63));
        if at > 63 { 0 } else { !0 << at & upto }
    }
}

impl Component {
    /// Blocks across, with those that only fill up the last unit.
    pub(super) fn padded_across(&self, frame_units: u32) -> usize {
        (frame_units * self.across) as usize
    }
}
