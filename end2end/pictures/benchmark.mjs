// Measures thumbnails against sharp and vipsthumbnail in one run, and cold galleries.
//
//   node benchmark.mjs [--write] [SECONDS]   of each slice, three of each taking turns; `--write`: into docs/benchmarks.md
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

import { conditions, put, table } from '../support/docs.mjs';
import { BUDGET, gallery } from './measure/gallery.mjs';
import { SIDES, quality } from './measure/quality.mjs';
import { cores, speed } from './measure/speed.mjs';
import { photographs } from './photographs.mjs';
import { ours, root, vipsVersion, work } from './support/programs.mjs';

const words = process.argv.slice(2);
const seconds = Number(words.find((word) => !word.startsWith('--')) ?? 3);
const inputs = join(work, 'inputs');
const drawings = join(work, 'drawings');
await photographs(inputs);
if (!existsSync(drawings)) await ours(['drawings', drawings, '6']);

const of = (folder, pattern) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
/** Those that the targets are for come first. */
const PICTURES = [
  ['JPEG, 12 megapixels', of(inputs, /-12mp\.jpg$/)],
  ['JPEG, 12 megapixels, progressive', of(inputs, /-12mp-progressive\.jpg$/)],
  ['JPEG, 24 megapixels', of(inputs, /-24mp\.jpg$/)],
  ['PNG, 1024²', of(inputs, /-1024\.png$/)],
  ['PNG, 2048²', of(inputs, /-2048\.png$/)],
  ['WebP, 1024²', of(inputs, /-1024\.webp$/)],
  ["the demo's PNG", of(drawings, /\.png$/)],
  ["the demo's JPEG", of(drawings, /\.jpg$/)],
  ["the demo's WebP", of(drawings, /\.webp$/)],
];
const GALLERIES = [
  ["the demo's pictures", of(drawings, /\.(png|jpg|webp)$/), 2],
  ['JPEG, 12 megapixels', of(inputs, /-12mp\.jpg$/), 2],
  ['24 megapixels: JPEG, JPEG progressive, PNG, WebP', of(inputs, /^0-24mp/), 6],
];

const fastest = [];
const worth = [];
const figures = [];
const lowest = { over: ['', Infinity], seen: ['', Infinity], smallest: ['', Infinity], largest: ['', 0] };
const least = (key, title, value) => value < lowest[key][1] && (lowest[key] = [title, value]);

for (const [title, files] of PICTURES) {
  const seen = await quality(files);
  const bytes = (side) => seen.ours.bytes / seen[side].bytes;
  worth.push([
    title,
    ...SIDES.map((side) => seen[side].seen.toFixed(1)),
    bytes('sharp').toFixed(2),
    bytes('vipsthumbnail').toFixed(2),
  ]);
  least('seen', title, seen.ours.seen - seen.sharp.seen);
  least('smallest', title, bytes('sharp'));
  if (bytes('sharp') > lowest.largest[1]) lowest.largest = [title, bytes('sharp')];
  console.error(worth.at(-1).join(' | '));
  for (const [threads, found] of Object.entries(await speed(files, seconds))) {
    const over = (side, kind = 'wall') => (found.ours[kind] / found[side][kind]).toFixed(2);
    const ratios = [over('sharp'), over('sharp at effort 2'), over('vipsthumbnail'), over('sharp', 'cpu')];
    fastest.push([title, threads, `${found.ours.wall.toFixed(1)}/s`, `${found.sharp.wall.toFixed(1)}/s`, ...ratios]);
    least('over', `${title}, ${threads} threads`, found.ours.wall / found.sharp.wall);
    console.error(fastest.at(-1).join(' | '));
  }
}

