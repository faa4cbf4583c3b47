// Renders every case of the corpus with ours and with the references, and says how far they are apart.
//
//   node compare.mjs [--write] [--expected]
//
// Writes target/pictures/corpus.tsv and prints the tables; `--write`: into docs/pictures.md; `--expected`: also what the tests
// of the engine expect, from the references. Ends with 1 where a person would see a difference that nothing explains.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { conditions, put, table } from '../support/docs.mjs';
import { exceptions, reference } from './corpus/references.mjs';
import { compared, corpus, ffmpeg, neutral, ours, root, theirs, vips, vipsVersion, work } from './support/programs.mjs';

const [TILE, SQUARE] = ['thumbnail-png', 'square-64-png'];
const files = join(corpus, 'files');
const names = readdirSync(files).filter((name) => !name.startsWith('refused'));
const rendering = (by, recipe, name) => join(work, 'corpus', by, recipe, `${name}.png`);
const folder = (by, recipe) => {
  const made = join(work, 'corpus', by, recipe);
  mkdirSync(made, { recursive: true });
  return made;
};

/** Everything by every program. Gives why there is no rendering, by program and name. */
async function render() {
  rmSync(join(work, 'corpus'), { recursive: true, force: true });
  const paths = names.map((name) => join(files, name));
  const refused = new Map();
  const note = (by) => (line) =>
    line.includes('\t') && refused.set(`${by} ${line.split('\t')[0]}`, line.split('\t')[1]);
  for (const recipe of [TILE, SQUARE]) {
    (await ours(['render', recipe, folder('ours', recipe), ...paths])).forEach(note('ours'));
    (await theirs(['render', recipe, folder('sharp', recipe), ...paths])).forEach(note('sharp'));
  }
  // It cuts after it has resized, and so by another part of a pixel: of squares there is nothing to compare.
  for (const by of ['vips', 'ffmpeg', 'neutral']) folder(by, TILE);
  for (const name of names) {
    // Without a profile of its own a picture would come out in libvips's idea of one.
    const profile = /profile/.test(name) ? ['--export-profile', 'srgb'] : [];
    const to = ['-o', rendering('vips', TILE, name), join(files, name)];
    await vips(['-s', '440x440>', ...profile, ...to]).catch((error) =>
      refused.set(`vips ${name}`, error.message.split('\n')[1]),
    );
    if (reference(name).by === 'ffmpeg')
      await ffmpeg(['-i', join(files, name), '-frames:v', '1', rendering('ffmpeg', TILE, name)]);
    if (reference(name).by === 'neutral') neutral(440, join(files, name), rendering('neutral', TILE, name));
  }
  return refused;
}

/** Which recipes of a case are compared: enlarging is a matter of taste, and libvips takes a softer filter for it. */
async function recipes(name) {
  if (!['sharp', 'ours'].includes(reference(name).by)) return [TILE];
  const { width, height } = await sharp(join(files, name), { limitInputPixels: false, failOn: 'none' }).metadata();
  return Math.min(width, height) < 64 ? [TILE] : [TILE, SQUARE];
}

function worst(found, missing) {
  const there = found.filter(Boolean);
  if (there.length === 0) return { missing };
  const sizes = there.find((one) => one.sizes);
  if (sizes) return sizes;
  const most = (key) => Math.max(...there.map((one) => one[key]));
  const seen = there.map((one) => one.seen).filter((value) => !Number.isNaN(value));
  return {
    mean: most('mean'),
    worst: most('worst'),
    seen: seen.length ? Math.min(...seen) : NaN,
    alpha: most('alphaWorst'),
  };
}

async function apart(refused) {
  const rows = [];
  for (const name of names) {
    const { by, of } = reference(name);
    const pairs = (await recipes(name)).map((recipe) => [rendering('ours', recipe, name), rendering(by, recipe, of)]);
    pairs.push([rendering('ours', TILE, name), rendering('vips', TILE, name)]);
    const found = compared(pairs);
    const why = (side) => refused.get(`ours ${name}`) ?? refused.get(`${side} ${of}`) ?? 'not rendered';
    rows.push({ name, by, reference: worst(found.slice(0, -1), why(by)), vips: worst(found.slice(-1), why('vips')) });
  }
  return rows;
}

/** Where a person would see it: a shift of all colours, or another picture. */
const visible = ({ missing, sizes, mean, seen, alpha }) =>
  Boolean(missing || sizes || mean > 2 || seen < 75 || alpha > 8);

