// Thumbnails a second, and a second of one core: ours, sharp's and vipsthumbnail's, taking turns.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ours, theirs, vipsEnv, work } from '../support/programs.mjs';

const run = promisify(execFile);
export const cores = cpus().length;
const SLICES = 3;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const numbers = (line) => line.split(/\s+/).map(Number);

/** vipsthumbnail takes its files one after the other, so there is a process for each core. */
async function vipsthumbnail(files, seconds, processes) {
  const to = join(work, 'vips-out');
  mkdirSync(to, { recursive: true });
  const times = Math.max(1, Math.round((seconds * 12) / files.length));
  const all = Array.from({ length: times }, () => files).flat();
  const output = join(to, '%s.webp[Q=80,strip]');
  const words = ['-c', 'TIMEFORMAT="%U %S"; time vipsthumbnail "$@"', 'vips', '-s', '440x440>', '-o', output, ...all];
  const env = { ...vipsEnv(), VIPS_CONCURRENCY: '1', LC_ALL: 'C' };
  const begin = performance.now();
  const done = await Promise.all(Array.from({ length: processes }, () => run('bash', words, { env })));
  const wall = (performance.now() - begin) / 1000;
  const cpu = done
    .flatMap(({ stderr }) => numbers(stderr.trim().split('\n').at(-1)))
    .reduce((sum, value) => sum + value);
  return [(all.length * processes) / wall, (all.length * processes) / cpu];
}

/** How wide sharp may go: so many pictures at once, each on one thread. */
export const wide = (threads) => ({ UV_THREADPOOL_SIZE: String(threads), VIPS_CONCURRENCY: '1' });

/** By threads and by side: `wall` and `cpu`, medians of thumbnails a second and a core-second. */
export async function speed(files, seconds) {
  const words = (threads) => ['throughput', String(threads), String(seconds), ...files];
  const sides = {
    'ours': async (threads) => numbers((await ours(words(threads)))[0]),
    'sharp': async (threads) => numbers((await theirs(words(threads), wide(threads)))[0]),
    'sharp at effort 2': async (threads) =>
      numbers((await theirs(words(threads), { ...wide(threads), EFFORT: '2' }))[0]),
    'vipsthumbnail': (threads) => vipsthumbnail(files, seconds, threads),
  };
  const found = {};
  for (const threads of [1, cores]) {
    const slices = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
    for (let pass = 0; pass < SLICES; pass++) {
      for (const [side, measured] of Object.entries(sides)) slices[side].push(await measured(threads));
    }
    const medians = (values) => ({
      wall: median(values.map(([wall]) => wall)),
      cpu: median(values.map(([, cpu]) => cpu)),
    });
    found[threads] = Object.fromEntries(Object.entries(slices).map(([side, values]) => [side, medians(values)]));
  }
  return found;
}

/** Thumbnails a second on one thread: the median of some slices of so many seconds together. */
export async function single(files, seconds) {
  const words = ['throughput', '1', String(seconds / SLICES), ...files];
  const slices = [];
  for (let pass = 0; pass < SLICES; pass++) slices.push(numbers((await ours(words))[0])[0]);
  return median(slices);
}
