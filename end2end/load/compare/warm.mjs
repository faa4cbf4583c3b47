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
  const { cookie } = studio;
  const agent = keeping();
  await each(studio.assets, 8, (asset) => ask(studio.thumbnail(asset), { agent, cookie }));
  agent.destroy();
  const nginx = await serveByNginx(studio, run.folder);
  const sample = (url, options) => ask(`${url}/api/assets/${studio.assets[0].id}/thumbnail`, options);

  const ours = await sample(studio.url, { cookie, keep: true });
  const theirs = await sample(nginx.url, { cookie, keep: true, patience: 10_000 });
  const stranger = await sample(nginx.url);
  const same = theirs.status === 200 && theirs.bytes === ours.bytes && theirs.text === ours.text;
  run.expect(title, same, `nginx sends the same thumbnail to who may see it: ${theirs.status ?? theirs.failure}`);
  run.expect(title, stranger.status === 401, `nginx refuses a stranger: ${stranger.status ?? stranger.failure}`);
  if (same && stranger.status === 401) {
    const ids = path.join(run.folder, 'ids.txt');
    await writeFile(ids, studio.assets.map(({ id }) => `${id}\n`).join(''));
    const seconds = run.quick ? 1 : 6;
    const servers = [
      { name: 'this studio', url: studio.url, pids: [studio.pid], runs: [] },
      { name: 'nginx with auth_request', url: nginx.url, pids: [studio.pid, nginx.pid], runs: [] },
    ];
    for (const { url } of servers) await wrk(url, 1, ids, cookie);
    for (let round = 0; round < (run.quick ? 1 : 4); round += 1) {
      // In turn, each going first as often as the other.
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        const before = server.pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
        studio.watch.lap();
        const measured = await wrk(server.url, seconds, ids, cookie);
        const used = server.pids.reduce((sum, pid) => sum + processorSeconds(pid), 0) - before;
        server.runs.push({ ...measured, cores: used / seconds, held: await studio.watch.held() });
      }
    }
    const rates = servers.map(({ name, runs }) => {
      const broken = runs.reduce((sum, { refused, broken }) => sum + refused + broken, 0);
      run.expect(title, broken === 0, `${name}: every request is answered 2xx, not ${broken} of them`);
      const tally = new Tally();
      tally.kinds.set('200', runs.reduce((sum, { requests }) => sum + requests, 0) - broken);
      tally.p = (share) => median(runs.map((one) => (share === 0.5 ? one.p50 : one.p99) / 1000));
      const rate = median(runs.map(({ requests, microseconds }) => (requests / microseconds) * 1e6));
      const cores = median(runs.map(({ cores }) => cores));
      const note = `${rate.toFixed(0)}/s, median of ${runs.length} × ${seconds} s; ${cores.toFixed(2)} cores used`;
      run.row(`${title}: ${name}`, tally, runs.at(-1).held, note);
      return rate;
    });
    const ratio = rates[0] / rates[1];
    run.figure('warm thumbnails per second, ours ÷ nginx with auth_request', '≥ 1.0', ratio.toFixed(2), ratio >= 1);
  }
  await stop(nginx.program);
  run.expect(title, await studio.watch.settled(), 'slots and descriptors are back');
  await studio.stop();
}

async function wrk(url, seconds, ids, cookie) {
  const script = path.join(here, 'peers/thumbnails.lua');
  const said = await command([
    'wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url, '--', ids, cookie,
  ]);
  return JSON.parse(said.match(/^\{.*\}$/m)[0]);
}
