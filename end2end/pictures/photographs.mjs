// Makes what is measured out of the photographs that scripts/setup fetches.
//
// A camera's picture has detail and noise down to its pixels. So each photograph is enlarged by no more than two
// or three, several share one picture, and noise goes over it: the files are as large as a telephone's.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './support/programs.mjs';

const source = (name) => join(root, 'target/photographs', name);
const PHOTOGRAPHS = [
  'astronaut.png',
  'coffee.png',
  'chelsea.png',
  'rocket.jpg',
  'motorcycle_left.png',
  'retina.jpg',
  'ihc.png',
  'hubble_deep_field.jpg',
];

/** Raw pixels of a mosaic with noise; `cells` across and down. */
async function mosaic(width, height, [across, down], grain, first) {
  const [cell, row] = [Math.ceil(width / across), Math.ceil(height / down)];
  const tiles = [];
  for (let index = 0; index < across * down; index++) {
    const input = await sharp(source(PHOTOGRAPHS[(first + index * 3) % PHOTOGRAPHS.length]))
      .removeAlpha()
      .toColourspace('srgb')
      .resize(cell, row, { fit: 'cover', kernel: 'lanczos3' })
      .png({ compressionLevel: 0 })
      .toBuffer();
    tiles.push({ input, left: (index % across) * cell, top: Math.floor(index / across) * row });
  }
  const size = { width: cell * across, height: row * down };
  const { data } = await sharp({ create: { ...size, channels: 3, background: 'black' } })
    .composite(tiles)
    .extract({ left: 0, top: 0, width, height })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  noise(data, grain, first + 1);
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Noise of about this deviation, the same each time. */
function noise(data, deviation, seed) {
  const step = deviation / 8;
  let state = seed * 2654435761;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const value = data[at] + ((state >>> 28) + ((state >>> 20) & 15) + ((state >>> 12) & 15) - 22.5) * step;
    data[at] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
}

const JPEG = (image) => image.jpeg({ quality: 92, chromaSubsampling: '4:2:0' });
const PROGRESSIVE = (image) => image.jpeg({ quality: 92, progressive: true });
const PNG = (image) => image.png({ adaptiveFiltering: true });
const WEBP = (image) => image.webp({ quality: 88 });
/** Name, size, cells, noise, how it is written and how many: a camera's is noisy, a generated or drawn one hardly. */
const PICTURES = [
  ['12mp.jpg', 4000, 3000, [3, 2], 3, JPEG, 3],
  ['12mp-progressive.jpg', 4000, 3000, [3, 2], 3, PROGRESSIVE, 3],
  ['24mp.jpg', 6000, 4000, [3, 3], 3, JPEG, 3],
  ['1024.png', 1024, 1024, [1, 1], 0.7, PNG, 3],
  ['2048.png', 2048, 2048, [2, 2], 0.7, PNG, 3],
  ['1024.webp', 1024, 1024, [1, 1], 0.7, WEBP, 3],
  ['24mp-progressive.jpg', 6000, 4000, [3, 3], 3, PROGRESSIVE, 1],
  ['24mp.png', 6000, 4000, [3, 3], 0.7, PNG, 1],
  ['24mp.webp', 6000, 4000, [3, 3], 0.7, WEBP, 1],
];

export async function photographs(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, width, height, cells, grain, write, count] of PICTURES) {
    for (let index = 0; index < count; index++) {
      const file = join(folder, `${index}-${name}`);
      if (!existsSync(file))
        writeFileSync(file, await write(await mosaic(width, height, cells, grain, index)).toBuffer());
    }
  }
}
