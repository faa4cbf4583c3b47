// Every case of the corpus: a name, what it is about, and its bytes.
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

import { animatedWebp, bmp, extendedWebp, gif, tiff } from './containers.mjs';
import { exif, inJpeg, inPng } from './exif.mjs';
import { SRGB_CURVE, coloured, press, shades } from './icc.mjs';
import { cjpeg, having, icc as iccSegments } from './jpeg.mjs';
import { inkJpegs, jpegs } from './jpegs.mjs';
import { chunk, gamma, icc as iccChunk, pixels, png, primaries } from './png.mjs';
import { colour, disc, grey, greyAlpha, inks, rgb, rgba } from './scenes.mjs';
import { HEIGHT, WIDTH, greyScene, photo, raw, scene, size } from './subject.mjs';

async function* orientations() {
  const still = await raw(scene.data, 3).webp({ quality: 90 }).toBuffer();
  for (let value = 1; value <= 8; value++) {
    yield [`orientation-${value}.jpg`, having(photo(), inJpeg(exif(value)))];
    yield [`orientation-${value}.png`, png({ ...size, colour: 2, samples: scene.data, chunks: [inPng(exif(value))] })];
    yield [`orientation-${value}.webp`, extendedWebp(still, { ...size, exif: exif(value) })];
    const little = { width: 30, height: 20, channels: 3, samples: rgb(30, 20), photometric: 2 };
    yield [`orientation-${value}.tif`, tiff({ ...little, tags: [[274, 3, [value]]] })];
  }
  const block = exif(6, { little: true, before: true });
  yield ['orientation-little-endian.jpg', having(photo(), inJpeg(block))];
  yield [
    'orientation-after-xmp.jpg',
    having(photo(), [0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>')], inJpeg(block)),
  ];
  yield ['orientation-behind-pixels.png', png({ ...size, colour: 2, samples: scene.data, after: [inPng(exif(8))] })];
  yield [
    'orientation-with-prefix.webp',
    extendedWebp(still, { ...size, exif: Buffer.concat([Buffer.from('Exif\0\0'), exif(3)]) }),
  ];
  yield ['orientation-of-no-meaning.jpg', having(photo(), inJpeg(exif(9)))];
  const large = { width: 270, height: 300, data: rgb(270, 300) };
  yield ['orientation-reduced.jpg', having(cjpeg(large, ['-quality', '60']), inJpeg(exif(5)))];
}

async function* profiles() {
  const curves = {
    'display-p3': ['Display P3', SRGB_CURVE],
    'adobe-rgb': ['Adobe RGB', 2.19921875],
    'prophoto': ['ProPhoto RGB', 1.8],
  };
  for (const [name, [space, curve]] of Object.entries(curves)) {
    const profile = coloured(space, curve);
    yield [`profile-${name}.jpg`, having(photo(), ...iccSegments(profile))];
    yield [`profile-${name}.png`, png({ ...size, colour: 2, samples: scene.data, chunks: [iccChunk(profile)] })];
  }
  const p3 = coloured(...curves['display-p3']);
  const swapped = coloured('wide gamut with swapped colours', 2.2);
  const table = Array.from({ length: 1024 }, (_, at) => (at / 1023) ** 1.8);
  const still = await raw(scene.data, 3).webp({ quality: 90 }).toBuffer();
  const lossless = await raw(rgba(WIDTH, HEIGHT), 4).webp({ lossless: true }).toBuffer();
  yield ['profile-in-three-parts.jpg', having(photo(), ...iccSegments(p3, Math.ceil(p3.length / 3)))];
  yield ['profile-swapped.jpg', having(photo(), ...iccSegments(swapped))];
  yield [
    'profile-curve-of-a-table.png',
    png({ ...size, colour: 2, samples: scene.data, chunks: [iccChunk(coloured('Adobe RGB', table))] }),
  ];
  yield [
    'profile-srgb.png',
    png({ ...size, colour: 2, samples: scene.data, chunks: [iccChunk(coloured('sRGB', SRGB_CURVE))] }),
  ];
  yield ['profile-of-nonsense.jpg', having(photo(), ...iccSegments(Buffer.from('this is no profile at all')))];
  yield ['profile-display-p3.webp', extendedWebp(still, { ...size, icc: p3 })];
  yield ['profile-display-p3-alpha.webp', extendedWebp(lossless, { ...size, alpha: true, icc: p3 })];
  yield [
    'profile-display-p3-alpha.png',
    png({ ...size, colour: 6, samples: rgba(WIDTH, HEIGHT), chunks: [iccChunk(p3)] }),
  ];
  yield [
    'profile-adobe-rgb.tif',
    tiff({ ...size, channels: 3, samples: scene.data, photometric: 2, icc: coloured('Adobe RGB', 2.19921875) }),
  ];
  yield [
    'profile-prophoto-16-bit.png',
    png({
      ...size,
      colour: 2,
      depth: 16,
      samples: rgb(WIDTH, HEIGHT, 65535),
      chunks: [iccChunk(coloured('ProPhoto RGB', 1.8))],
    }),
  ];
  yield ['profile-grey.jpg', having(cjpeg(greyScene, ['-grayscale']), ...iccSegments(shades(1.2)))];
  yield [
    'profile-grey-table.png',
    png({ ...size, colour: 0, samples: greyScene.data, chunks: [iccChunk(shades(table))] }),
  ];
  yield [
    'profile-grey-alpha.png',
    png({ ...size, colour: 4, samples: greyAlpha(WIDTH, HEIGHT), chunks: [iccChunk(shades(1.8))] }),
  ];
  yield [
    'profile-grey-for-colours.png',
    png({ ...size, colour: 2, samples: scene.data, chunks: [iccChunk(shades(1.8))] }),
  ];
  yield ['profile-colours-for-grey.png', png({ ...size, colour: 0, samples: greyScene.data, chunks: [iccChunk(p3)] })];
  yield ['gamma-1.0.png', png({ ...size, colour: 2, samples: scene.data, chunks: [gamma(1)] })];
  yield [
    'gamma-1.0-grey-16-bit.png',
    png({ ...size, colour: 0, depth: 16, samples: grey(WIDTH, HEIGHT, 65535), chunks: [gamma(1)] }),
  ];
  yield ['gamma-0.55556.png', png({ ...size, colour: 2, samples: scene.data, chunks: [gamma(1 / 1.8)] })];
  yield ['gamma-0.45455.png', png({ ...size, colour: 2, samples: scene.data, chunks: [gamma(0.45455)] })];
  yield [
    'gamma-1.0-beside-srgb.png',
    png({ ...size, colour: 2, samples: scene.data, chunks: [chunk('sRGB', [0]), gamma(1)] }),
  ];
  const adobe = [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06];
  yield [
    'gamma-and-primaries.png',
    png({ ...size, colour: 2, samples: scene.data, chunks: [gamma(0.45455), primaries(adobe)] }),
  ];
}

async function* depths() {
  const most = (depth) => 2 ** depth - 1;
  for (const depth of [1, 2, 4, 8, 16]) {
    yield [`grey-${depth}-bit.png`, png({ ...size, colour: 0, depth, samples: grey(WIDTH, HEIGHT, most(depth)) })];
  }
  for (const depth of [1, 2, 4, 8]) {
    const palette = Array.from({ length: 1 << depth }, (_, at) =>
      colour(((at * 7) % (1 << depth)) / (1 << depth), at / (1 << depth)),
    ).flat();
    yield [
      `palette-${depth}-bit.png`,
      png({ ...size, colour: 3, depth, samples: grey(WIDTH, HEIGHT, most(depth)), chunks: [chunk('PLTE', palette)] }),
    ];
  }
  yield ['colours-16-bit.png', png({ ...size, colour: 2, depth: 16, samples: rgb(WIDTH, HEIGHT, 65535) })];
  yield ['interlaced.png', png({ ...size, colour: 2, samples: scene.data, interlaced: true })];
  yield [
    'interlaced-1-bit.png',
    png({ ...size, colour: 0, depth: 1, samples: grey(WIDTH, HEIGHT, 1), interlaced: true }),
  ];
  yield [
    'interlaced-alpha-16-bit.png',
    png({ ...size, colour: 6, depth: 16, samples: rgba(WIDTH, HEIGHT, 65535), interlaced: true }),
  ];
  const filtered = sharp(Buffer.from(rgb(290, 270)), { raw: { width: 290, height: 270, channels: 3 } });
  yield ['filtered-and-reduced.png', await filtered.png({ adaptiveFiltering: true, compressionLevel: 9 }).toBuffer()];
  const wide = { width: 290, height: 270 };
  yield ['grey-reduced.png', png({ ...wide, colour: 0, samples: grey(290, 270) })];
  yield [
    'alpha-reduced.png',
    await sharp(Buffer.from(rgba(290, 270)), { raw: { ...wide, channels: 4 } })
      .png({ adaptiveFiltering: true, compressionLevel: 9 })
      .toBuffer(),
  ];
}

async function* alphas() {
  const pixels4 = rgba(WIDTH, HEIGHT);
  yield ['alpha.png', png({ ...size, colour: 6, samples: pixels4 })];
  yield ['alpha-black-below.png', png({ ...size, colour: 6, samples: rgba(WIDTH, HEIGHT, 255, [0, 0, 0]) })];
  yield ['alpha-green-below.png', png({ ...size, colour: 6, samples: rgba(WIDTH, HEIGHT, 255, [0, 255, 0]) })];
  yield ['alpha-16-bit.png', png({ ...size, colour: 6, depth: 16, samples: rgba(WIDTH, HEIGHT, 65535) })];
  yield ['alpha-grey.png', png({ ...size, colour: 4, samples: greyAlpha(WIDTH, HEIGHT) })];
  yield ['alpha-grey-16-bit.png', png({ ...size, colour: 4, depth: 16, samples: greyAlpha(WIDTH, HEIGHT, 65535) })];
  yield [
    'alpha-none-seen.png',
    png({ ...size, colour: 6, samples: rgba(WIDTH, HEIGHT).map((sample, at) => (at % 4 === 3 ? 0 : sample)) }),
  ];
  const few = grey(WIDTH, HEIGHT, 3);
  const palette = chunk('PLTE', [220, 40, 30, 40, 180, 60, 250, 250, 80, 30, 60, 200]);
  yield [
    'alpha-palette.png',
    png({ ...size, colour: 3, depth: 2, samples: few, chunks: [palette, chunk('tRNS', [0, 128])] }),
  ];
  yield [
    'alpha-palette-interlaced.png',
    png({ ...size, colour: 3, depth: 2, samples: few, interlaced: true, chunks: [palette, chunk('tRNS', [0, 128])] }),
  ];
  yield [
    'alpha-of-a-shade.png',
    png({ ...size, colour: 0, depth: 4, samples: grey(WIDTH, HEIGHT, 15), chunks: [chunk('tRNS', [0, 7])] }),
  ];
  yield [
    'alpha-of-a-shade-16-bit.png',
    png({
      ...size,
      colour: 0,
      depth: 16,
      samples: grey(WIDTH, HEIGHT, 3).map((sample) => sample * 21845),
      chunks: [chunk('tRNS', [0x55, 0x55])],
    }),
  ];
  yield [
    'alpha-of-a-colour.png',
    png({
      ...size,
      colour: 2,
      samples: few.constructor.from([...few].flatMap((at) => [at * 80, 90, 240 - at * 70])),
      chunks: [chunk('tRNS', [0, 160, 0, 90, 0, 100])],
    }),
  ];
  yield ['alpha.webp', await raw(pixels4, 4).webp({ quality: 90 }).toBuffer()];
  yield ['alpha-lossless.webp', await raw(pixels4, 4).webp({ lossless: true }).toBuffer()];
  yield ['lossless.webp', await raw(scene.data, 3).webp({ lossless: true }).toBuffer()];
  yield ['lossy.webp', await raw(scene.data, 3).webp({ quality: 80 }).toBuffer()];
  const large = { width: 300, height: 260 };
  yield [
    'lossy-reduced.webp',
    await sharp(Buffer.from(rgb(300, 260)), { raw: { ...large, channels: 3 } })
      .webp({ quality: 70 })
      .toBuffer(),
  ];
  yield [
    'alpha-reduced.webp',
    await sharp(Buffer.from(rgba(300, 260)), { raw: { ...large, channels: 4 } })
      .webp({ quality: 70 })
      .toBuffer(),
  ];
  const indexes = [...few].map((shade, at) =>
    disc(((at % WIDTH) + 0.5) / WIDTH, (Math.floor(at / WIDTH) + 0.5) / HEIGHT) > 127 ? shade : 4,
  );
  const colours = [
    [220, 40, 30],
    [40, 180, 60],
    [250, 250, 80],
    [30, 60, 200],
    [0, 0, 0],
    [9, 9, 9],
    [9, 9, 9],
    [9, 9, 9],
  ];
  yield ['alpha.gif', gif({ ...size, palette: colours, frames: [{ indexes, transparent: 4 }] })];
  yield ['interlaced.gif', gif({ ...size, palette: colours, frames: [{ indexes, interlaced: true }] })];
  const straight = { ...size, channels: 4, photometric: 2, samples: pixels4 };
  yield ['alpha.tif', tiff({ ...straight, tags: [[338, 3, [2]]] })];
  const multiplied = pixels4.map((sample, at) =>
    at % 4 === 3 ? sample : Math.round((sample * pixels4[at - (at % 4) + 3]) / 255),
  );
  yield ['alpha-premultiplied.tif', tiff({ ...straight, samples: multiplied, tags: [[338, 3, [1]]] })];
  yield [
    'alpha.bmp',
    bmp({ ...size, bits: 32, pixels: (x, y) => pixels4.slice((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4) }),
  ];
}

async function* animations() {
  const palette = [
    [220, 40, 30],
    [40, 180, 60],
    [250, 250, 80],
    [30, 60, 200],
  ];
  const frame = (index, more = {}) => ({
    indexes: [...grey(more.width ?? WIDTH, more.height ?? HEIGHT, 3)].map((shade) => (shade + index) % 4),
    ...more,
  });
  const part = { left: 20, top: 10, width: 50, height: 40 };
  yield ['animated.gif', gif({ ...size, palette, frames: [frame(0), frame(1), frame(2, part)] })];
  yield ['animated-small-first.gif', gif({ ...size, palette, background: 2, frames: [frame(0, part), frame(1)] })];
  yield [
    'animated-transparent-first.gif',
    gif({ ...size, palette, background: 2, frames: [frame(0, { transparent: 1 }), frame(1)] }),
  ];
  const still = (data, width, height, options) =>
    sharp(Buffer.from(data), { raw: { width, height, channels: data.length / width / height } })
      .webp(options)
      .toBuffer();
  const whole = { left: 0, top: 0, ...size };
  const first = await still(scene.data, WIDTH, HEIGHT, { quality: 85 });
  const second = await still(rgba(WIDTH, HEIGHT), WIDTH, HEIGHT, { quality: 85 });
  const small = await still(rgb(50, 40), 50, 40, { lossless: true });
  yield [
    'animated.webp',
    animatedWebp({
      ...size,
      frames: [
        { still: first, ...whole },
        { still: second, ...whole },
      ],
    }),
  ];
  yield [
    'animated-transparent-first.webp',
    animatedWebp({
      ...size,
      frames: [
        { still: second, ...whole },
        { still: first, ...whole },
      ],
    }),
  ];
  yield [
    'animated-small-first.webp',
    animatedWebp({
      ...size,
      frames: [
        { still: small, ...part },
        { still: first, ...whole },
      ],
    }),
  ];
  const control = (sequence, { left, top, width, height }) => {
    const data = Buffer.alloc(26);
    [sequence, width, height, left, top].forEach((value, index) => data.writeUInt32BE(value, index * 4));
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(10, 22);
    return chunk('fcTL', data);
  };
  const numbered = (sequence, data) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence);
    return chunk('fdAT', Buffer.concat([number, data]));
  };
  const frames = (count) => chunk('acTL', [0, 0, 0, count, 0, 0, 0, 0]);
  const other = rgba(WIDTH, HEIGHT).map((sample, at) => (at % 4 === 3 ? 255 : 255 - sample));
  const opaque = rgba(WIDTH, HEIGHT).map((sample, at) => (at % 4 === 3 ? 255 : sample));
  const canvas = { ...size, channels: 4, depth: 8 };
  yield [
    'animated.png',
    png({
      ...size,
      colour: 6,
      samples: opaque,
      chunks: [frames(2), control(0, whole)],
      after: [control(1, whole), numbered(2, pixels({ ...canvas, samples: other }))],
    }),
  ];
  yield [
    'animated-still-aside.png',
    png({
      ...size,
      colour: 6,
      samples: other,
      chunks: [frames(2)],
      after: [
        control(0, whole),
        numbered(1, pixels({ ...canvas, samples: opaque })),
        control(2, whole),
        numbered(3, pixels({ ...canvas, samples: other })),
      ],
    }),
  ];
}

async function* shapes() {
  const pictures = {
    '1x150': [1, 150],
    '150x1': [150, 1],
    '1x1': [1, 1],
    '3x2': [3, 2],
    '790x36861': [790, 36861],
    '19034x800': [19034, 800],
    '60000x1': [60000, 1],
  };
  for (const [name, [width, height]] of Object.entries(pictures)) {
    const quarter = (at, side) => Math.floor(((at + 0.5) / side) * 4);
    const lines = [0, 1].map((odd) => Uint8Array.from({ length: width }, (_, x) => (quarter(x, width) + odd) & 1));
    const samples = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) samples.set(lines[quarter(y, height) & 1], y * width);
    yield [`shape-${name}.png`, png({ width, height, colour: 0, depth: 1, samples })];
  }
  for (const [width, height] of [
    [1, 60000],
    [60000, 1],
    [17, 9],
    [1, 1],
    [8, 8],
  ]) {
    yield [
      `shape-${width}x${height}.jpg`,
      cjpeg({ width, height, data: rgb(width, height) }, ['-quality', '90', '-sample', '2x2']),
    ];
  }
}

