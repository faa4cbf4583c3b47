// Cold thumbnails: the studio, which authorizes, stores and admits, against a small server around sharp, which only renders.
// The same originals, size, format and quality. First a steady eight at once, then a storm of 150 at once.
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { said, start, stop } from '../children.mjs';
import { here } from '../paths.mjs';
import { forgetPeak, memory, processorSeconds } from '../proc.mjs';
import { ask, each, keeping } from '../requests.mjs';
import { Tally, median } from '../statistics.mjs';
import { Studio, chill } from '../studio.mjs';

export const title = 'cold thumbnails';
const AT_ONCE = 8;

export async function storm(run) {
  const studio = await Studio.serve(run.data, { cold: true });
  const servers = [{ name: 'this studio', url: studio.url, pid: studio.pid, chill: () => chill(run.data) }];
  const originals = await originalsOf(studio);
  // The same effort of the encoder as ours, and sharp's own default.
  for (const effort of run.quick ? [2] : [2, 4]) servers.push(await sharp(run, originals, effort));

  const assets = run.quick ? studio.assets.slice(0, 100) : studio.assets;
  for (const server of servers) {
    server.rates = [];
    server.costs = [];
    server.storms = [];
    await ofAll(server, assets.slice(0, 20), studio.cookie, AT_ONCE);
  }
  for (let round = 0; round < (run.quick ? 1 : 2); round += 1) {
    for (const server of servers) {
      await server.chill?.();
      const before = processorSeconds(server.pid);
      const steady = await ofAll(server, assets, studio.cookie, AT_ONCE);
      server.steady = steady.tally;
      server.costs.push(((processorSeconds(server.pid) - before) / assets.length) * 1000);
      server.rates.push(assets.length / steady.seconds);
      await server.chill?.();
      forgetPeak(server.pid);
      const all = await ofAll(server, assets.slice(0, 150), studio.cookie, 150);
      server.storms.push({ ...all, memory: memory(server.pid).peak });
    }
  }
  for (const { name, rates, costs, storms, steady } of servers) {
    const [last] = storms.slice(-1);
    for (const tally of [steady, last.tally]) {
      run.expect(title, tally.unexpected(200).length === 0, `${name}: every answer is 200: ${tally}`);
    }
    run.row(`${title}, ${AT_ONCE} at once: ${name}`, steady, {}, `${median(rates).toFixed(1)}/s, ${median(costs).toFixed(1)} ms of processor time each`);
    run.row(`${title}, 150 at once: ${name}`, last.tally, { memory: last.memory }, `all there in ${last.seconds.toFixed(1)} s`);
  }
  const [ours, theirs, theirDefault] = servers;
  const ratio = (of) => median(ours.rates) / median(of.rates);
  run.figure('cold thumbnails per second, ours ÷ sharp', 'stated', ratio(theirs).toFixed(2));
  if (theirDefault) run.figure('cold thumbnails per second, ours ÷ sharp at its default effort', 'stated', ratio(theirDefault).toFixed(2));
  const cost = median(ours.costs) / median(theirs.costs);
  run.figure('processor time for a cold thumbnail, ours ÷ sharp', 'stated', cost.toFixed(2));
  const storms = (of, what) => median(ours.storms.map(what)) / median(of.storms.map(what));
  run.figure('storm of 150, ours ÷ sharp: time to the last', 'stated', storms(theirs, ({ seconds }) => seconds).toFixed(2));
  run.figure('storm of 150, ours ÷ sharp: peak memory', 'stated', storms(theirs, ({ memory }) => memory).toFixed(2));
  for (const { program } of servers.slice(1)) await stop(program);
  run.expect(title, await studio.watch.settled(), 'slots and descriptors are back');
  await studio.stop();
}

async function ofAll(server, assets, cookie, atOnce) {
  const tally = new Tally();
  const agent = keeping();
  const began = performance.now();
  await each(assets, atOnce, async ({ id }) => {
    tally.add(await ask(`${server.url}/api/assets/${id}/thumbnail`, { agent, cookie }));
  });
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  return { tally, seconds };
}

async function sharp(run, originals, effort) {
  const paths = path.join(await mkdtemp(path.join(run.folder, 'sharp-')), 'paths.json');
  await writeFile(paths, JSON.stringify(originals));
  const program = start([process.execPath, path.join(here, 'peers/sharp-server.mjs'), paths, String(effort)]);
  const [url] = await said(program, /http:\/\/127\.0\.0\.1:\d+/);
  return { name: `sharp, effort ${effort}`, url, pid: program.pid, program };
}

/** Where the original of each asset lies. */
async function originalsOf(studio) {
  const files = new Map();
  const folder = path.join(studio.data, 'originals');
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) files.set(path.parse(entry.name).name, path.join(entry.parentPath, entry.name));
  }
  return Object.fromEntries(studio.assets.map(({ id, sha256 }) => [id, files.get(sha256)]));
}
