// WebP's chunks, GIF's blocks, TIFF's directory and BMP's headers, written by hand.

const name = (text) => Buffer.from(text, 'latin1');
const little = (bits) => (value) => {
  const bytes = Buffer.alloc(bits / 8);
  bytes.writeUIntLE(value, 0, bits / 8);
  return bytes;
};
const [two, three, four] = [little(16), little(24), little(32)];

// WebP

function riff(chunks) {
  const body = Buffer.concat([name('WEBP'), ...chunks]);
  return Buffer.concat([name('RIFF'), four(body.length), body]);
}
const webpChunk = (kind, data) => Buffer.concat([name(kind), four(data.length), data, Buffer.alloc(data.length % 2)]);

/** The chunks of a still WebP that hold its pixels. */
function stillChunks(still) {
  const found = [];
  for (let at = 12; at + 8 <= still.length;) {
    const length = still.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(still.toString('latin1', at, at + 4))) found.push(still.subarray(at, end));
    at = end;
  }
  return found;
}

export function extendedWebp(still, { width, height, alpha = false, exif, icc }) {
  const flags = (icc ? 0x20 : 0) | (alpha ? 0x10 : 0) | (exif ? 0x08 : 0);
  return riff([
    webpChunk('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), three(width - 1), three(height - 1)])),
    ...(icc ? [webpChunk('ICCP', icc)] : []),
    ...stillChunks(still),
    ...(exif ? [webpChunk('EXIF', exif)] : []),
  ]);
}

/** Frames are still WebP files with their place (even numbers). */
export function animatedWebp({ width, height, background = [255, 0, 0, 255], frames }) {
  return riff([
    webpChunk('VP8X', Buffer.concat([Buffer.from([0x12, 0, 0, 0]), three(width - 1), three(height - 1)])),
    webpChunk('ANIM', Buffer.concat([Buffer.from(background), two(0)])),
    ...frames.map(({ still, left, top, width: across, height: down }) =>
      webpChunk(
        'ANMF',
        Buffer.concat([
          three(left / 2),
          three(top / 2),
          three(across - 1),
          three(down - 1),
          three(100),
          Buffer.from([0]),
          ...stillChunks(still),
        ]),
      ),
    ),
  ]);
}

// GIF

/** `palette` is a list of colours (a power of two of them); pixels are indexes. No compression: a code for each pixel. */
export function gif({ width, height, palette, frames, background = 0, loop = true }) {
  const bits = Math.max(2, Math.ceil(Math.log2(palette.length)));
  const table = Buffer.alloc(3 << bits);
  palette.forEach((one, index) => table.set(one, index * 3));
  const parts = [name('GIF89a'), two(width), two(height), Buffer.from([0x80 | (bits - 1), background, 0]), table];
  if (loop && frames.length > 1)
    parts.push(Buffer.from([0x21, 0xff, 11]), name('NETSCAPE2.0'), Buffer.from([3, 1, 0, 0, 0]));
  for (const {
    left = 0,
    top = 0,
    width: across = width,
    height: down = height,
    indexes,
    transparent,
    interlaced,
  } of frames) {
    const flags = 0x04 | (transparent === undefined ? 0 : 1);
    parts.push(Buffer.from([0x21, 0xf9, 4, flags, 10, 0, transparent ?? 0, 0, 0x2c]));
    parts.push(two(left), two(top), two(across), two(down), Buffer.from([interlaced ? 0x40 : 0, bits]));
    parts.push(blocks(codes(interlaced ? interleaved(indexes, across, down) : indexes, bits)), Buffer.from([0]));
  }
  parts.push(Buffer.from([0x3b]));
  return Buffer.concat(parts);
}

function interleaved(indexes, across, down) {
  const order = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ];
  return order.flatMap(([from, step]) => {
    const lines = [];
    for (let y = from; y < down; y += step) lines.push(...indexes.slice(y * across, (y + 1) * across));
    return lines;
  });
}

/** Each pixel in its own code, cleared before codes would grow longer. */
function codes(indexes, bits) {
  const clear = 1 << bits;
  const bytes = [];
  let [ahead, count] = [0, 0];
  const put = (code) => {
    ahead |= code << count;
    count += bits + 1;
    for (; count >= 8; count -= 8, ahead >>= 8) bytes.push(ahead & 255);
  };
  Array.from(indexes).forEach((index, at) => {
    if (at % (clear - 2) === 0) put(clear);
    put(index);
  });
  put(clear + 1);
  if (count > 0) bytes.push(ahead & 255);
  return bytes;
}

