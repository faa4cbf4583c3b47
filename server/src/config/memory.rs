//! How much memory the machine, or the cgroup that the program runs in, gives.

use std::fs;

const LEAST_BUDGET: u64 = 256 << 20;

/// A quarter of what there is, at least 256 MiB.
pub(super) fn default_budget() -> u64 {
    let given = [machine(), cgroup()].into_iter().flatten().min().unwrap_or_default();
    (given / 4).max(LEAST_BUDGET)
}

fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// Version 2, then version 1; a cgroup without a limit says "max" or a number larger than any machine.
fn cgroup() -> Option<u64> {
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .into_iter()
        .find_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok())
}
