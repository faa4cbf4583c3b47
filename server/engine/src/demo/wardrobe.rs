//! What the seasons let people wear, in colours that go together.

use super::{
    accessories::{Hat, HatShape, Scarf, Weave},
    chance::{Chance, Deck},
    clothes::{Cut, Garment},
    figure::Outfit,
    tone::Tone,
};

/// Three colours that go together: garment, what goes beneath or beside it, and the accessory.
type Trio = [u32; 3];

const AUTUMN: [Trio; 12] = [
    [0xA8482B, 0xF0DFC0, 0x2F4A45],
    [0xD39A34, 0x6B3A2A, 0x7A2E32],
    [0x5B6B3A, 0xF1E3C6, 0xC7602F],
    [0x7A2E3A, 0xEBCFA8, 0xD39A34],
    [0x2F5D62, 0xF3E4C8, 0xD9763A],
    [0xB98A5A, 0x3E2E2A, 0x8C3232],
    [0xEFE2CB, 0x9C5A34, 0xB34A2E],
    [0x5A3B30, 0xE4C48E, 0x6F7F4A],
    [0x6A4464, 0xF0DCC4, 0xCF8B3B],
    [0x3F4E68, 0xF2E6D2, 0xC4562F],
    [0x8A6B3E, 0xF5EAD4, 0x40566B],
    [0xC77B5A, 0xFBEFDD, 0x4E5B41],
];

const WINTER: [Trio; 12] = [
    [0x9B2335, 0xF5EDE0, 0x2A4A5A],
    [0x2F4A6D, 0xF1F4F6, 0xC23B40],
    [0x2D5A4C, 0xF4EBDD, 0xB5343C],
    [0xE9EEF2, 0x7FA6C4, 0x9B2B44],
    [0x3A3F52, 0xD9C7A8, 0xD8A23F],
    [0x7C98B8, 0xF7F3EC, 0x8C2F4A],
    [0x6B4C7A, 0xF0E3EC, 0xE0B04F],
    [0xD9B08C, 0xFBF3E8, 0x3F5F77],
    [0x1F5C6B, 0xEFE7D6, 0xE37A4B],
    [0xC9504A, 0xF8EDE2, 0x33506B],
    [0x4E5D48, 0xE9DFC9, 0xA63A3A],
    [0xB7C9D6, 0x40546E, 0xC9475A],
];

/// A season's clothes, dealt so that nothing comes twice before everything has come once.
pub(super) struct Wardrobe {
    cuts: Deck<Cut>,
    trios: Deck<Trio>,
    hats: Deck<Option<HatShape>>,
    weaves: Deck<Option<Weave>>,
}

impl Wardrobe {
    pub(super) fn autumn() -> Self {
        use HatShape::{Beanie, Beret, Felt, LeafCrown};
        Self {
            cuts: Deck::new([
                Cut::Turtleneck,
                Cut::Cardigan,
                Cut::Coat,
                Cut::Denim,
                Cut::Duffle,
                Cut::Turtleneck,
                Cut::Coat,
            ]),
            trios: Deck::new(AUTUMN),
            hats: Deck::new([None, None, None, None, None, Some(Beanie), Some(Beret), Some(Felt), Some(LeafCrown)]),
            weaves: Deck::new([None, None, Some(Weave::Plain), Some(Weave::Stripes), Some(Weave::Tartan)]),
        }
    }

    pub(super) fn winter() -> Self {
        use HatShape::{Beanie, Bobble, Muffs, Trapper};
        Self {
            cuts: Deck::new([
                Cut::Nordic,
                Cut::Puffer,
                Cut::Parka,
                Cut::Coat,
                Cut::Duffle,
                Cut::Nordic,
                Cut::Turtleneck,
            ]),
            trios: Deck::new(WINTER),
            hats: Deck::new([None, None, None, Some(Beanie), Some(Bobble), Some(Bobble), Some(Trapper), Some(Muffs)]),
            weaves: Deck::new([None, Some(Weave::Plain), Some(Weave::Stripes), Some(Weave::Tartan)]),
        }
    }

    /// The next outfit.
    pub(super) fn deal(&mut self, chance: &mut Chance) -> Outfit {
        const FUR: Tone = Tone::hex(0xE3CDB0);
        let (cut, [main, second, accent]) = (self.cuts.deal(chance), self.trios.deal(chance).map(Tone::hex));
        let second = if cut == Cut::Parka { FUR } else { second };
        let scarf = self.weaves.deal(chance).map(|weave| Scarf { weave, main: accent, second });
        let hat = self.hats.deal(chance).map(|shape| match shape {
            HatShape::Trapper => Hat { shape, main: accent.darker(0.1), second: FUR },
            HatShape::Beret | HatShape::Felt | HatShape::Muffs => {
                Hat { shape, main: accent, second: main.lighter(0.5) }
            }
            HatShape::Beanie | HatShape::Bobble | HatShape::LeafCrown => Hat { shape, main: accent, second },
        });
        Outfit { garment: Garment { cut, main, second }, scarf: scarf.filter(|_| !cut.is_high()), hat }
    }
}
