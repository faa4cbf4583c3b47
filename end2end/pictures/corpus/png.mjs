// PNG as its specification has it: any colour type, depth, interlacing and chunk.
import { crc32, deflateSync } from 'node:zlib';

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

export function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(data)]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** `samples` are numbers up to 2 to the power of `depth`; `chunks` go before the pixels, `after` behind them. */
export function png({ width, height, colour, depth = 8, samples, interlaced = false, chunks = [], after = [] }) {
  const parts = [SIGNATURE, chunk('IHDR', header(width, height, depth, colour, interlaced)), ...chunks];
  const picture = { width, height, channels: CHANNELS[colour], depth, samples };
  parts.push(chunk('IDAT', pixels(picture, interlaced)), ...after, chunk('IEND', []));
  return Buffer.concat(parts);
}

export function header(width, height, depth, colour, interlaced) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return data;
}

/** What an IDAT holds, or an fdAT behind its number. */
export function pixels({ width, height, channels, depth, samples }, interlaced = false) {
  const passes = interlaced ? PASSES : [[0, 0, 1, 1]];
  const lines = [];
  for (const [left, top, across, down] of passes) {
    for (let y = top; y < height; y += down) {
      const row = samples.subarray(y * width * channels, (y + 1) * width * channels);
      const line = interlaced ? row.filter((_, at) => every(Math.floor(at / channels), left, across)) : row;
      if (line.length > 0) lines.push(packed(line, depth, channels));
    }
  }
  return deflateSync(Buffer.concat(lines), { level: 9 });
}

const every = (x, left, across) => x >= left && (x - left) % across === 0;

/** A row, whole bytes as differences from those of the pixel before: they take less room so. */
function packed(line, depth, channels) {
  if (depth >= 8) {
    const bytes = depth === 16 ? Array.from(line).flatMap((sample) => [sample >> 8, sample & 255]) : Array.from(line);
    const before = (channels * depth) / 8;
    return Buffer.from([1, ...bytes.map((byte, at) => (byte - (bytes[at - before] ?? 0)) & 255)]);
  }
  const bytes = Buffer.alloc(1 + Math.ceil((line.length * depth) / 8));
  line.forEach((sample, index) => {
    const bit = index * depth;
    bytes[1 + (bit >> 3)] |= sample << (8 - depth - (bit & 7));
  });
  return bytes;
}

export const icc = (profile) =>
  chunk('iCCP', Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]));

export const gamma = (value) => {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(Math.round(value * 100000));
  return chunk('gAMA', data);
};

/** White point, red, green and blue as x and y. */
export const primaries = (places) => {
  const data = Buffer.alloc(32);
  places.forEach((place, index) => data.writeUInt32BE(Math.round(place * 100000), index * 4));
  return chunk('cHRM', data);
};
