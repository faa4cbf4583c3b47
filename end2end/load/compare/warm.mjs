// Warm thumbnails per second, each authorized anew: the studio by itself against nginx, which sends the same files and asks
// the studio's decision route for each. The same client (wrk, one thread) measures both in turn, over kept connections.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { run as command, stop } from '../children.mjs';
import { here } from '../paths.mjs';
import { serveByNginx } from '../peers/nginx.mjs';
import { processorSeconds } from '../proc.mjs';
import { ask, each, keeping } from '../requests.mjs';
import { Tally, median } from '../statistics.mjs';
import { Studio } from '../studio.mjs';

export const title = 'warm thumbnails, each authorized';
const CONNECTIONS = 32;

export async function storm(run) {
  const studio = await Studio.serve(run.data);
  const agent = keeping();
  await each(studio.assets, 8, (asset) => ask(studio.thumbnail(asset), { agent, cookie: studio.cookie }));
  agent.destroy();
  const nginx = await serveByNginx(studio, run.folder);
  const servers = [
    { name: 'this studio', url: studio.url, pids: [studio.pid], runs: [] },
    { name: 'nginx with auth_request', url: nginx.url, pids: [studio.pid, nginx.pid], runs: [] },
  ];
  const comparable = await areAlike(run, studio, nginx);
  if (comparable) await measure(run, studio, servers);
  await stop(nginx.program);
  run.expect(title, await studio.watch.settled(), 'slots and descriptors are back');
  if (comparable) await tell(run, studio, servers);
  await studio.stop();
}

/** Both send the same bytes to who may see them, and nothing to a stranger. */
async function areAlike(run, studio, nginx) {
  const sample = ({ url }, options) => ask(`${url}/api/assets/${studio.assets[0].id}/thumbnail`, options);
  const own = await sample(studio, { cookie: studio.cookie, keep: true });
  const sent = await sample(nginx, { cookie: studio.cookie, keep: true });
  const stranger = await sample(nginx);
  const same = sent.status === 200 && sent.text === own.text;
  run.expect(title, same, `nginx sends the same thumbnail to who may see it: ${sent.status ?? sent.failure}`);
  run.expect(title, stranger.status === 401, `nginx refuses a stranger: ${stranger.status ?? stranger.failure}`);
  return same && stranger.status === 401;
}

async function measure(run, studio, servers) {
  const ids = path.join(run.folder, 'ids.txt');
  await writeFile(ids, studio.assets.map(({ id }) => `${id}\n`).join(''));
  const seconds = run.quick ? 1 : 6;
  for (const { url } of servers) await wrk(url, 1, ids, studio.cookie);
  for (let round = 0; round < (run.quick ? 1 : 4); round += 1) {
    // In turn, each going first as often as the other.
    for (const { url, pids, runs } of round % 2 === 0 ? servers : [...servers].reverse()) {
      const used = () => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
      const before = used();
      studio.watch.lap();
      const figures = await wrk(url, seconds, ids, studio.cookie);
      runs.push({ ...figures, used: used() - before, held: await studio.watch.held() });
    }
  }
}

async function tell(run, studio, servers) {
  for (const server of servers) {
    const { name, runs } = server;
    const sum = (of) => runs.reduce((sum, one) => sum + of(one), 0);
    const broken = sum((one) => one.refused + one.broken);
    run.expect(title, broken === 0, `${name}: every request is answered 2xx; not so: ${broken}`);
    const tally = new Tally();
    tally.kinds.set('200', sum(({ requests }) => requests) - broken);
    tally.p = (share) => median(runs.map(({ p50, p99 }) => (share === 0.5 ? p50 : p99) / 1000));
    server.rate = median(runs.map(({ requests, microseconds }) => (requests / microseconds) * 1e6));
    server.cost = median(runs.map(({ used, requests }) => (used / requests) * 1e6));
    const note = `${server.rate.toFixed(0)}/s, median of ${runs.length}; ${server.cost.toFixed(0)} µs of processor time each`;
    run.row(`${title}: ${name}`, tally, await studio.watch.leftOf(runs.at(-1).held), note);
  }
  const [ours, theirs] = servers;
  const ratio = ours.rate / theirs.rate;
  run.figure('warm thumbnails per second, ours ÷ nginx with auth_request', '≥ 1.0', ratio.toFixed(2), ratio >= 1);
  const cost = (ours.cost / theirs.cost).toFixed(2);
  run.figure('processor time for a warm thumbnail, ours ÷ nginx with auth_request', 'stated', cost);
}

/** Runs wrk, which walks through the thumbnails, and answers its figures. */
async function wrk(url, seconds, ids, cookie) {
  const script = path.join(here, 'peers/thumbnails.lua');
  const words = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url, '--', ids, cookie];
  const printed = await command(['wrk', ...words]);
  return JSON.parse(printed.match(/^\{.*\}$/m)[0]);
}
