// The studio under load: a copy of the demo with one large original more, and real servers on it, one after the other.
import { execFileSync } from 'node:child_process';
import { cp, link, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { run, said, start, stop } from './children.mjs';
import { avatars, scratch } from './paths.mjs';
import { openFiles } from './proc.mjs';
import { ask } from './requests.mjs';
import { Watch } from './watch.mjs';

const PASSWORD = 'look-at-pictures';
/** The sides of the large original: a BMP of 8 MiB. */
const SIDE = 1672;

/**
 * A data folder with two batches of 150 candidates and one large original. Drawn once for each build of the program.
 * @returns {Promise<{ data: string, large: string }>}
 */
export async function studioFolder() {
  const { mtimeMs, size } = await stat(avatars);
  const drawn = path.join(scratch, `demo-${Math.trunc(mtimeMs)}-${size}`);
  await mkdir(scratch, { recursive: true });
  for (const old of await readdir(scratch)) {
    if (path.join(scratch, old) !== drawn) await rm(path.join(scratch, old), { recursive: true, force: true });
  }
  if (!(await stat(drawn).catch(() => undefined))) {
    const fresh = await mkdtemp(path.join(scratch, 'drawing-'));
    const env = environment(path.join(fresh, 'data'));
    await run([avatars, 'demo'], { env });
    await writeFile(path.join(fresh, 'large.bmp'), bitmap(SIDE));
    const place = ['--family', 'lindqvist', '--subject', 'large', '--batch', 'large'];
    await run([avatars, 'import', path.join(fresh, 'large.bmp'), ...place], { env });
    await rename(fresh, drawn);
  }
  const folder = await mkdtemp(path.join(scratch, 'run-'));
  await copy(drawn, folder);
  return { data: path.join(folder, 'data'), large: path.join(folder, 'large.bmp'), folder };
}

/** An uncompressed picture that is no single colour. */
function bitmap(side) {
  const pixels = Buffer.alloc(side * side * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * 7 + (at >> 11) * 13) & 0xff;
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(head.length + pixels.length, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(side, 18);
  head.writeInt32LE(side, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([head, pixels]);
}

/** Originals are never written again, so they are linked; renditions are made anew; everything else is copied. */
async function copy(from, to) {
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || name.startsWith('data/renditions')) continue;
    await mkdir(path.dirname(path.join(to, name)), { recursive: true });
    const put = name.startsWith('data/originals') ? link : cp;
    await put(path.join(from, name), path.join(to, name));
  }
}

/** The harness's own settings and none of the caller's. */
function environment(data, settings = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AVATARS_'));
  return { ...Object.fromEntries(inherited), AVATARS_DATA: data, ...settings };
}

/** Removes every rendition: whatever is asked for has to be rendered. */
export const chill = (data) => rm(path.join(data, 'renditions'), { recursive: true, force: true });

/** The file of each thumbnail that has been rendered, by the hash of its original. */
export async function thumbnailFiles(data) {
  const renditions = path.join(data, 'renditions');
  const files = new Map();
  for (const folder of (await readdir(renditions)).filter((name) => name.startsWith('thumbnail-'))) {
    for (const entry of await readdir(path.join(renditions, folder), { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) files.set(path.parse(entry.name).name, path.join(entry.parentPath, entry.name));
    }
  }
  return files;
}

/** A running server, with what storms need to know of it. */
export class Studio {
  /**
   * @param {string} data
   * @param {{ settings?: Record<string, string>, cold?: boolean, openFiles?: number }} [options]
   */
  static async serve(data, { settings = {}, cold = false, openFiles: limit } = {}) {
    if (cold) await chill(data);
    const env = environment(data, { AVATARS_LISTEN: '127.0.0.1:0', ...settings });
    const program = start([avatars, 'serve'], { env, openFiles: limit });
    const studio = new Studio();
    const [, url, port] = await said(program, /(http:\/\/127\.0\.0\.1:(\d+))/);
    Object.assign(studio, { program, data, url, host: '127.0.0.1', port: Number(port), pid: program.pid });
    studio.cookie = await studio.signIn('ada');
    studio.batches = await studio.readBatches();
    studio.assets = studio.batches.flatMap((batch) => batch.assets);
    studio.watch = await Watch.start(studio);
    return studio;
  }

  /** Signs in; answers the cookie. */
  async signIn(name) {
    const { status, headers } = await this.trySignIn(name);
    if (status !== 204) throw new Error(`signing in as ${name} was answered ${status}`);
    return headers['set-cookie'][0].split(';')[0];
  }

  trySignIn(name, options) {
    return ask(`${this.url}/api/session`, { method: 'POST', json: { name, password: PASSWORD }, ...options });
  }

  async json(path) {
    const { status, failure, text } = await ask(`${this.url}${path}`, { cookie: this.cookie, keep: true });
    if (status !== 200) throw new Error(`${path} was answered ${status ?? failure}`);
    return JSON.parse(text);
  }

  async readBatches() {
    const { batches } = await this.json('/api/batches');
    const full = [];
    for (const batch of batches) {
      const { assets } = await this.json(`/api/batches/${batch.id}/assets?kind=candidate&limit=1000`);
      if (batch.slug === 'large') this.large = assets[0];
      else full.push({ ...batch, assets });
    }
    return full;
  }

  /** Figures of `/metrics`, by name. */
  async figures(...names) {
    const { text } = await ask(`${this.url}/metrics`, { keep: true });
    const value = (name) => Number(text.match(new RegExp(`^avatars_${name} (\\S+)`, 'm'))?.[1] ?? NaN);
    return Object.fromEntries(names.map((name) => [name.replace(/^intake_|_total$/g, ''), value(name)]));
  }

  thumbnail(asset) {
    return `${this.url}/api/assets/${asset.id}/thumbnail`;
  }

  /** Approves a candidate of a known version and remembers the new one. */
  async approve(asset, options) {
    const answer = await ask(`${this.url}/api/assets/${asset.id}/decision`, {
      method: 'PUT',
      cookie: this.cookie,
      json: { decision: 'approved', version: asset.version },
      keep: true,
      ...options,
    });
    if (answer.status === 200) asset.version = JSON.parse(answer.text).version;
    return answer;
  }

  openFiles() {
    return openFiles(this.pid);
  }

  async stop() {
    this.watch.stop();
    await stop(this.program, 40_000);
  }
}

/** What program is measured. */
export const version = () => execFileSync(avatars, ['--version'], { encoding: 'utf8' }).trim();
