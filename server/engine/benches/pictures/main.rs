//! This side of the comparison with peers (`end2end/pictures`): renders, and says how long it took and what it held.
//!
//! ```text
//! pictures render RECIPE FOLDER FILE...       one rendition of each file, or why there is none
//! pictures throughput THREADS SECONDS FILE... thumbnails, one after the other on each thread
//! pictures gallery BUDGET-MIB ROUNDS FILE...  cold galleries through cache and budget
//! pictures drawings FOLDER COUNT              so many of the demo's pictures of each format
//! ```

mod drawings;
mod gallery;
mod render;
mod throughput;

use std::{env, process::ExitCode};

use mimalloc::MiMalloc;

/// The server's.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // Cargo adds a flag of its own.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["render", recipe, folder, files @ ..] => render::all(recipe, folder.as_ref(), files),
        ["throughput", threads, seconds, files @ ..] => throughput::measured(threads, seconds, files),
        ["gallery", budget, rounds, files @ ..] => gallery::cold(budget, rounds, files),
        ["drawings", folder, count] => drawings::drawn(folder.as_ref(), count),
        _ => Err("usage: pictures render|throughput|gallery|drawings …".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pictures: {error}");
            ExitCode::FAILURE
        }
    }
}
