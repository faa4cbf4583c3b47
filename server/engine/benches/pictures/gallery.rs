//! A cold gallery: everything asked for at once, through slots, cache and budget, round after round, and what the process
//! holds meanwhile.

use std::{
    error::Error,
    fs,
    path::PathBuf,
    str::FromStr,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use engine::{
    admission::ByteBudget,
    pictures::{Limits, Recipe, Renditions, Sha256Hex, Source},
};
use tokio::{sync::Semaphore, task::JoinSet};

/// As many as a studio admits at once.
const SLOTS: usize = 8;

/// A line for each round: seconds, the highest resident memory in it and what was left afterwards, in MiB.
pub(crate) fn cold(budget: &str, rounds: &str, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let (budget, rounds): (u64, u32) = (budget.parse()?, rounds.parse()?);
    let cores = thread::available_parallelism()?.get();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let budget = ByteBudget::new(budget << 20, Duration::from_secs(3600));
    for _ in 0..rounds {
        let folder = tempfile::tempdir()?;
        let limits = Limits { deadline: Duration::from_secs(3600), ..Limits::default() };
        let renditions = Renditions::open(folder.path().to_owned(), limits, cores, budget.clone())?;
        forget_peak()?;
        let begin = Instant::now();
        runtime.block_on(all(&renditions, files))?;
        let seconds = begin.elapsed().as_secs_f64();
        let peak = resident("VmHWM")?;
        drop(renditions);
        thread::sleep(Duration::from_secs(1));
        println!("{seconds:.2}\t{:.0}\t{:.0}", peak, resident("VmRSS")?);
    }
    Ok(())
}

async fn all(renditions: &Renditions, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut tasks = JoinSet::new();
    let slots = Arc::new(Semaphore::new(SLOTS));
    for (at, file) in files.iter().enumerate() {
        let source = Source { sha256: Sha256Hex::from_str(&format!("{at:064x}"))?, path: PathBuf::from(file) };
        let (renditions, slots) = (renditions.clone(), slots.clone());
        tasks.spawn(async move {
            let _slot = slots.acquire().await;
            renditions.get(&source, &Recipe::THUMBNAIL).await.map(|rendition| rendition.length())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(())
}

/// Resident memory in MiB, by its name in the kernel's status of this process.
fn resident(name: &str) -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("the kernel does not tell")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).ok_or("the kernel does not tell")?.parse()?;
    Ok(kilobytes / 1024.0)
}

/// Lets the kernel begin anew with the highest resident memory.
fn forget_peak() -> Result<(), Box<dyn Error>> {
    Ok(fs::write("/proc/self/clear_refs", "5")?)
}