const GROUPS = [
  ['Orientation: JPEG, PNG, WebP, TIFF', /^orientation/],
  ['Profiles and gamma', /^(profile|gamma)/],
  ['Depths, palettes, interlacing', /^(grey-\d|palette-|colours-16|interlaced|filtered|grey-reduced)/],
  ['Transparency, WebP', /^(alpha|lossless|lossy)/],
  ['First frames of animations', /^animated/],
  ['Extreme shapes', /^shape/],
  ['Bombs beside the pixels', /^bomb/],
  ['JPEG: sampling, baseline and progressive', /^sampled/],
  ['Inks: JPEG, TIFF', /^inks/],
  ['JPEG: reduced while decoded', /^reduced/],
  ['JPEG: layers, restarts, odd ones', /\.jpg$/],
  ['TIFF', /\.tif$/],
  ['BMP', /\.bmp$/],
];

function summary(rows) {
  const left = new Set(rows);
  const groups = GROUPS.map(([title, pattern]) => {
    const group = [...left].filter(({ name }) => pattern.test(name));
    group.forEach((row) => left.delete(row));
    const compared = group.filter(({ by }) => by !== 'ours');
    const values = (key, side) =>
      compared.map((row) => row[side][key]).filter((value) => value !== undefined && !Number.isNaN(value));
    const mean = (side) =>
      (values('mean', side).reduce((sum, value) => sum + value, 0) / values('mean', side).length).toFixed(2);
    const seen = (side) => Math.min(...values('seen', side)).toFixed(1);
    const most = (key) => Math.max(...values(key, 'reference'));
    return [
      title,
      group.length,
      mean('reference'),
      most('worst'),
      seen('reference'),
      most('alpha'),
      mean('vips'),
      seen('vips'),
    ];
  });
  if (left.size > 0) throw new Error(`in no group: ${[...left].map(({ name }) => name)}`);
  const head = ['cases', 'how many', 'mean difference', 'worst of one sample', 'lowest SSIMULACRA2', 'alpha, worst'];
  return table([...head, 'vipsthumbnail: mean', 'lowest SSIMULACRA2'], groups);
}

/** Size, and the means of the sixteen parts of a picture: what a test can compare without the program that made it. */
async function parts(file) {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const cells = Array.from({ length: 16 }, () => [0, 0, 0, 0, 0]);
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      const cell = cells[Math.floor((y * 4) / info.height) * 4 + Math.floor((x * 4) / info.width)];
      const at = (y * info.width + x) * 4;
      const alpha = data[at + 3];
      for (let channel = 0; channel < 3; channel++) cell[channel] += (data[at + channel] * alpha) / 255;
      cell[3] += alpha;
      cell[4] += 1;
    }
  }
  const hex = (value) => Math.round(value).toString(16).padStart(2, '0');
  const colours = cells.map(([red, green, blue, alpha, count]) =>
    count === 0 ? '-' : [red, green, blue, alpha].map((sum) => hex(sum / count)).join(''),
  );
  return `${info.width}x${info.height}\t${colours.join(' ')}`;
}

async function expected() {
  const lines = [];
  for (const name of names) {
    const { by, of } = reference(name);
    for (const recipe of await recipes(name))
      lines.push(`${name}\t${recipe}\t${by}\t${await parts(rendering(by, recipe, of))}\n`);
  }
  writeFileSync(join(corpus, 'expected.tsv'), lines.join(''));
}

const refused = await render();
const rows = await apart(refused);
const cell = ({ missing, sizes, ...values }) =>
  missing ??
  sizes ??
  Object.values(values)
    .map((value) => value.toFixed(2))
    .join(' ');
writeFileSync(
  join(work, 'corpus.tsv'),
  rows.map((row) => `${row.name}\t${row.by}\t${cell(row.reference)}\t${cell(row.vips)}\n`).join(''),
);
const versions = `sharp ${sharp.versions.sharp} (libvips ${sharp.versions.vips}), vipsthumbnail of libvips ${vipsVersion()}`;
const text = [conditions(versions), summary(rows), table(['case', 'compared with', 'why'], exceptions(names))].join(
  '\n\n',
);
console.log(text);
const words = process.argv.slice(2);
if (words.includes('--write')) await put(join(root, 'docs/pictures.md'), 'comparison', text);
const unexplained = rows.filter((row) => visible(row.reference));
for (const row of unexplained) console.error(`${row.name}: ${row.by} ${cell(row.reference)}; vips ${cell(row.vips)}`);
if (words.includes('--expected')) await expected();
process.exitCode = unexplained.length > 0 ? 1 : 0;
