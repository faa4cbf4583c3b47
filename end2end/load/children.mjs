// Child processes, and that none outlives this one: each ends with its owner, on Ctrl-C, and when this process is killed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const running = new Set();

const installed = (program) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

// The kernel ends the child with its parent, even one that was killed and could clean nothing up.
const leash = installed('setpriv') ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];

/**
 * Starts a program in a process group of its own and keeps the end of what it says.
 * @param {string[]} command
 * @param {{ env?: Record<string, string>, openFiles?: number }} [options] `openFiles` limits its descriptors
 */
export function start(command, { env = process.env, openFiles } = {}) {
  const limit = openFiles ? ['prlimit', `--nofile=${openFiles}:${openFiles}`, '--'] : [];
  const [program, ...words] = [...leash, ...limit, ...command];
  const child = spawn(program, words, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const started = { child, pid: child.pid, name: command[0], log: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (started.log = (started.log + text).slice(-20_000)));
  }
  started.ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  running.add(started);
  started.ended.then(() => running.delete(started));
  return started;
}

/** Waits until a program has said something that matches, and answers the match. */
export async function said(started, pattern, within = 60_000) {
  let over;
  started.ended.then((how) => (over = how));
  for (const deadline = Date.now() + within; ; await sleep(20)) {
    const match = started.log.match(pattern);
    if (match) return match;
    if (over !== undefined) throw new Error(`${started.name} ended with ${over}:\n${started.log}`);
    if (Date.now() > deadline) throw new Error(`${started.name} did not say ${pattern} in time:\n${started.log}`);
  }
}

/** Runs a program to its end and answers what it printed. */
export async function run(command, options) {
  const started = start(command, options);
  const how = await started.ended;
  if (how !== 0) throw new Error(`${command.join(' ')} ended with ${how}:\n${started.log}`);
  return started.log;
}

/** Asks a program to end, and ends it if it does not. */
export async function stop(started, patience = 5_000) {
  signal(started, 'SIGTERM');
  const late = sleep(patience).then(() => signal(started, 'SIGKILL'));
  await Promise.race([started.ended, late]);
  await started.ended;
}

/** Ends all at once. */
export function killAll() {
  for (const started of running) signal(started, 'SIGKILL');
}

function signal(started, name) {
  if (!running.has(started) || started.pid === undefined) return;
  try {
    process.kill(-started.pid, name);
  } catch {
    // It has just ended.
  }
}

/** Waits for an event, but not for ever. */
export const soon = (emitter, event, within = 30_000) => once(emitter, event, { signal: AbortSignal.timeout(within) });
