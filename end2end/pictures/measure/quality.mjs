// How good thumbnails are, and how large: against the same picture reduced at full size by another program.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { compared, neutral, ours, theirs, vips, work } from '../support/programs.mjs';

export const SIDES = ['ours', 'sharp', 'sharp at effort 2', 'vipsthumbnail'];

/** By side: `seen`, the mean SSIMULACRA2 of the files, and their `bytes` altogether. */
export async function quality(files) {
  const folder = (side) => join(work, 'thumbnails', side);
  const references = join(work, 'references');
  mkdirSync(references, { recursive: true });
  mkdirSync(folder('vipsthumbnail'), { recursive: true });
  for (const file of files) {
    const to = join(references, `${basename(file)}.png`);
    if (!existsSync(to)) neutral(440, file, to);
  }
  await ours(['render', 'thumbnail', folder('ours'), ...files]);
  await theirs(['render', 'thumbnail', folder('sharp'), ...files]);
  await theirs(['render', 'thumbnail', folder('sharp at effort 2'), ...files], { EFFORT: '2' });
  for (const file of files) {
    await vips(['-s', '440x440>', '-o', join(folder('vipsthumbnail'), `${basename(file)}.webp[Q=80,strip]`), file]);
  }
  const measured = (side) => {
    const rendered = files.map((file) => join(folder(side), `${basename(file)}.webp`));
    const seen = compared(files.map((file, index) => [join(references, `${basename(file)}.png`), rendered[index]]));
    if (seen.some((one) => !one || one.sizes)) throw new Error(`${side}: not all of ${files}`);
    const bytes = rendered.reduce((sum, file) => sum + statSync(file).size, 0);
    return { seen: seen.reduce((sum, one) => sum + one.seen, 0) / seen.length, bytes };
  };
  return Object.fromEntries(SIDES.map((side) => [side, measured(side)]));
}
