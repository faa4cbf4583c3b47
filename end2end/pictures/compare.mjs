// Renders every case of the corpus with ours and with the references, and says how far they are apart.
//
//   node compare.mjs              writes target/pictures/corpus.tsv and prints the table of docs/pictures.md
//   node compare.mjs --expected   also writes what the tests of the engine expect, from the reference
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { DIFFERENT } from "./corpus/differences.mjs";
import { compared, corpus, ours, theirs, vips, work } from "./support/programs.mjs";

const RECIPES = ["thumbnail-png", "square-64-png"];
const VIPS_SIZES = { "thumbnail-png": ["-s", "440x440>"], "square-64-png": ["-s", "64x64", "-m", "centre"] };
const files = join(corpus, "files");
const names = readdirSync(files).filter((name) => !name.startsWith("refused") && name !== "large");
const paths = names.map((name) => join(files, name));
const out = (side, recipe) => join(work, "corpus", side, recipe);

async function render() {
  rmSync(join(work, "corpus"), { recursive: true, force: true });
  const refused = new Map();
  for (const recipe of RECIPES) {
    const note = (side) => (line) => line.includes("\t") && refused.set(`${side} ${line.split("\t")[0]}`, line.split("\t")[1]);
    (await ours(["render", recipe, out("ours", recipe), ...paths])).forEach(note("ours"));
    (await theirs(["render", recipe, out("sharp", recipe), ...paths])).forEach(note("sharp"));
    mkdirSync(out("vips", recipe), { recursive: true });
    for (const [index, path] of paths.entries()) {
      const to = join(out("vips", recipe), `${names[index]}.png`);
      await vips([...VIPS_SIZES[recipe], "--export-profile", "srgb", "-o", to, path]).catch((error) => refused.set(`vips ${names[index]}`, error.message.split("\n")[1]));
    }
  }
  return refused;
}

function apart(refused) {
  const pairs = names.flatMap((name) => RECIPES.flatMap((recipe) => ["sharp", "vips"].map((side) => ({ name, recipe, side }))));
  const values = compared(pairs.map(({ name, recipe, side }) => ["ours", side].map((one) => join(out(one, recipe), `${name}.png`))));
  return names.map((name) => {
    const of = (side) => {
      const found = pairs.map((pair, index) => (pair.name === name && pair.side === side ? values[index] : undefined)).filter(Boolean);
      if (found.length === 0) return { missing: refused.get(`${side} ${name}`) ?? refused.get(`ours ${name}`) ?? "not rendered" };
      if (found.some(({ sizes }) => sizes)) return found.find(({ sizes }) => sizes);
      const most = (key) => Math.max(...found.map((one) => one[key]));
      const seen = found.map((one) => one.seen).filter((value) => !Number.isNaN(value));
      return { mean: most("mean"), worst: most("worst"), seen: seen.length ? Math.min(...seen) : NaN, alphaMean: most("alphaMean"), alphaWorst: most("alphaWorst") };
    };
    return { name, ours: refused.get(`ours ${name}`), sharp: of("sharp"), vips: of("vips") };
  });
}

/** Where a person would see it: a shift of all colours, or another picture. */
const visible = ({ missing, sizes, mean, seen, alphaMean }) => Boolean(missing || sizes || mean > 2 || seen < 80 || alphaMean > 2);

const GROUPS = [
  ["Orientation: JPEG, PNG, WebP, TIFF", /^orientation/],
  ["Profiles and gamma", /^(profile|gamma)/],
  ["Depths, palettes, interlacing", /^(grey-\d|palette|colours-16|interlaced|filtered|grey-reduced)/],
  ["Transparency", /^(alpha|lossless|lossy)/],
  ["First frames of animations", /^animated/],
  ["Extreme shapes", /^shape/],
  ["Bombs beside the pixels", /^bomb/],
  ["JPEG: sampling, baseline and progressive", /^sampled/],
  ["JPEG: inks", /^inks.*jpg/],
  ["JPEG: reduced while decoded", /^reduced/],
  ["JPEG: layers, restarts, odd ones", /\.jpg$/],
  ["TIFF", /\.tif$/],
  ["BMP", /\.bmp$/],
];

function table(rows) {
  const left = new Set(rows);
  const lines = [
    "| cases | how many | mean difference | worst of one sample | lowest SSIMULACRA2 | alpha, worst | set apart |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  ];
  for (const [title, pattern] of GROUPS) {
    const group = [...left].filter(({ name }) => pattern.test(name));
    group.forEach((row) => left.delete(row));
    const same = group.filter(({ name }) => !DIFFERENT[name]).map(({ sharp: values }) => values);
    const most = (key) => Math.max(...same.map((values) => values[key]));
    const mean = same.reduce((sum, values) => sum + values.mean, 0) / same.length;
    const seen = same.map((values) => values.seen).filter((value) => !Number.isNaN(value));
    lines.push(`| ${title} | ${group.length} | ${mean.toFixed(2)} | ${most("worst")} | ${Math.min(...seen).toFixed(1)} | ${most("alphaWorst")} | ${group.length - same.length} |`);
  }
  if (left.size > 0) throw new Error(`in no group: ${[...left].map(({ name }) => name)}`);
  return lines.join("\n");
}

/** Means of the sixteen parts of a picture: what a test can compare without the reference. */
async function parts(file) {
  const { data, info } = await sharp(file).toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const cells = Array.from({ length: 16 }, () => [0, 0, 0, 0, 0]);
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      const cell = cells[Math.floor((y * 4) / info.height) * 4 + Math.floor((x * 4) / info.width)];
      const at = (y * info.width + x) * 4;
      const alpha = data[at + 3];
      for (let channel = 0; channel < 3; channel++) cell[channel] += (data[at + channel] * alpha) / 255;
      cell[3] += alpha;
      cell[4] += 1;
    }
  }
  const hex = (value) => Math.round(value).toString(16).padStart(2, "0");
  const colours = cells.map(([red, green, blue, alpha, count]) => (count === 0 ? "-" : [red, green, blue, alpha].map((sum) => hex(sum / count)).join("")));
  return `${info.width}x${info.height}\t${colours.join(" ")}`;
}

async function expected(rows) {
  const lines = [];
  for (const { name } of rows) {
    const by = DIFFERENT[name]?.by ?? "sharp";
    for (const recipe of RECIPES) lines.push(`${name}\t${recipe}\t${by}\t${await parts(join(out(by, recipe), `${name}.png`))}\n`);
  }
  writeFileSync(join(corpus, "expected.tsv"), lines.join(""));
}

const refused = await render();
const rows = apart(refused);
const cell = ({ missing, sizes, ...values }) => missing ?? sizes ?? Object.values(values).map((value) => value.toFixed(2)).join(" ");
writeFileSync(join(work, "corpus.tsv"), rows.map((row) => `${row.name}\t${cell(row.sharp)}\t${cell(row.vips)}\n`).join(""));
console.log(table(rows));
const unexplained = rows.filter((row) => visible(row.sharp) && !DIFFERENT[row.name]);
for (const row of unexplained) console.error(`${row.name}: sharp ${cell(row.sharp)}; vips ${cell(row.vips)}${row.ours ? `; ours: ${row.ours}` : ""}`);
if (process.argv[2] === "--expected") await expected(rows);
process.exitCode = unexplained.length > 0 ? 1 : 0;
