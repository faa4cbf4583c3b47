// Writes what inks without a profile look like, as libvips shows them: node inks.mjs FILE
//
// Red, green and blue for each mixture of cyan, magenta, yellow and black in nine steps, black changing first.
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { tiff } from './corpus/containers.mjs';

const STEPS = 9;
const samples = Buffer.alloc(STEPS ** 4 * 4);
for (let at = 0; at < STEPS ** 4; at++) {
  for (let ink = 0; ink < 4; ink++)
    samples[at * 4 + ink] = Math.round(((Math.floor(at / STEPS ** (3 - ink)) % STEPS) * 255) / (STEPS - 1));
}
const patches = tiff({ width: STEPS ** 2, height: STEPS ** 2, channels: 4, samples, photometric: 5 });
writeFileSync(process.argv[2], await sharp(patches).toColourspace('srgb').raw().toBuffer());
