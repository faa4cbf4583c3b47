// What the kernel knows of a process.
import { readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';

/** How many descriptors it has open. */
export const openFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** How many of its descriptors are the file. */
export function timesOpen(pid, file) {
  let times = 0;
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${descriptor}`) === file) times += 1;
    } catch {
      // Closed meanwhile.
    }
  }
  return times;
}

/** Resident memory now and at its peak since the last `forgetPeak`, in bytes. */
export function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name) => 1024 * Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1] ?? NaN);
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Counts the peak from now on, where the kernel permits it. */
export function forgetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Then the peak is that of the process's whole life, which is no less.
  }
}

/** Processor time used so far, in seconds, of a process and of its children that still run. */
export function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  const own = (Number(fields[11]) + Number(fields[12])) / 100;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children.split(' ').filter(Boolean).reduce((sum, child) => sum + processorSeconds(child), own);
}

/** The most descriptors that a process may be given here. */
export function descriptorLimit() {
  const limit = readFileSync('/proc/self/limits', 'utf8').match(/^Max open files\s+\S+\s+(\S+)/m)?.[1];
  return limit === 'unlimited' ? Infinity : Number(limit);
}