const reached = (holds) => (holds ? 'reached' : '**missed**');
const [over, seen, smallest, largest] = [lowest.over, lowest.seen, lowest.smallest, lowest.largest];
figures.push([
  'thumbnails per second, ours ÷ sharp, the least',
  '≥ 1.5',
  `${over[1].toFixed(2)} (${over[0]})`,
  reached(over[1] >= 1.5),
]);
figures.push([
  'SSIMULACRA2, ours less sharp’s, the least',
  '≥ 0',
  `${seen[1].toFixed(1)} (${seen[0]})`,
  reached(seen[1] >= -0.05),
]);
const size = `${smallest[1].toFixed(2)} (${smallest[0]}) to ${largest[1].toFixed(2)} (${largest[0]})`;
figures.push(['bytes, ours ÷ sharp', '0.97 to 1.03, or less', size, reached(largest[1] <= 1.03)]);

const held = [];
const rounded = (values) => values.map((value) => value.toFixed(0)).join(', ');
for (const [title, files, rounds] of GALLERIES) {
  const found = await gallery(files, rounds, seconds * 3);
  const highest = (side) => Math.max(...found[side].map(({ peak }) => peak));
  const shortest = (side) => Math.min(...found[side].map((round) => round.seconds));
  const times = [found.alone.toFixed(1), shortest('ours').toFixed(1), shortest('sharp').toFixed(1)].map(
    (value) => `${value} s`,
  );
  held.push([
    title,
    ...times,
    ...['ours', 'sharp'].map((side) => rounded(found[side].map(({ peak }) => peak))),
    rounded(found.ours.map(({ left }) => left)),
  ]);
  console.error(held.at(-1).join(' | '));
  const ratio = shortest('ours') / found.alone;
  figures.push([
    `300 cold tiles ÷ (sum of single renders ÷ cores): ${title}`,
    '≤ 1.2',
    ratio.toFixed(2),
    reached(ratio <= 1.2),
  ]);
  figures.push([
    `peak memory, ours ÷ sharp: ${title}`,
    '≤ 1.0',
    (highest('ours') / highest('sharp')).toFixed(2),
    reached(highest('ours') <= highest('sharp')),
  ]);
  if (rounds < 3) continue;
  figures.push([
    `peak memory of 300 cold tiles, ${rounds} rounds: ${title}`,
    `≤ budget + 150 MiB: ${BUDGET + 150} MiB`,
    `${highest('ours').toFixed(0)} MiB`,
    reached(highest('ours') <= BUDGET + 150),
  ]);
  const peaks = found.ours.map(({ peak }) => peak);
  const [last, before] = [peaks.at(-1), Math.max(...peaks.slice(0, -1))];
  figures.push([
    'peak memory of the last round, and the most before it',
    'no more',
    `${last.toFixed(0)} and ${before.toFixed(0)} MiB`,
    reached(last <= before),
  ]);
  const [second, final] = [found.ours[1].left, found.ours.at(-1).left];
  figures.push([
    'left a second after the last round, and after the second',
    'no more',
    `${final.toFixed(0)} and ${second.toFixed(0)} MiB`,
    reached(final <= second + 8),
  ]);
}

const versions = `sharp ${sharp.versions.sharp} (libvips ${sharp.versions.vips}), vipsthumbnail of libvips ${vipsVersion()}`;
const text = [
  conditions(versions),
  table(
    [
      'picture',
      'threads',
      'ours',
      'sharp',
      '÷ sharp',
      '÷ sharp at effort 2',
      '÷ vipsthumbnail',
      '÷ sharp by processor time',
    ],
    fastest,
  ),
  table(['picture', ...SIDES.map((side) => `SSIMULACRA2: ${side}`), 'bytes ÷ sharp', 'bytes ÷ vipsthumbnail'], worth),
  table(
    ['300 cold tiles', `sum ÷ ${cores} cores`, 'ours', 'sharp', 'peak MiB, ours', 'peak MiB, sharp', 'left MiB, ours'],
    held,
  ),
  table(['figure', 'wanted', 'measured', ''], figures),
].join('\n\n');
console.log(text);
if (words.includes('--write')) await put(join(root, 'docs/benchmarks.md'), 'thumbnails', text);
