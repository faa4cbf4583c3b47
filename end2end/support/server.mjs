// A real server in a data folder of its own, which goes when the test ends.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, link, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { later } from './later.mjs';
import { avatars, scratch } from './paths.mjs';

const run = promisify(execFile);

/** The accounts that `avatars demo` makes. */
export const password = 'look-at-pictures';
export const admin = 'ada';

/** Runs one command of the program on a data folder; answers what it printed. */
export async function command(data, ...args) {
  const { stdout } = await run(avatars, args, { env: environment(data), maxBuffer: 1 << 26 });
  return stdout;
}

/** Adds the admin to a data folder, as the demo does. */
export async function account(data) {
  const child = spawn(avatars, ['account', 'add', admin, '--admin'], { env: environment(data), stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(`${password}\n`);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`no account: ${code}`);
}

/**
 * Starts `avatars serve` and stops it after the test. Without `data` it serves a copy of the demo.
 * @param t the test, or the suite's context
 * @param {{ env?: Record<string, string>, data?: string }} [options]
 */
export async function startServer(t, { env = {}, data } = {}) {
  data ??= await demoFolder(t);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(avatars, ['serve'], {
    env: environment(data, { AVATARS_LISTEN: `127.0.0.1:${port}`, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  const ended = once(child, 'exit');

  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const [code, signal] = await ended;
    if (code !== 0) throw new Error(`the server ended with ${code ?? signal}:\n${log}`);
  };
  later(t, stop);

  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`the server did not start:\n${log}`);
    const healthy = await fetch(`${url}/api/health`).then((answer) => answer.ok, () => false);
    if (healthy) break;
    if (Date.now() > deadline) throw new Error(`no answer from ${url} in 30 s:\n${log}`);
  }
  return { url, data, stop, log: () => log };
}

/** An empty folder that goes after the test. */
export async function emptyFolder(t) {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(path.join(scratch, 'data-'));
  later(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the demo. It is drawn once for each build of the program. */
async function demoFolder(t) {
  const { mtimeMs, size } = await stat(avatars);
  const name = `demo-${Math.trunc(mtimeMs)}-${size}`;
  await mkdir(scratch, { recursive: true });
  const entries = await readdir(scratch);
  if (!entries.includes(name)) {
    for (const old of entries.filter((entry) => entry.startsWith('demo-'))) {
      await rm(path.join(scratch, old), { recursive: true, force: true });
    }
    const fresh = await mkdtemp(path.join(scratch, 'drawing-'));
    await command(fresh, 'demo');
    await rename(fresh, path.join(scratch, name)).catch(() => {});
  }
  const folder = await emptyFolder(t);
  await copy(path.join(scratch, name), folder);
  return folder;
}

/** Originals are never written again, so they are linked; everything else is copied. */
async function copy(from, to) {
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(to, path.relative(from, source));
    await mkdir(path.dirname(target), { recursive: true });
    await (path.relative(from, source).startsWith('originals') ? link(source, target) : cp(source, target));
  }
}

/** The tests' own settings and none of the caller's. */
function environment(data, more = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AVATARS_'));
  return { ...Object.fromEntries(inherited), AVATARS_DATA: data, ...more };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
