// ICC profiles of the plain kinds: three primaries with a curve, a grey curve, or a table for four inks.

/** Red, green and blue in XYZ under D50, as the publishers of these spaces state them. */
export const PRIMARIES = {
  'Display P3': [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
  'Adobe RGB': [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
  'ProPhoto RGB': [
    [0.79767, 0.28804, 0],
    [0.13519, 0.71187, 0],
    [0.03135, 0.00009, 0.8252],
  ],
  'sRGB': [
    [0.43607, 0.22249, 0.01392],
    [0.38515, 0.71687, 0.09708],
    [0.14307, 0.06061, 0.7141],
  ],
  'wide gamut with swapped colours': [
    [0.14307, 0.06061, 0.7141],
    [0.38515, 0.71687, 0.09708],
    [0.43607, 0.22249, 0.01392],
  ],
};

const fixed = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65536));
  return bytes;
};
const word = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const half = (value) => Buffer.from([value >> 8, value & 255]);
const name = (text) => Buffer.from(text, 'latin1');

const xyz = (place) => Buffer.concat([name('XYZ '), word(0), ...place.map(fixed)]);
/** A number is an exponent; an array a table; an object the parameters of sRGB's kind of curve. */
function curve(of) {
  if (typeof of === 'number')
    return Buffer.concat([name('curv'), word(0), word(1), half(Math.round(of * 256)), half(0)]);
  if (Array.isArray(of)) {
    const table = of.map((value) => half(Math.round(value * 65535)));
    return Buffer.concat([name('curv'), word(0), word(of.length), ...table, ...(of.length % 2 ? [half(0)] : [])]);
  }
  return Buffer.concat([name('para'), word(0), half(3), half(0), ...of.parameters.map(fixed)]);
}
const description = (text) =>
  Buffer.concat([
    name('desc'),
    word(0),
    word(text.length + 1),
    name(`${text}\0`),
    Buffer.alloc(78),
    Buffer.alloc(3 - ((text.length + 2) % 4) + 1),
  ]);
const copyright = () => Buffer.concat([name('text'), word(0), name('none\0\0\0\0')]);

/** The curve of sRGB and Display P3. */
export const SRGB_CURVE = { parameters: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] };

export function coloured(space, curveOf) {
  const [red, green, blue] = PRIMARIES[space];
  const tone = curve(curveOf);
  return profile('RGB ', space, [
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ['rTRC', tone],
    ['gTRC', tone],
    ['bTRC', tone],
  ]);
}

export const shades = (curveOf) => profile('GRAY', 'grey', [['kTRC', curve(curveOf)]]);

/** How much of red, green and blue cyan, magenta, yellow and black let through: a press like no other, so that it is seen.
 * Its black is black: libvips would compensate for less. */
const INKS = [
  [0.2, 0.7, 0.6],
  [0.8, 0.15, 0.7],
  [0.9, 0.6, 0.1],
  [0, 0, 0],
];
const GRID = 7;

/** A press whose colours stand in a table of CIELAB, eight bits a value. */
export function press() {
  const through = (inks) =>
    [0, 1, 2].map((channel) => inks.reduce((left, ink, index) => left * (1 - ink * (1 - INKS[index][channel])), 1));
  const table = [];
  for (let at = 0; at < GRID ** 4; at++) {
    table.push(...lab(through([3, 2, 1, 0].map((power) => (Math.floor(at / GRID ** power) % GRID) / (GRID - 1)))));
  }
  const straight = (count) => Buffer.from(Array.from({ length: count * 256 }, (_, at) => at % 256));
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].map(fixed);
  const head = [name('mft1'), word(0), Buffer.from([4, 3, GRID, 0]), ...identity];
  return profile('CMYK', 'press', [['A2B0', Buffer.concat([...head, straight(4), Buffer.from(table), straight(3)])]]);
}

/** Linear red, green and blue as CIELAB under D50, as eight bits hold it. */
function lab(colour) {
  const bend = (value) => (value > 216 / 24389 ? Math.cbrt(value) : (value * 24389) / 27 / 116 + 16 / 116);
  const xyz = [0, 1, 2].map((axis) => colour.reduce((sum, value, at) => sum + value * PRIMARIES.sRGB[at][axis], 0));
  const [x, y, z] = xyz.map((value, axis) => bend(value / [0.9642, 1, 0.8249][axis]));
  return [(116 * y - 16) * 2.55, 500 * (x - y) + 128, 200 * (y - z) + 128].map(Math.round);
}

function profile(space, text, tags) {
  const all = [['desc', description(text)], ['cprt', copyright()], ['wtpt', xyz([0.9642, 1, 0.8249])], ...tags];
  let offset = 128 + 4 + all.length * 12;
  const table = [word(all.length)];
  for (const [tag, data] of all) {
    table.push(name(tag), word(offset), word(data.length));
    offset += data.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset, 0);
  header.writeUInt32BE(0x02400000, 8);
  const inked = space === 'CMYK';
  header.write(inked ? 'prtr' : 'mntr', 12, 'latin1');
  header.write(space, 16, 'latin1');
  header.write(inked ? 'Lab ' : 'XYZ ', 20, 'latin1');
  for (const [at, value] of [
    [24, 2024],
    [26, 1],
    [28, 1],
  ])
    header.writeUInt16BE(value, at);
  header.write('acsp', 36, 'latin1');
  [0.9642, 1, 0.8249].forEach((value, index) => header.set(fixed(value), 68 + index * 4));
  return Buffer.concat([header, ...table, ...all.map(([, data]) => data)]);
}
