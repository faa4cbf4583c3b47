//! How many thumbnails a second.

use std::{
    error::Error,
    fs, thread,
    time::{Duration, Instant},
};

use engine::pictures::Recipe;

use crate::render::one;

/// Renders the files in turn on each of `threads` for about `seconds` (at least each file once), and says how many
/// thumbnails that were in a second, and in a second of one core. Each is read from the disk's cache, as a server would.
pub(crate) fn measured(threads: &str, seconds: &str, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let (threads, seconds): (usize, f64) = (threads.parse()?, seconds.parse()?);
    let limit = Duration::from_secs_f64(seconds);
    let (begin, before) = (Instant::now(), cpu_seconds()?);
    let work = |offset: usize| {
        let mut renders = 0_u32;
        while begin.elapsed() < limit || (renders as usize) < files.len() {
            let file = files[(offset + renders as usize) % files.len()];
            let bytes = fs::read(file).map_err(|error| error.to_string())?;
            one(&bytes, &Recipe::THUMBNAIL).map_err(|error| format!("{file}: {error}"))?;
            renders += 1;
        }
        Ok::<u32, String>(renders)
    };
    let renders = thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|offset| scope.spawn(move || work(offset))).collect();
        all.into_iter()
            .map(|one| one.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
            .sum::<Result<u32, _>>()
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{:.3}\t{:.3}", f64::from(renders) / seconds, f64::from(renders) / (cpu_seconds()? - before));
    Ok(())
}

/// What this process has taken of all cores.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/stat")?;
    // The program's name stands in brackets and may hold anything; the times are the twelfth and thirteenth after it.
    let fields: Vec<&str> = status.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let [user, system] = fields.get(11..13).ok_or("the kernel does not tell")? else {
        return Err("it tells else".into());
    };
    // In hundredths, on every Linux there is.
    Ok((user.parse::<f64>()? + system.parse::<f64>()?) / 100.0)
}
