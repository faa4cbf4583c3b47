//! Files that nobody would write: every picture of the corpus, broken in every way that a seed leads to. Whatever comes
//! of it, nothing panics, nothing takes more memory than the header was weighed with, and everything ends.
//!
//! `FUZZ_ROUNDS` makes it longer (a few hundred a second) and `FUZZ_SEED` begins elsewhere. What fails is written to
//! `target/tmp`; it belongs into `found/` beside this file, which is tried first each time.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod bombs;
mod mutate;

use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use bombs::bombs;
use engine::pictures::{Export, Limits, Presets, Probe, Recipe, RenderError, Unreadable};
use mutate::{Chance, mutated};
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// What a header may take: the largest metadata that is looked at, and a buffer.
const HEADER: usize = 4 << 20;
/// A machine that does ten other things is slow; a decoder that does not end is slower.
const ENOUGH: Duration = Duration::from_secs(60);

/// The round that is being tried, for whoever watches the clock.
static ROUND: AtomicU64 = AtomicU64::new(0);

#[test]
fn no_file_panics_or_takes_more_than_its_header_was_weighed_with() {
    let number = |name, default| env::var(name).ok().map_or(default, |value: String| value.parse().unwrap());
    let (rounds, seed): (u64, u64) = (number("FUZZ_ROUNDS", 1200), number("FUZZ_SEED", 1));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = files(&folder.join("corpus/files"));
    thread::spawn(watch);
    let mut tries = Tries::default();
    let found = self::files(&folder.join("mutations/found"));
    let of = |name: &str| files.iter().find(|(other, _)| other == name).unwrap().1.clone();
    let bombs = bombs(of).into_iter().map(|(name, file)| (name.to_owned(), file)).collect::<Vec<_>>();
    for (at, (name, file)) in files.iter().chain(&found).chain(&bombs).enumerate() {
        ROUND.store(at as u64, Ordering::Relaxed);
        tries.attempt(file, name, true);
        tries.attempt(file, name, false);
    }
    for round in seed..seed + rounds {
        ROUND.store(round, Ordering::Relaxed);
        let mut chance = Chance::new(round);
        let (name, file) = chance.one_of(&files);
        let (_, other) = chance.one_of(&files);
        tries.attempt(&mutated(file, other, &mut chance), &format!("{round}-{name}"), round % 2 == 0);
    }
    println!("{} tries, {} pictures", tries.all, tries.rendered);
    assert!(tries.failures.is_empty(), "{}", tries.failures.join("\n"));
    assert!(tries.rendered > tries.all / 10, "hardly any gets as far as its pixels");
}

#[derive(Default)]
struct Tries {
    all: u64,
    rendered: u64,
    failures: Vec<String>,
}

impl Tries {
    /// Probes and renders. What fails is kept, and the others are tried all the same.
    fn attempt(&mut self, file: &[u8], name: &str, screen: bool) {
        self.all += 1;
        let outcome = catch_unwind(AssertUnwindSafe(|| weighed(file, screen)));
        let failure = match outcome {
            Ok(Ok(rendered)) => return self.rendered += u64::from(rendered),
            Ok(Err(failure)) => failure,
            Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "it panicked".to_owned()),
        };
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, file).unwrap();
        self.failures.push(format!("{}: {failure}", path.display()));
    }
}

fn preset(name: &str) -> Recipe {
    match Presets::default().get(name) {
        Some(Export::Made(recipe)) => recipe.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

fn weighed(file: &[u8], screen: bool) -> Result<bool, String> {
    // Small, so that a round is short; what is larger is refused by its header.
    let limits = Limits { pixels: 4_000_000, ..Limits::default() };
    let (probe, taken) = taking(|| Probe::of(file, &limits));
    if taken > HEADER {
        return Err(format!("its header took {taken} bytes"));
    }
    let Ok(probe) = probe else { return Ok(false) };
    let recipe = if screen { Recipe::THUMBNAIL } else { preset("square-64-png") };
    let weight = probe.weight_of(&recipe);
    let (rendered, taken) = taking(|| probe.render(file, &recipe));
    if (taken + file.len()) as u64 > weight {
        return Err(format!("{taken} bytes and its own {} were taken, but {weight} reserved", file.len()));
    }
    match rendered {
        Err(RenderError::Unreadable(Unreadable::Panicked { detail, .. })) => {
            Err(format!("a decoder panicked: {detail}"))
        }
        Err(RenderError::Unrendered(error)) => Err(error.to_string()),
        other => Ok(other.is_ok()),
    }
}

/// What `work` gives, and the bytes that it held at its peak.
fn taking<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let done = work();
    (done, HEAP.peak_usage().saturating_sub(before))
}

/// Ends the process when a round does not end: nothing else can.
fn watch() {
    let mut before = u64::MAX;
    loop {
        thread::sleep(ENOUGH);
        let now = ROUND.load(Ordering::Relaxed);
        if now == before {
            eprintln!(
                "round {now} has not ended after {} s: FUZZ_SEED={now} FUZZ_ROUNDS=1 repeats it",
                ENOUGH.as_secs()
            );
            process::exit(101);
        }
        before = now;
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    let named = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
    found.into_iter().map(named).filter(|(name, _)| !name.starts_with('.')).collect()
}
