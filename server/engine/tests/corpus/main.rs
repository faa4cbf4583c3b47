//! Pictures are what others see in them: each case of the corpus is rendered and held against what libvips made of it
//! (`expected.tsv`, written by `end2end/pictures/compare.mjs --expected`, which also says where another program is the
//! reference, and why). What must be refused is refused, for the right reason.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::{collections::BTreeSet, fs, path::PathBuf};

use engine::pictures::{Export, Limits, Presets, Probe, Recipe};

/// How far the mean of a part may be from the reference's, of 255. Filters for colours at half the resolution differ.
const TOLERANCE: u8 = 6;

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn recipe(name: &str) -> Recipe {
    match (name, Presets::default().get(name)) {
        ("thumbnail-png", _) => Recipe::THUMBNAIL.lossless(),
        (_, Some(Export::Made(recipe))) => recipe.clone(),
        (_, other) => panic!("{name} is {other:?}"),
    }
}

fn rendered(name: &str, recipe: &Recipe) -> Result<image::RgbaImage, String> {
    let bytes = fs::read(corpus().join("files").join(name)).unwrap();
    let probe = Probe::of(&bytes, &Limits::default()).map_err(|error| error.to_string())?;
    let rendition = probe.render(&bytes, recipe).map_err(|error| error.to_string())?;
    Ok(image::load_from_memory(&rendition).unwrap().into_rgba8())
}

/// The mean colours (as far as they can be seen) and alpha of sixteen parts; `None` for one without pixels.
fn parts(picture: &image::RgbaImage) -> Vec<Option<[u8; 4]>> {
    let mut sums = [[0.0; 5]; 16];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let sum = &mut sums[(y * 4 / picture.height() * 4 + x * 4 / picture.width()) as usize];
        let alpha = f64::from(pixel.0[3]);
        for (sum, sample) in sum.iter_mut().zip(&pixel.0[..3]) {
            *sum += f64::from(*sample) * alpha / 255.0;
        }
        sum[3] += alpha;
        sum[4] += 1.0;
    }
    let mean = |sum: [f64; 5]| [0, 1, 2, 3].map(|channel: usize| (sum[channel] / sum[4]).round() as u8);
    sums.into_iter().map(|sum| (sum[4] > 0.0).then(|| mean(sum))).collect()
}

fn expected(parts: &str) -> Vec<Option<[u8; 4]>> {
    parts.split(' ').map(|part| u32::from_str_radix(part, 16).ok().map(u32::to_be_bytes)).collect()
}

fn apart(ours: &[Option<[u8; 4]>], theirs: &[Option<[u8; 4]>]) -> u8 {
    let pair = |(ours, theirs): (&Option<[u8; 4]>, &Option<[u8; 4]>)| match (ours, theirs) {
        (Some(ours), Some(theirs)) => ours.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0),
        (None, None) => 0,
        _ => u8::MAX,
    };
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).map(pair).max().unwrap_or(0)
}

#[test]
fn every_picture_is_what_the_reference_sees_in_it() {
    let table = fs::read_to_string(corpus().join("expected.tsv")).unwrap();
    let mut failures = Vec::new();
    let mut seen = BTreeSet::new();
    for line in table.lines() {
        let [name, recipe_name, by, size, colours] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        seen.insert(name.to_owned());
        match rendered(name, &recipe(recipe_name)) {
            Err(reason) => failures.push(format!("{name}: {reason}")),
            Ok(picture) => {
                let (width, height) = picture.dimensions();
                let far = apart(&parts(&picture), &expected(colours));
                if size != format!("{width}x{height}") {
                    failures.push(format!("{name}, {recipe_name}: {width}x{height}, but {size} by {by}"));
                } else if far > TOLERANCE {
                    failures.push(format!("{name}, {recipe_name}: up to {far} from what {by} sees"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let files = fs::read_dir(corpus().join("files")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = files.map(|name| name.into_string().unwrap()).filter(|name| !name.starts_with("refused"));
    let names: BTreeSet<_> = names.collect();
    let apart: Vec<_> = names.symmetric_difference(&seen).collect();
    assert!(apart.is_empty(), "files of which nothing is expected, or the other way round: {apart:?}");
}

#[test]
fn what_is_refused_is_refused_for_its_own_reason() {
    let table = fs::read_to_string(corpus().join("files/refused.tsv")).unwrap();
    for line in table.lines() {
        let (name, reason) = line.split_once('\t').unwrap();
        let refusal = rendered(name, &Recipe::THUMBNAIL.lossless()).unwrap_err();
        assert!(refusal.contains(reason), "{name}: {refusal}");
    }
}