/** What inflates to a hundred times the memory that the picture takes. */
async function* bombs() {
  const much = Buffer.alloc(64 << 20);
  const plain = { ...size, colour: 0, samples: greyScene.data };
  const text = (kind, head) =>
    chunk(kind, Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(much, { level: 9 })]));
  yield ['bomb-profile.png', png({ ...plain, chunks: [iccChunk(much)] })];
  yield ['bomb-text.png', png({ ...plain, chunks: [text('zTXt', 'Comment\0\0')] })];
  yield ['bomb-international-text.png', png({ ...plain, after: [text('iTXt', 'Comment\0\u0001\0\0\0')] })];
}

async function* others() {
  const at = (x, y) => scene.data.subarray((y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3);
  const palette = Array.from({ length: 256 }, (_, index) => [index, (index * 5) % 256, 255 - index]);
  yield ['colours.bmp', bmp({ ...size, bits: 24, pixels: at })];
  yield ['from-top.bmp', bmp({ ...size, bits: 24, pixels: at, down: true })];
  yield ['palette.bmp', bmp({ ...size, bits: 8, palette, pixels: (x, y) => greyScene.data[y * WIDTH + x] })];
  yield ['16-bit.bmp', bmp({ ...size, bits: 16, pixels: at })];
  yield ['colours.tif', tiff({ ...size, channels: 3, samples: scene.data, photometric: 2 })];
  yield [
    'big-endian-16-bit.tif',
    tiff({ ...size, channels: 3, depth: 16, samples: rgb(WIDTH, HEIGHT, 65535), photometric: 2, big: true }),
  ];
  yield ['grey.tif', tiff({ ...size, channels: 1, samples: greyScene.data, photometric: 1 })];
  yield ['white-is-zero.tif', tiff({ ...size, channels: 1, samples: greyScene.data, photometric: 0 })];
  const inked = inks(WIDTH, HEIGHT);
  const inkTiff = (others) => tiff({ ...size, channels: 4, samples: inked, photometric: 5, ...others });
  yield ['inks.tif', inkTiff()];
  yield ['inks-profile.tif', inkTiff({ icc: press() })];
  const wide = Array.from(inked, (ink) => ink * 257);
  yield ['inks-16-bit.tif', inkTiff({ depth: 16, samples: wide })];
  yield ['inks-16-bit-profile.tif', inkTiff({ depth: 16, samples: wide, icc: press() })];
  const opened = () => sharp(scene.data, { raw: { ...size, channels: 3 } });
  for (const compression of ['lzw', 'deflate', 'packbits', 'jpeg']) {
    yield [
      `${compression}.tif`,
      await opened()
        .tiff({ compression, predictor: compression === 'jpeg' ? 'none' : 'horizontal', quality: 90 })
        .toBuffer(),
    ];
  }
  yield [
    'tiles.tif',
    await opened().tiff({ compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 32 }).toBuffer(),
  ];
  yield ['1-bit.tif', await opened().toColourspace('b-w').tiff({ compression: 'none', bitdepth: 1 }).toBuffer()];
  yield ['fax.tif', await opened().toColourspace('b-w').tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer()];
}

export async function* cases() {
  for (const group of [orientations, profiles, depths, alphas, animations, shapes, jpegs, bombs, others, inkJpegs])
    yield* group();
}
