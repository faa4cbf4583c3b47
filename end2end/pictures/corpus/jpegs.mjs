// The cases of JPEG: how colours are sampled, in which scans they come, and what stands around them.
import { exif } from './exif.mjs';
import { press } from './icc.mjs';
import { python } from './imagecodecs.mjs';
import { cjpeg, having, icc as iccSegments, joined, segments, without } from './jpeg.mjs';
import { inks, rgb } from './scenes.mjs';
import { HEIGHT, WIDTH, greyScene, photo, scene } from './subject.mjs';

export async function* jpegs() {
  for (const sampling of [
    '1x1',
    '2x1',
    '1x2',
    '2x2',
    '4x1',
    '1x4',
    '4x2',
    '2x4',
    '3x1',
    '1x1,2x2,1x1',
    '2x2,2x1,1x2',
    '2x1,1x2,1x1',
  ]) {
    yield [`sampled-${sampling.replaceAll(',', '-')}.jpg`, cjpeg(scene, ['-quality', '90', '-sample', sampling])];
    yield [
      `sampled-${sampling.replaceAll(',', '-')}-progressive.jpg`,
      cjpeg(scene, ['-quality', '90', '-progressive', '-sample', sampling]),
    ];
  }
  yield ['grey.jpg', cjpeg(greyScene, ['-quality', '90', '-grayscale'])];
  yield ['grey-sampled-2x2.jpg', cjpeg(greyScene, ['-quality', '90', '-grayscale', '-sample', '2x2'])];
  yield ['grey-progressive.jpg', cjpeg(greyScene, ['-progressive', '-grayscale'])];
  yield ['restarts-each-block.jpg', cjpeg(scene, ['-quality', '90', '-restart', '1B'])];
  yield ['restarts-each-row.jpg', cjpeg(scene, ['-quality', '90', '-restart', '1', '-optimize'])];
  yield ['restarts-progressive.jpg', cjpeg(scene, ['-quality', '90', '-restart', '3B', '-progressive'])];
  yield ['one-scan-a-colour.jpg', cjpeg(scene, ['-quality', '90'], '0;\n1;\n2;\n')];
  yield ['two-scans.jpg', cjpeg(scene, ['-quality', '90', '-sample', '2x1'], '0;\n1 2;\n')];
  const spectral = '0 1 2: 0-0, 0, 0;\n0: 1-5, 0, 0;\n0: 6-63, 0, 0;\n1: 1-63, 0, 0;\n2: 1-63, 0, 0;\n';
  yield ['progressive-whole-bands.jpg', cjpeg(scene, ['-quality', '90'], spectral)];
  const fine =
    '0: 0-0, 0, 3;\n1: 0-0, 0, 3;\n2: 0-0, 0, 3;\n0: 1-63, 0, 4;\n1: 1-63, 0, 4;\n2: 1-63, 0, 4;\n' +
    [3, 2, 1].map((bit) => [0, 1, 2].map((one) => `${one}: 0-0, ${bit}, ${bit - 1};\n`).join('')).join('') +
    [4, 3, 2, 1].map((bit) => [0, 1, 2].map((one) => `${one}: 1-63, ${bit}, ${bit - 1};\n`).join('')).join('');
  yield ['progressive-bit-by-bit.jpg', cjpeg(scene, ['-quality', '95'], fine)];
  // The order in which jpegli writes its layers.
  const jpegli =
    '0 1 2: 0-0, 0, 0;\n0: 1-2, 0, 0;\n1: 1-2, 0, 0;\n2: 1-2, 0, 0;\n0: 3-63, 0, 2;\n1: 3-63, 0, 2;\n2: 3-63, 0, 2;\n' +
    [2, 1].map((bit) => [0, 1, 2].map((one) => `${one}: 3-63, ${bit}, ${bit - 1};\n`).join('')).join('');
  yield ['progressive-as-jpegli.jpg', cjpeg(scene, ['-quality', '92', '-sample', '1x1'], jpegli)];
  yield ['coarse-steps.jpg', cjpeg(scene, ['-quality', '1'])];
  yield ['finest-steps.jpg', cjpeg(scene, ['-quality', '100', '-sample', '1x1'])];
  const direct = cjpeg(scene, ['-quality', '90', '-rgb']);
  yield ['colours-direct.jpg', direct];
  yield ['colours-direct-by-names-alone.jpg', without(direct, 0xee)];
  yield ['without-jfif.jpg', without(photo(), 0xe0)];
  yield [
    'adobe-without-jfif.jpg',
    joined([[0xee, Buffer.from('Adobe\0d\0\0\0\0\u0001', 'latin1')], ...segments(without(photo(), 0xe0))]),
  ];
  const whole = photo();
  yield [
    'followed-by-a-video.jpg',
    Buffer.concat([whole, Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(5000, 0x5a)]),
  ];
  yield ['without-its-end.jpg', whole.subarray(0, -2)];
  yield [
    'filled-between-segments.jpg',
    Buffer.concat([whole.subarray(0, 20), Buffer.alloc(7, 0xff), whole.subarray(20)]),
  ];
  const second = cjpeg({ width: 32, height: 24, data: rgb(32, 24).map((sample) => 255 - sample) });
  yield ['with-a-second-picture.jpg', Buffer.concat([whole, second])];
  yield [
    'with-its-own-thumbnail.jpg',
    having(whole, [0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(1), second])]),
  ];
  for (const [name, width] of [
    ['half', 300],
    ['quarter', 600],
    ['eighth', 1160],
  ]) {
    const height = Math.round(width * 0.9);
    const picture = { width, height, data: rgb(width, height) };
    yield [`reduced-to-a-${name}.jpg`, cjpeg(picture, ['-quality', '50', '-optimize'])];
    if (name === 'half')
      yield [
        `reduced-to-a-${name}-progressive.jpg`,
        cjpeg(picture, ['-quality', '50', '-progressive', '-sample', '2x1']),
      ];
  }
}

/** What `Adobe` JPEGs hold is the opposite of the inks. */
export async function* inkJpegs() {
  const inked = Buffer.from(inks(WIDTH, HEIGHT));
  const written = python(inked);
  yield ['inks-adobe.jpg', written.cmyk];
  yield ['inks-ycck.jpg', written.ycck];
  yield ['inks-without-adobe.jpg', without(written.plain, 0xee)];
  yield ['inks-profile.jpg', having(written.cmyk, ...iccSegments(press()))];
}
