// Cases that sharp is no reference for: what is instead, and why.

/** By name or pattern; `of` is another case of the same picture. */
const OTHERS = [
  { names: /\.bmp$/, by: 'vips', why: "sharp's libvips reads no BMP; the distribution's does" },
  {
    names: /^profile-prophoto-16-bit/,
    by: 'vips',
    why: 'sharp takes a profile of so many colours to eight bits before it converts',
  },
  { names: /^without-its-end/, by: 'vips', why: 'sharp refuses it for a warning' },
  {
    names: /^alpha-premultiplied/,
    by: 'sharp',
    of: 'alpha.tif',
    why: 'libvips takes colours that are multiplied by their alpha for plain ones: the same picture with plain ones is the reference',
  },
  {
    names: /^animated-still-aside/,
    by: 'ffmpeg',
    why: 'libvips knows no APNG and shows what stands in it for such programs; browsers and ffmpeg show the first frame',
  },
  {
    names: /^animated-small-first\.gif/,
    by: 'ours',
    why: 'around a frame that is smaller than its canvas libvips shows black and ffmpeg the background colour; browsers leave it transparent, and so does this',
  },
  {
    names: /^shape-(19034x800|790x36861)/,
    by: 'neutral',
    why: 'libvips shrinks both sides by the same factor, which shifts what is only a few pixels across; the crate `image` reduces by Lanczos3 at full size',
  },
];

/** Which program's rendering of which case a case is compared with. */
export function reference(name) {
  const other = OTHERS.find(({ names }) => names.test(name));
  return { by: other?.by ?? 'sharp', of: other?.of ?? name };
}

/** The exceptions, as the rows of a table. */
export const exceptions = (names) =>
  OTHERS.map(({ names: pattern, by, of, why }) => {
    const those = names.filter((name) => pattern.test(name)).map((name) => `\`${name}\``);
    return [those.join(', '), of ? `${by}, of \`${of}\`` : by, why];
  });
