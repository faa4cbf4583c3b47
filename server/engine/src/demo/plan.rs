//! The plan: which pictures the demo consists of, decided before the first is drawn.

use super::{
    Family, Kind, Picture,
    autumn::Autumn,
    candidate::{Candidate, Cut, Scene},
    cast::{LINDQVIST, OKAFOR, Person},
    chance::{Chance, Deck},
    encode::Form,
    light::{Fault, Grade},
    mood::{Mood, Pose},
    picture::Content,
    sheet::Sheet,
    wardrobe::Wardrobe,
    winter::Winter,
};

/// How many candidates each batch has.
const CANDIDATES: usize = 150;

/// Every picture of the demo, family by family, in the order of import.
pub fn plan() -> Vec<Family> {
    vec![
        Family {
            slug: "lindqvist",
            batch: "autumn-2026",
            batch_title: "Autumn 2026",
            pictures: pictures("autumn", &LINDQVIST, &mut Cards::autumn()),
        },
        Family {
            slug: "okafor",
            batch: "winter-2026",
            batch_title: "Winter 2026",
            pictures: pictures("winter", &OKAFOR, &mut Cards::winter()),
        },
    ]
}

fn pictures(season: &str, people: &[Person; 4], cards: &mut Cards) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for person in people {
        for (name, sheet, form, (width, height)) in [
            ("reference", Sheet::Reference, Form::Png, (1024, 1280)),
            ("sketch", Sheet::Sketch, Form::Webp, (1024, 1280)),
            ("poses", Sheet::Poses, Form::Jpeg, (1536, 1024)),
        ] {
            pictures.push(Picture {
                subject: person.slug,
                kind: Kind::Pipeline,
                file_name: format!("{}-{name}.{}", person.slug, form.extension()),
                width,
                height,
                form,
                content: Content::Sheet(person.look, sheet),
            });
        }
    }
    for at in 0..CANDIDATES {
        let person = &people[at % people.len()];
        let ((width, height), form, candidate) = cards.deal(person);
        pictures.push(Picture {
            subject: person.slug,
            kind: Kind::Candidate,
            file_name: format!("{}-{season}-{:03}.{}", person.slug, at / people.len() + 1, form.extension()),
            width,
            height,
            form,
            content: Content::Candidate(candidate),
        });
    }
    pictures
}

type Size = (u32, u32);

/// All that varies between a season's candidates.
struct Cards {
    chance: Chance,
    wardrobe: Wardrobe,
    scenes: Deck<Scene>,
    moods: Deck<Mood>,
    grades: Deck<Grade>,
    sizes: Deck<Size>,
    forms: Deck<Form>,
    cuts: Deck<Cut>,
    faults: Deck<Option<Fault>>,
}

impl Cards {
    fn autumn() -> Self {
        use Autumn::{Birches, Harvest, Lanterns, Mist, Park, Print, Pumpkins, Rain};
        use Grade::{Cool, Faded, Golden, Plain, Rose};
        Self::new(
            0xA07_0426,
            Wardrobe::autumn(),
            [Park, Mist, Pumpkins, Lanterns, Print, Harvest, Birches, Rain].map(Scene::Autumn),
            [Plain, Plain, Golden, Golden, Faded, Rose, Cool],
        )
    }

    fn winter() -> Self {
        use Grade::{Cool, Dusky, Faded, Golden, Plain, Rose};
        use Winter::{Aurora, Crystals, Garland, Meadow, Moon, Night, Peaks, Village};
        Self::new(
            0x317_7E26,
            Wardrobe::winter(),
            [Night, Meadow, Garland, Aurora, Crystals, Village, Peaks, Moon].map(Scene::Winter),
            [Plain, Plain, Cool, Rose, Faded, Dusky, Golden],
        )
    }

    fn new(seed: u64, wardrobe: Wardrobe, scenes: [Scene; 8], grades: [Grade; 7]) -> Self {
        use Mood::{Calm, Content, Dreamy, Grin, Laugh, Smile, Smirk, Surprise, Wink};
        let mut faults = [None; 100];
        let every =
            [Fault::Leaning, Fault::Cropped, Fault::Uneven, Fault::OddColours, Fault::TooDark, Fault::TooBright];
        for (slot, fault) in faults.iter_mut().zip(every) {
            *slot = Some(fault);
        }
        Self {
            chance: Chance::new(seed),
            wardrobe,
            scenes: Deck::new(scenes),
            moods: Deck::new([Calm, Smile, Smile, Grin, Grin, Laugh, Content, Smirk, Surprise, Dreamy, Wink]),
            grades: Deck::new(grades),
            sizes: Deck::new(SIZES),
            forms: Deck::new([Form::Png, Form::Jpeg, Form::Webp]),
            cuts: Deck::new([
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Full,
                Cut::Figure,
                Cut::Disc,
            ]),
            faults: Deck::new(faults),
        }
    }

    fn deal(&mut self, person: &Person) -> (Size, Form, Candidate) {
        let chance = &mut self.chance;
        let fault = self.faults.deal(chance);
        let cut = if fault.is_some() { Cut::Full } else { self.cuts.deal(chance) };
        let (width, height) = self.sizes.deal(chance);
        let form = match (cut, self.forms.deal(chance)) {
            (Cut::Figure | Cut::Disc, Form::Jpeg) => Form::Png,
            (_, form) => form,
        };
        let pose = Pose {
            mood: self.moods.deal(chance),
            tilt: chance.within(-9.0, 9.0),
            turn: chance.within(-1.0, 1.0),
            gaze: (chance.within(-0.5, 0.5), chance.within(-0.3, 0.4)),
            slip: if fault == Some(Fault::Uneven) { 1.0 } else { 0.0 },
        };
        let candidate = Candidate {
            look: person.look,
            pose,
            outfit: self.wardrobe.deal(chance),
            scene: self.scenes.deal(chance),
            grade: self.grades.deal(chance),
            cut,
            fault,
            light: if chance.hits(50) { -1.0 } else { 1.0 },
            zoom: chance.within(0.78, 0.98),
            aside: chance.within(-45.0, 45.0),
            seed: chance.next(),
        };
        let size = if cut == Cut::Disc { (width.min(height), width.min(height)) } else { (width, height) };
        (size, form, candidate)
    }
}

/// From small squares to a few large ones, with portraits and a landscape among them.
const SIZES: [Size; 25] = [
    (512, 512),
    (512, 512),
    (512, 640),
    (600, 600),
    (640, 640),
    (640, 640),
    (640, 800),
    (720, 720),
    (720, 900),
    (720, 960),
    (768, 768),
    (768, 768),
    (768, 1024),
    (800, 600),
    (800, 1000),
    (864, 1080),
    (900, 900),
    (960, 960),
    (1024, 768),
    (1024, 1024),
    (1024, 1024),
    (1080, 1350),
    (1200, 1200),
    (1536, 1536),
    (2048, 2048),
];
