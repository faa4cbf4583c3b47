// The cases that have to be refused.
import { tiff } from './containers.mjs';
import { python } from './imagecodecs.mjs';
import { cjpeg } from './jpeg.mjs';
import { png } from './png.mjs';
import { inks } from './scenes.mjs';
import { HEIGHT, WIDTH, photo, raw, scene, size } from './subject.mjs';

/** What has to be refused, with a word of the reason. */
export async function* refusals() {
  const { deep, lossless, avif } = python(Buffer.from(inks(WIDTH, HEIGHT)));
  yield ['refused-12-bit.jpg', deep, '12 bits a sample'];
  yield ['refused-lossless.jpg', lossless, 'lossless coding'];
  yield ['refused-arithmetic.jpg', cjpeg(scene, ['-arithmetic']), 'arithmetic coding'];
  yield ['refused.avif', avif, 'AVIF is not supported'];
  yield ['refused-heic.jpg', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'convert it to JPEG'];
  yield [
    'refused.svg',
    Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n'),
    'SVG is not supported',
  ];
  yield ['refused-text.png', Buffer.from('Dear diary\n'), 'a text'];
  yield ['refused-empty.png', Buffer.alloc(0), 'empty'];
  const cut = (file) => file.subarray(0, Math.floor(file.length * 0.6));
  yield ['refused-cut.jpg', cut(photo()), 'cut off'];
  yield ['refused-cut-progressive.jpg', cut(cjpeg(scene, ['-progressive'])), 'cut off'];
  yield ['refused-cut.png', cut(png({ ...size, colour: 2, samples: scene.data })), 'cut off'];
  yield ['refused-cut.webp', cut(await raw(scene.data, 3).webp().toBuffer()), ''];
  yield ['refused-cut.tif', cut(tiff({ ...size, channels: 3, samples: scene.data, photometric: 2 })), ''];
  yield [
    'refused-too-large.png',
    png({ width: 24000, height: 24000, colour: 0, samples: new Uint8Array(0) }).subarray(0, 60),
    'pixels are more than',
  ];
}
