// ICC profiles of the plain kinds: three primaries with a curve, or a grey curve.

/** Red, green and blue in XYZ under D50, as the publishers of these spaces state them. */
export const PRIMARIES = {
  "Display P3": [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]],
  "Adobe RGB": [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]],
  "ProPhoto RGB": [[0.79767, 0.28804, 0], [0.13519, 0.71187, 0], [0.03135, 0.00009, 0.8252]],
  sRGB: [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]],
  "wide gamut with swapped colours": [[0.14307, 0.06061, 0.7141], [0.38515, 0.71687, 0.09708], [0.43607, 0.22249, 0.01392]],
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
const name = (text) => Buffer.from(text, "latin1");

const xyz = (place) => Buffer.concat([name("XYZ "), word(0), ...place.map(fixed)]);
/** A number is an exponent; an array a table; an object the parameters of sRGB's kind of curve. */
function curve(of) {
  if (typeof of === "number") return Buffer.concat([name("curv"), word(0), word(1), half(Math.round(of * 256)), half(0)]);
  if (Array.isArray(of)) {
    const table = of.map((value) => half(Math.round(value * 65535)));
    return Buffer.concat([name("curv"), word(0), word(of.length), ...table, ...(of.length % 2 ? [half(0)] : [])]);
  }
  return Buffer.concat([name("para"), word(0), half(3), half(0), ...of.parameters.map(fixed)]);
}
const description = (text) =>
  Buffer.concat([name("desc"), word(0), word(text.length + 1), name(`${text}\0`), Buffer.alloc(78), Buffer.alloc(3 - ((text.length + 2) % 4) + 1)]);
const copyright = () => Buffer.concat([name("text"), word(0), name("none\0\0\0\0")]);

/** The curve of sRGB and Display P3. */
export const SRGB_CURVE = { parameters: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] };

export function coloured(space, curveOf) {
  const [red, green, blue] = PRIMARIES[space];
  const tone = curve(curveOf);
  return profile("RGB ", space, [
    ["rXYZ", xyz(red)], ["gXYZ", xyz(green)], ["bXYZ", xyz(blue)],
    ["rTRC", tone], ["gTRC", tone], ["bTRC", tone],
  ]);
}

export const shades = (curveOf) => profile("GRAY", "grey", [["kTRC", curve(curveOf)]]);

function profile(space, text, tags) {
  const all = [["desc", description(text)], ["cprt", copyright()], ["wtpt", xyz([0.9642, 1, 0.8249])], ...tags];
  let offset = 128 + 4 + all.length * 12;
  const table = [word(all.length)];
  for (const [tag, data] of all) {
    table.push(name(tag), word(offset), word(data.length));
    offset += data.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset, 0);
  header.writeUInt32BE(0x02400000, 8);
  header.write("mntr", 12, "latin1");
  header.write(space, 16, "latin1");
  header.write("XYZ ", 20, "latin1");
  for (const [at, value] of [[24, 2024], [26, 1], [28, 1]]) header.writeUInt16BE(value, at);
  header.write("acsp", 36, "latin1");
  [0.9642, 1, 0.8249].forEach((value, index) => header.set(fixed(value), 68 + index * 4));
  return Buffer.concat([header, ...table, ...all.map(([, data]) => data)]);
}
