// Where the programs and folders of the comparison are, and how they are run.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const work = join(root, 'target/pictures');
export const corpus = join(root, 'server/engine/tests/corpus');
const sharp = join(root, 'end2end/pictures/sharp.mjs');
const run = promisify(execFile);
const room = { maxBuffer: 1 << 28 };

/** The newest build of the engine's bench. */
function bench() {
  const folder = join(root, 'target/release/deps');
  const found = readdirSync(folder)
    .filter((name) => /^pictures-[0-9a-f]+$/.test(name))
    .map((name) => join(folder, name));
  if (found.length === 0) throw new Error('not built: cargo bench -p engine --bench pictures --no-run');
  return found.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}
const quality = join(root, 'target/quality/release/quality');

const plain = (text) => text.toString().split('\n').filter(Boolean);
export const ours = async (words, env = {}) =>
  plain((await run(bench(), words, { ...room, env: { ...process.env, ...env } })).stdout);
export const theirs = async (words, env = {}) =>
  plain((await run(process.execPath, [sharp, ...words], { ...room, env: { ...process.env, ...env } })).stdout);
/** For the distribution's libvips: sharp says in the environment where its own is. */
export const vipsEnv = () => ({ ...process.env, VIPSHOME: undefined });
export const vips = (words) => run('vipsthumbnail', words, { ...room, env: vipsEnv() });
/** Of the distribution's libvips. */
export const vipsVersion = () =>
  execFileSync('vipsthumbnail', ['--vips-version'], { env: vipsEnv() })
    .toString()
    .match(/\d+\.\d+\.\d+/)[0];
export const ffmpeg = (words) => run('ffmpeg', ['-v', 'error', '-y', ...words], room);
export const neutral = (side, from, to) => execFileSync(quality, ['reference', String(side), from, to]);

/** For pairs of files: mean and worst difference of colours, SSIMULACRA2, mean and worst of alpha; or the two sizes. */
export function compared(pairs) {
  const here = pairs.filter((pair) => pair.every(existsSync));
  const input = here.map((pair) => `${pair.join('\t')}\n`).join('');
  const lines = plain(execFileSync(quality, ['compare'], { input, ...room }));
  const found = new Map(here.map((pair, index) => [pair.join('\t'), lines[index].split('\t')]));
  return pairs.map((pair) => {
    const values = found.get(pair.join('\t'));
    if (!values) return undefined;
    if (values[0] === 'sizes') return { sizes: `${values[1]} and ${values[2]}` };
    const [mean, worst, seen, alphaMean, alphaWorst] = values.map(Number);
    return { mean, worst, seen, alphaMean, alphaWorst };
  });
}
