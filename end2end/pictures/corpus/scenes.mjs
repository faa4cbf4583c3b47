// Pictures to encode: smooth enough to be small, with edges, strong colours, and no two corners alike.

const byte = (value) => Math.max(0, Math.min(255, Math.round(value)));

/** One pixel of the scene as red, green and blue, for places from 0 to 1. */
export function colour(u, v) {
  const corner = u < 0.5 ? (v < 0.5 ? [210, 60, 40] : [40, 70, 200]) : v < 0.5 ? [50, 170, 60] : [230, 220, 190];
  const light = 30 * Math.sin(9 * u + 4 * v) + 25 * Math.cos(7 * v);
  const inside = Math.hypot(u - 0.36, (v - 0.4) * 0.8) < 0.2;
  return inside ? [240 - 60 * v, 200 * u + 40, 20 + 90 * v] : corner.map((value) => byte(value + light));
}

/** Rows of pixels, `of` giving the samples of each for its place from 0 to 1; samples are 0 to `most`. */
export function rows(width, height, of, most = 255) {
  const samples = of(0, 0).length;
  const data = most > 255 ? new Uint16Array(width * height * samples) : new Uint8Array(width * height * samples);
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const sample of of((x + 0.5) / width, (y + 0.5) / height)) {
        data[at++] = Math.max(0, Math.min(most, Math.round((sample * most) / 255)));
      }
    }
  }
  return data;
}

export const rgb = (width, height, most) => rows(width, height, colour, most);
export const grey = (width, height, most) => rows(width, height, (u, v) => [shade(u, v)], most);
export const shade = (u, v) => colour(u, v).reduce((sum, sample) => sum + sample) / 3;

/** How much of a soft disc can be seen. */
export const disc = (u, v) => byte(255 * (0.42 - Math.hypot(u - 0.5, v - 0.5)) * 12);

/** The scene in a soft disc; `under` is the colour of what cannot be seen, if not the scene's own. */
export const rgba = (width, height, most, under) =>
  rows(width, height, (u, v) => [...(disc(u, v) === 0 && under ? under : colour(u, v)), disc(u, v)], most);

export const greyAlpha = (width, height, most) => rows(width, height, (u, v) => [shade(u, v), disc(u, v)], most);

/** Inks, 255 being most of each. */
export const inks = (width, height) =>
  rows(width, height, (u, v) => {
    const [red, green, blue] = colour(u, v).map((sample) => 255 - sample);
    const black = Math.min(red, green, blue) * 0.6;
    return [red - black, green - black, blue - black, black];
  });
