//! The people of the demo: who they are and what they look like. All of them are invented.

use super::{
    look::{Beard, Brows, Earrings, Eyes, Face, Glasses, Hair, Lips, Look, Nose, Skin, Style},
    tone::Tone,
};

/// One invented person.
#[derive(Clone, Copy)]
pub(super) struct Person {
    pub slug: &'static str,
    pub look: Look,
}

pub(super) const LINDQVIST: [Person; 4] = [MAJA, ELIAS, INGRID, NOOR];
pub(super) const OKAFOR: [Person; 4] = [ADAEZE, EMEKA, MEI, RAVI];

const FAIR: Skin = skin(0xF6CFB4, 0xDFA284, 0xFFE6D3, 0xEE8872, 0x9A5444);
const ROSY: Skin = skin(0xF3C9B2, 0xD99C85, 0xFFE2D2, 0xE97F75, 0x95504A);
const SAND: Skin = skin(0xEDBE94, 0xCB9067, 0xFCDDB9, 0xDD7F60, 0x86492F);
const OLIVE: Skin = skin(0xD9A273, 0xB27A50, 0xEFC195, 0xC9694D, 0x6F3B24);
const UMBER: Skin = skin(0x8D5637, 0x693A24, 0xB07751, 0xA8452F, 0x3D1D13);
const EBONY: Skin = skin(0x6B4130, 0x4C2B20, 0x8E5D46, 0x8A3A2E, 0x2A130E);
const HONEY: Skin = skin(0xF2CBA0, 0xD39F74, 0xFFE5C4, 0xE88A6E, 0x8A5138);
const BRONZE: Skin = skin(0xB57A50, 0x8E5837, 0xD39C6F, 0xB8563C, 0x532817);

const fn skin(base: u32, shade: u32, light: u32, blush: u32, line: u32) -> Skin {
    Skin {
        base: Tone::hex(base),
        shade: Tone::hex(shade),
        light: Tone::hex(light),
        blush: Tone::hex(blush),
        line: Tone::hex(line),
    }
}

const fn hair(style: Style, tone: u32, shade: u32, light: u32) -> Hair {
    Hair { style, tone: Tone::hex(tone), shade: Tone::hex(shade), light: Tone::hex(light) }
}

const MAJA: Person = Person {
    slug: "maja",
    look: Look {
        skin: FAIR,
        face: Face { width: 0.97, jaw: 0.92, chin: 0.92, length: 0.98 },
        eyes: Eyes { iris: Tone::hex(0x4F8A5B), size: 20.0, open: 1.1, slant: 2.5, apart: 43.0, lashes: 6.0 },
        brows: Brows { tone: Tone::hex(0xA4522B), weight: 6.0, arch: 6.0 },
        nose: Nose::Button,
        lips: Lips { tone: Tone::hex(0xCF5F58), full: 1.0, width: 27.0 },
        hair: hair(Style::LongWaves, 0xC4602C, 0x8F3D1C, 0xE58B4A),
        beard: None,
        glasses: None,
        earrings: None,
        freckles: true,
        years: 0.0,
        build: 0.9,
    },
};

const ELIAS: Person = Person {
    slug: "elias",
    look: Look {
        skin: SAND,
        face: Face { width: 0.99, jaw: 1.12, chin: 1.2, length: 1.04 },
        eyes: Eyes { iris: Tone::hex(0x4D7EA8), size: 17.5, open: 0.9, slant: 0.0, apart: 43.0, lashes: 0.0 },
        brows: Brows { tone: Tone::hex(0x8A6234), weight: 8.5, arch: 3.0 },
        nose: Nose::Straight,
        lips: Lips { tone: Tone::hex(0xC0705A), full: 0.7, width: 27.0 },
        hair: hair(Style::SidePart, 0xD0A057, 0x9C7036, 0xEBC987),
        beard: Some(Beard::Trimmed(Tone::hex(0xA87840))),
        glasses: Some(Glasses::Square(Tone::hex(0x2E2A33))),
        earrings: None,
        freckles: false,
        years: 0.15,
        build: 1.1,
    },
};

const INGRID: Person = Person {
    slug: "ingrid",
    look: Look {
        skin: ROSY,
        face: Face { width: 1.0, jaw: 0.98, chin: 0.98, length: 0.97 },
        eyes: Eyes { iris: Tone::hex(0x5D86A6), size: 17.5, open: 0.92, slant: -2.0, apart: 43.0, lashes: 3.0 },
        brows: Brows { tone: Tone::hex(0xA49C9C), weight: 5.0, arch: 5.0 },
        nose: Nose::Strong,
        lips: Lips { tone: Tone::hex(0xC4575F), full: 0.72, width: 26.0 },
        hair: hair(Style::Bun, 0xD9D6D8, 0xA7A3AC, 0xF6F4F2),
        beard: None,
        glasses: Some(Glasses::Round(Tone::hex(0x8C3B4A))),
        earrings: Some(Earrings::Pearls),
        freckles: false,
        years: 1.0,
        build: 0.9,
    },
};

