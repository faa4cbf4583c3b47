// The peer's side of the comparison, with the same three tasks as server/engine/benches/pictures:
//
//   node sharp.mjs render RECIPE FOLDER FILE...
//   node sharp.mjs throughput IN-FLIGHT SECONDS FILE...   UV_THREADPOOL_SIZE and VIPS_CONCURRENCY say how wide
//   node sharp.mjs gallery IN-FLIGHT ROUNDS FILE...
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';

// Nothing may be remembered from one render to the next.
sharp.cache(false);
if (process.env.VIPS_CONCURRENCY) sharp.concurrency(Number(process.env.VIPS_CONCURRENCY));

const effort = Number(process.env.EFFORT ?? 4);
const within = (side) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
const recipes = {
  'thumbnail': (image) => image.resize(within(440)).toColourspace('srgb').webp({ quality: 80, effort }),
  'thumbnail-png': (image) => image.resize(within(440)).toColourspace('srgb').png(),
  'square-64-png': async (image) => (await square(image)).resize(64, 64).toColourspace('srgb').png(),
};

/** Cut before it is resized: the other way round, rounding moves the cut by a part of a pixel. */
async function square(image) {
  const { width, height } = (await image.metadata()).autoOrient;
  const side = Math.min(width, height);
  return image.extract({ left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side });
}

async function rendered(file, recipe) {
  return (await recipe(sharp(file, { limitInputPixels: false }).autoOrient())).toBuffer();
}

async function render(name, folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    try {
      const extension = name.endsWith('-png') ? 'png' : 'webp';
      writeFileSync(join(folder, `${basename(file)}.${extension}`), await rendered(file, recipes[name]));
      console.log(basename(file));
    } catch (error) {
      console.log(`${basename(file)}\t${error.message.split('\n')[0]}`);
    }
  }
}

async function throughput(inFlight, seconds, files) {
  await rendered(files[0], recipes.thumbnail);
  const begin = performance.now();
  const before = process.cpuUsage();
  let renders = 0;
  let next = 0;
  const worker = async () => {
    while ((performance.now() - begin) / 1000 < Number(seconds) || next < files.length) {
      await rendered(files[next++ % files.length], recipes.thumbnail);
      renders += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, worker));
  const taken = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(`${(renders / taken).toFixed(3)}\t${((renders * 1e6) / (user + system)).toFixed(3)}`);
}

async function gallery(inFlight, rounds, files) {
  const resident = (name) =>
    Number(readFileSync('/proc/self/status', 'utf8').match(new RegExp(`${name}:\\s+(\\d+)`))[1]) / 1024;
  for (let round = 0; round < Number(rounds); round++) {
    writeFileSync('/proc/self/clear_refs', '5');
    const begin = performance.now();
    let next = 0;
    const worker = async () => {
      while (next < files.length) await rendered(files[next++], recipes.thumbnail);
    };
    await Promise.all(Array.from({ length: Number(inFlight) }, worker));
    const seconds = (performance.now() - begin) / 1000;
    const peak = resident('VmHWM');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    console.log([seconds.toFixed(2), peak.toFixed(0), resident('VmRSS').toFixed(0)].join('\t'));
  }
}

const [task, ...words] = process.argv.slice(2);
if (task === 'render') await render(words[0], words[1], words.slice(2));
else if (task === 'throughput') await throughput(words[0], words[1], words.slice(2));
else if (task === 'gallery') await gallery(words[0], words[1], words.slice(2));
else throw new Error('usage: node sharp.mjs render|throughput|gallery …');
