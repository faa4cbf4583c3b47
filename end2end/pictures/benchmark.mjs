// Measures thumbnails against sharp and vipsthumbnail in one run, and prints the tables of docs/benchmarks.md.
//
//   node benchmark.mjs [SECONDS]   of each slice; three slices of each, taking turns
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { photographs } from "./photographs.mjs";
import { compared, neutral, ours, theirs, vips, vipsEnv, work } from "./support/programs.mjs";

const seconds = process.argv[2] ?? "3";
const cores = cpus().length;
const run = promisify(execFile);
const inputs = join(work, "inputs");
const drawings = join(work, "drawings");
await photographs(inputs);
if (!existsSync(drawings)) await ours(["drawings", drawings, "6"]);

const of = (folder, pattern) => readdirSync(folder).filter((name) => pattern.test(name)).map((name) => join(folder, name));
const ROWS = [
  ["JPEG, 12 megapixels", of(inputs, /-12mp\.jpg$/)],
  ["JPEG, 12 megapixels, progressive", of(inputs, /-12mp-progressive\.jpg$/)],
  ["JPEG, 24 megapixels", of(inputs, /-24mp\.jpg$/)],
  ["PNG, 1024²", of(inputs, /-1024\.png$/)],
  ["PNG, 2048²", of(inputs, /-2048\.png$/)],
  ["WebP, 1024²", of(inputs, /-1024\.webp$/)],
  ["the demo's PNG", of(drawings, /\.png$/)],
  ["the demo's JPEG", of(drawings, /\.jpg$/)],
  ["the demo's WebP", of(drawings, /\.webp$/)],
];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const number = (line) => line.split("\t").map(Number);

/** Thumbnails a second and a core-second, of vipsthumbnail, which takes its files one after the other. */
async function vipsThroughput(files, processes) {
  const to = join(work, "vips-out");
  mkdirSync(to, { recursive: true });
  const all = Array.from({ length: Math.max(1, Math.round((Number(seconds) * 12) / files.length)) }, () => files).flat();
  const command = 'TIMEFORMAT="%U %S"; time vipsthumbnail "$@"';
  const words = ["-c", command, "vips", "-s", "440x440>", "-o", join(to, "%s.webp[Q=80,strip]"), ...all];
  const env = { ...vipsEnv(), VIPS_CONCURRENCY: "1", LC_ALL: "C" };
  const begin = performance.now();
  const done = await Promise.all(Array.from({ length: processes }, () => run("bash", words, { env })));
  const wall = (performance.now() - begin) / 1000;
  const cpu = done.flatMap(({ stderr }) => number(stderr.trim().split("\n").at(-1).replace(" ", "\t"))).reduce((sum, value) => sum + value);
  return [(all.length * processes) / wall, (all.length * processes) / cpu];
}

async function throughput(files) {
  const wide = (threads) => ({ UV_THREADPOOL_SIZE: String(threads), VIPS_CONCURRENCY: "1" });
  const sides = {
    ours: async (threads) => number((await ours(["throughput", String(threads), seconds, ...files]))[0]),
    sharp: async (threads) => number((await theirs(["throughput", String(threads), seconds, ...files], wide(threads)))[0]),
    "sharp, effort 2": async (threads) => number((await theirs(["throughput", String(threads), seconds, ...files], { ...wide(threads), EFFORT: "2" }))[0]),
    vipsthumbnail: (threads) => vipsThroughput(files, threads),
  };
  const found = {};
  for (const threads of [1, cores]) {
    const slices = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
    for (let pass = 0; pass < 3; pass++) for (const side of Object.keys(sides)) slices[side].push(await sides[side](threads));
    found[threads] = Object.fromEntries(Object.entries(slices).map(([side, values]) => [side, { wall: median(values.map(([wall]) => wall)), cpu: median(values.map(([, cpu]) => cpu)) }]));
  }
  return found;
}

/** SSIMULACRA2 against the neutral reference, the mean of all files, and bytes altogether. */
async function quality(files) {
  const folder = (side) => join(work, "thumbnails", side);
  const references = join(work, "references");
  mkdirSync(references, { recursive: true });
  mkdirSync(folder("vipsthumbnail"), { recursive: true });
  for (const file of files) {
    const to = join(references, `${basename(file)}.png`);
    if (!existsSync(to)) neutral(440, file, to);
  }
  await ours(["render", "thumbnail", folder("ours"), ...files]);
  await theirs(["render", "thumbnail", folder("sharp"), ...files]);
  await theirs(["render", "thumbnail", folder("sharp, effort 2"), ...files], { EFFORT: "2" });
  for (const file of files) await vips(["-s", "440x440>", "-o", join(folder("vipsthumbnail"), `${basename(file)}.webp[Q=80,strip]`), file]);
  return Object.fromEntries(["ours", "sharp", "sharp, effort 2", "vipsthumbnail"].map((side) => {
    const rendered = files.map((file) => join(folder(side), `${basename(file)}.webp`));
    const seen = compared(files.map((file, index) => [join(references, `${basename(file)}.png`), rendered[index]]));
    if (seen.some((one) => !one || one.sizes)) throw new Error(`${side}: not all of ${files}`);
    const bytes = rendered.reduce((sum, file) => sum + statSync(file).size, 0);
    return [side, { seen: seen.reduce((sum, one) => sum + one.seen, 0) / seen.length, bytes }];
  }));
}

const speed = ["| picture | threads | ours | sharp | ÷ sharp | ÷ sharp at effort 2 | ÷ vipsthumbnail | ÷ sharp by CPU time |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"];
const worth = ["| picture | SSIMULACRA2, ours | sharp | sharp at effort 2 | vipsthumbnail | bytes ÷ sharp | ÷ vipsthumbnail |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"];
for (const [title, files] of ROWS) {
  const seen = await quality(files);
  const ratio = (side) => (seen.ours.bytes / seen[side].bytes).toFixed(2);
  worth.push(`| ${title} | ${["ours", "sharp", "sharp, effort 2", "vipsthumbnail"].map((side) => seen[side].seen.toFixed(1)).join(" | ")} | ${ratio("sharp")} | ${ratio("vipsthumbnail")} |`);
  console.error(worth.at(-1));
  for (const [threads, found] of Object.entries(await throughput(files))) {
    const over = (side, kind = "wall") => (found.ours[kind] / found[side][kind]).toFixed(2);
    speed.push(`| ${title} | ${threads} | ${found.ours.wall.toFixed(1)}/s | ${found.sharp.wall.toFixed(1)}/s | **${over("sharp")}** | ${over("sharp, effort 2")} | ${over("vipsthumbnail")} | ${over("sharp", "cpu")} |`);
    console.error(speed.at(-1));
  }
}
const tables = `${speed.join("\n")}\n\n${worth.join("\n")}\n`;
writeFileSync(join(work, "benchmark.md"), tables);
console.log(tables);