const NOOR: Person = Person {
    slug: "noor",
    look: Look {
        skin: OLIVE,
        face: Face { width: 0.96, jaw: 0.94, chin: 0.9, length: 1.0 },
        eyes: Eyes { iris: Tone::hex(0x5A3420), size: 21.0, open: 1.12, slant: 3.0, apart: 43.0, lashes: 8.0 },
        brows: Brows { tone: Tone::hex(0x2E1C17), weight: 8.0, arch: 7.0 },
        nose: Nose::Straight,
        lips: Lips { tone: Tone::hex(0xB3504A), full: 1.15, width: 26.0 },
        hair: hair(Style::Headscarf, 0x2F7F7C, 0x1F5A5B, 0x57A8A0),
        beard: None,
        glasses: None,
        earrings: None,
        freckles: false,
        years: 0.0,
        build: 0.88,
    },
};

const ADAEZE: Person = Person {
    slug: "adaeze",
    look: Look {
        skin: UMBER,
        face: Face { width: 0.98, jaw: 0.95, chin: 0.95, length: 1.0 },
        eyes: Eyes { iris: Tone::hex(0x3C2116), size: 20.5, open: 1.12, slant: 3.0, apart: 44.0, lashes: 7.0 },
        brows: Brows { tone: Tone::hex(0x24130F), weight: 7.0, arch: 7.0 },
        nose: Nose::Broad,
        lips: Lips { tone: Tone::hex(0x9C3F45), full: 1.4, width: 28.0 },
        hair: hair(Style::Afro, 0x3A2320, 0x241414, 0x5D3A30),
        beard: None,
        glasses: None,
        earrings: Some(Earrings::Hoops(Tone::hex(0xE8B44A))),
        freckles: false,
        years: 0.0,
        build: 0.9,
    },
};

const EMEKA: Person = Person {
    slug: "emeka",
    look: Look {
        skin: EBONY,
        face: Face { width: 1.03, jaw: 1.12, chin: 1.15, length: 1.02 },
        eyes: Eyes { iris: Tone::hex(0x2F1A12), size: 17.5, open: 0.92, slant: -0.5, apart: 44.0, lashes: 0.0 },
        brows: Brows { tone: Tone::hex(0x6E6767), weight: 9.0, arch: 4.0 },
        nose: Nose::Broad,
        lips: Lips { tone: Tone::hex(0x84453F), full: 1.2, width: 28.0 },
        hair: hair(Style::Cropped, 0x8B8583, 0x5F5958, 0xB5AFAC),
        beard: Some(Beard::Full(Tone::hex(0xB9B3AF))),
        glasses: None,
        earrings: None,
        freckles: false,
        years: 0.75,
        build: 1.14,
    },
};

const MEI: Person = Person {
    slug: "mei",
    look: Look {
        skin: HONEY,
        face: Face { width: 1.0, jaw: 0.9, chin: 0.88, length: 0.95 },
        eyes: Eyes { iris: Tone::hex(0x3A241C), size: 19.0, open: 0.86, slant: 4.0, apart: 44.0, lashes: 5.0 },
        brows: Brows { tone: Tone::hex(0x2A2026), weight: 5.5, arch: 4.0 },
        nose: Nose::Button,
        lips: Lips { tone: Tone::hex(0xD0525A), full: 1.0, width: 24.0 },
        hair: hair(Style::Bob, 0x2B2733, 0x191621, 0x565070),
        beard: None,
        glasses: None,
        earrings: Some(Earrings::Drops(Tone::hex(0xD9534A))),
        freckles: false,
        years: 0.0,
        build: 0.84,
    },
};

const RAVI: Person = Person {
    slug: "ravi",
    look: Look {
        skin: BRONZE,
        face: Face { width: 0.96, jaw: 1.04, chin: 1.05, length: 1.06 },
        eyes: Eyes { iris: Tone::hex(0x4B2C1A), size: 18.5, open: 1.0, slant: 1.0, apart: 43.0, lashes: 2.0 },
        brows: Brows { tone: Tone::hex(0x1D1414), weight: 10.0, arch: 4.0 },
        nose: Nose::Strong,
        lips: Lips { tone: Tone::hex(0x9B5146), full: 0.95, width: 27.0 },
        hair: hair(Style::Waves, 0x2A1D1E, 0x170F12, 0x523A38),
        beard: Some(Beard::Moustache(Tone::hex(0x241818))),
        glasses: Some(Glasses::Round(Tone::hex(0x3B2318))),
        earrings: None,
        freckles: false,
        years: 0.1,
        build: 1.04,
    },
};