function blocks(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.slice(at, at + 255);
    parts.push(Buffer.from([part.length, ...part]));
  }
  return Buffer.concat(parts);
}

// TIFF

/** Uncompressed, in one strip; `tags` go over the plain ones: [tag, type (3 or 4), values]. */
export function tiff({ width, height, channels, depth = 8, samples, photometric, tags = [], icc, big = false }) {
  const write16 = (value) => (big ? Buffer.from([value >> 8, value & 255]) : two(value));
  const write32 = (value) => (big ? four(value).reverse() : four(value));
  const data = depth === 16 ? Buffer.concat(Array.from(samples, (sample) => write16(sample))) : Buffer.from(samples);
  const plain = new Map([
    [256, [3, [width]]],
    [257, [3, [height]]],
    [258, [3, Array(channels).fill(depth)]],
    [259, [3, [1]]],
    [262, [3, [photometric]]],
    [273, [4, [0]]],
    [277, [3, [channels]]],
    [278, [3, [height]]],
    [279, [4, [data.length]]],
  ]);
  if (icc) plain.set(34675, [7, [...icc]]);
  for (const [tag, kind, values] of tags) plain.set(tag, [kind, values]);
  const entries = [...plain].sort(([a], [b]) => a - b);
  let outside = 8 + 2 + entries.length * 12 + 4;
  const [directory, far] = [[], []];
  const sized = { 3: write16, 4: write32, 7: (value) => Buffer.from([value]) };
  const lengths = entries.map(([, [kind, values]]) => values.length * { 3: 2, 4: 4, 7: 1 }[kind]);
  const first =
    outside + lengths.filter((length) => length > 4).reduce((sum, length) => sum + length + (length % 2), 0);
  for (const [index, [tag, [kind, values]]] of entries.entries()) {
    const content = Buffer.concat((tag === 273 ? [first] : values).map(sized[kind]));
    directory.push(write16(tag), write16(kind), write32(values.length));
    if (lengths[index] > 4) {
      directory.push(write32(outside));
      far.push(content, Buffer.alloc(content.length % 2));
      outside += content.length + (content.length % 2);
    } else {
      directory.push(content, Buffer.alloc(4 - content.length));
    }
  }
  return Buffer.concat([
    name(big ? 'MM' : 'II'),
    write16(42),
    write32(8),
    write16(entries.length),
    ...directory,
    write32(0),
    ...far,
    data,
  ]);
}

// BMP

/** `bits` 8 (with a palette), 16 (565), 24 or 32 (with alpha); `down` for rows from top to bottom. */
export function bmp({ width, height, bits, pixels, palette = [], down = false }) {
  const masks = bits === 16 || bits === 32;
  const size = masks ? 108 : 40;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const data = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = pixels(x, y);
      const at = (down ? y : height - 1 - y) * stride + (x * bits) / 8;
      if (bits === 8) data[at] = pixel;
      else if (bits === 16) data.writeUInt16LE(((pixel[0] >> 3) << 11) | ((pixel[1] >> 2) << 5) | (pixel[2] >> 3), at);
      else data.set([pixel[2], pixel[1], pixel[0], ...(bits === 32 ? [pixel[3]] : [])], at);
    }
  }
  const info = Buffer.alloc(size);
  info.writeUInt32LE(size, 0);
  info.writeInt32LE(width, 4);
  info.writeInt32LE(down ? -height : height, 8);
  info.writeUInt16LE(1, 12);
  info.writeUInt16LE(bits, 14);
  info.writeUInt32LE(masks ? 3 : 0, 16);
  info.writeUInt32LE(data.length, 20);
  info.writeUInt32LE(palette.length, 32);
  if (masks) {
    const places = bits === 16 ? [0xf800, 0x07e0, 0x001f, 0] : [0xff0000, 0xff00, 0xff, 0xff000000];
    places.forEach((mask, index) => info.writeUInt32LE(mask, 40 + index * 4));
    info.write('BGRs', 56, 'latin1');
  }
  const colours = Buffer.concat(palette.map(([red, green, blue]) => Buffer.from([blue, green, red, 0])));
  const offset = 14 + size + colours.length;
  return Buffer.concat([name('BM'), four(offset + data.length), four(0), four(offset), info, colours, data]);
}
