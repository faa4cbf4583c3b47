// What only Python's imagecodecs writes here: inks, and what is refused.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { work } from '../support/programs.mjs';
import { HEIGHT, WIDTH } from './subject.mjs';

/** Inks in all ways, and coders that nobody here decodes, as the bytes of a file each. */
export function python(inked) {
  const program = `
import sys, base64, imagecodecs, numpy
inks = numpy.frombuffer(sys.stdin.buffer.read(), "u1").reshape(${HEIGHT}, ${WIDTH}, 4)
for data, space in ((255 - inks, "CMYK"), (255 - inks, "YCCK"), (inks, "CMYK")):
    print(base64.b64encode(imagecodecs.jpeg8_encode(data.copy(), level=92, colorspace="CMYK", outcolorspace=space)).decode())
deep = numpy.repeat(inks[..., :1].astype("u2") * 16, 3, axis=2)
print(base64.b64encode(imagecodecs.jpeg8_encode(deep, level=90, bitspersample=12)).decode())
print(base64.b64encode(imagecodecs.ljpeg_encode(inks[..., 0].copy())).decode())
print(base64.b64encode(imagecodecs.avif_encode(inks[..., :3].copy(), level=50)).decode())
`;
  const env = { ...process.env, PYTHONPATH: join(work, 'python') };
  const lines = execFileSync('python3', ['-c', program], { input: inked, env, maxBuffer: 1 << 26 });
  const [cmyk, ycck, plain, deep, lossless, avif] = lines
    .toString()
    .trim()
    .split('\n')
    .map((line) => Buffer.from(line, 'base64'));
  return { cmyk, ycck, plain, deep, lossless, avif };
}
