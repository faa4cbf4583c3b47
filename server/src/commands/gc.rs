//! `avatars gc`: frees what nobody needs any more. Never an original.

use std::{collections::HashSet, fs, time::SystemTime};

use bytesize::ByteSize;
use serde_json::json;

use super::{Failure, cli::Gc, open};
use crate::{
    config::Config,
    originals::Originals,
    pictures::{Collected, Freed, GRACE, Recipe, Sha256Hex, Wanted, collect},
};

pub(super) async fn run(config: Config, gc: Gc) -> Result<(), Failure> {
    let store = open::store(&config).await?;
    let recorded = store.originals().await.map_err(Failure::from_error)?;
    store.close().await;
    let dry_run = gc.dry_run;
    let work = move || sweep(&config, recorded.iter().map(|original| original.sha256.into()).collect(), dry_run);
    let collected = tokio::task::spawn_blocking(work).await.map_err(Failure::from_error)??;
    if gc.json {
        tell_json(&collected, dry_run);
    } else {
        tell(&collected, dry_run);
    }
    for failed in &collected.failed {
        eprintln!("avatars: cannot remove {failed}");
    }
    if collected.failed.is_empty() { Ok(()) } else { Err(Failure::Told) }
}

fn sweep(config: &Config, originals: HashSet<Sha256Hex>, dry_run: bool) -> Result<Collected, Failure> {
    let now = SystemTime::now();
    let folder = config.data.join("renditions");
    fs::create_dir_all(&folder).map_err(Failure::from_error)?;
    let (thumbnail, preview) = (Recipe::THUMBNAIL, Recipe::PREVIEW);
    let recipes: Vec<&Recipe> = [&thumbnail, &preview].into_iter().chain(config.presets.recipes()).collect();
    let wanted = Wanted { originals: &originals, recipes: &recipes, bound: config.cache_limit };
    let mut collected = collect(&folder, &wanted, now, dry_run).map_err(Failure::from_error)?;
    let staged = Originals::open(&config.data).map_err(Failure::from_error)?;
    for left in staged.left_behind().map_err(Failure::from_error)? {
        // A file is there for a moment before it is locked.
        if !now.duration_since(left.written).is_ok_and(|age| age > GRACE) {
            continue;
        }
        match if dry_run { Ok(()) } else { fs::remove_file(&left.path) } {
            Ok(()) => collected.temporary.add(left.bytes),
            Err(error) => collected.failed.push(format!("{}: {error}", left.path.display())),
        }
    }
    Ok(collected)
}

/// What each kind is called by programs, and by people.
fn kinds(collected: &Collected) -> [(&'static str, &'static str, Freed); 4] {
    [
        ("temporary", "left by what was broken off", collected.temporary),
        ("orphaned", "renditions of originals that are gone", collected.orphaned),
        ("outdated", "renditions of recipes that are no more", collected.outdated),
        ("unused", "renditions not used for longest", collected.unused),
    ]
}

fn total(collected: &Collected) -> Freed {
    kinds(collected).into_iter().fold(Freed::default(), |sum, (.., freed)| Freed {
        files: sum.files + freed.files,
        bytes: sum.bytes + freed.bytes,
    })
}

fn tell_json(collected: &Collected, dry_run: bool) {
    for (what, _, Freed { files, bytes }) in kinds(collected) {
        println!("{}", json!({ "what": what, "files": files, "bytes": bytes }));
    }
    let (all, kept) = (total(collected), collected.kept);
    println!(
        "{}",
        json!({ "status": "done", "dry_run": dry_run, "files": all.files, "bytes": all.bytes,
            "kept_files": kept.files, "kept_bytes": kept.bytes, "strangers": collected.strangers,
            "failed": collected.failed.len() })
    );
}

fn files(count: u64) -> String {
    format!("{count} file{}", if count == 1 { "" } else { "s" })
}

fn tell(collected: &Collected, dry_run: bool) {
    let size = |bytes| ByteSize(bytes).display().iec().to_string();
    for (_, what, Freed { files, bytes }) in kinds(collected) {
        println!("{what:<40} {files:>8} files  {:>10}", size(bytes));
    }
    let (all, verb) = (total(collected), if dry_run { "would free" } else { "freed" });
    println!("{verb} {}, {}; {} of renditions stay", files(all.files), size(all.bytes), size(collected.kept.bytes));
    if collected.strangers > 0 {
        println!("left alone, since not made by avatars: {} among the renditions", files(collected.strangers));
    }
}
