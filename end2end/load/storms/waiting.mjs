// As many connections as the server takes, each waiting for a slot. Every slot that originals may have is held by a reader
// that has stalled, and all others ask for an original, so that nobody moves until the harness says so; then all are
// served. Those who come past the end of the queue are refused.
import { Studio } from '../studio.mjs';
import { ask, askStream, narrow, stallStream } from '../requests.mjs';
import { descriptorLimit, memory } from '../proc.mjs';
import { Tally } from '../statistics.mjs';

export const title = 'waiting connections';
/** The connections of the watch, of those who hold the slots and of those who are refused. */
const OTHERS = 3;
/** What originals may hold of eight slots. */
const HEAVY = 6;

export async function storm(run) {
  const settings = { AVATARS_WRITE_IDLE: '120s', AVATARS_MEDIA_WAIT: '120s' };
  const studio = await Studio.serve(run.data, { settings });
  const connections = Math.min(run.quick ? 512 : 4096, descriptorLimit() - 256);
  // The smallest originals: when the wait is over, thousands of them are sent.
  const small = [...studio.assets].sort((one, other) => one.bytes - other.bytes).slice(0, 20);
  const path = (asset) => `/api/assets/${asset.id}/file`;
  const [holder, refused] = [narrow(studio), narrow(studio)];
  const held = await Promise.all(
    Array.from({ length: HEAVY }, () => stallStream(holder, path(studio.large), studio.cookie)),
  );
  await new Promise((resolve) => refused.ping(resolve));
  const other = await studio.signIn('ada');
  run.expect(title, await studio.watch.until(({ heavy }) => heavy === HEAVY), 'all slots for originals are held');
  studio.watch.lap();

  const tally = new Tally();
  const before = memory(studio.pid).now;
  const waiters = [];
  const wanted = connections - OTHERS;
  for (let asked = 0; asked < wanted; ) {
    for (const burst = Math.min(wanted, asked + 256); asked < burst; asked += 1) {
      const url = `${studio.url}${path(small[asked % small.length])}`;
      waiters.push(ask(url, { cookie: studio.cookie }).then((answer) => tally.add(answer)));
    }
    await studio.watch.until(({ waiting }) => waiting >= asked - 8, 20_000);
  }
  const all = await studio.watch.until(({ waiting }) => waiting === wanted);
  const { waiting } = await studio.watch.look();
  const kib = (memory(studio.pid).now - before) / waiting / 1024;
  // Past the end of the queue: whoever is one too many is told so at once.
  if (!run.quick) {
    const more = Array.from({ length: 64 }, () => askStream(refused, path(small[0]), other));
    waiters.push(...more.map(async (answer) => tally.add(await answer)));
  }
  const health = await ask(`${studio.url}/api/health`, { agent: studio.watch.agent });
  held.forEach((stream) => stream.close());
  holder.destroy();
  await Promise.all(waiters);
  refused.destroy();
  const back = await studio.watch.settled();

  run.expect(title, all, `all ${wanted} wait: ${waiting}`);
  run.expect(title, health.status === 200, `health is answered meanwhile: ${health.status ?? health.failure}`);
  run.expect(title, tally.unexpected(200, 503).length === 0, `200 or 503 with Retry-After: ${tally}`);
  run.expect(title, back, 'slots and descriptors are back');
  run.row(`${connections} ${title}`, tally, await studio.watch.held(), `${kib.toFixed(1)} KiB resident for each of ${waiting}`);
  run.figure(`memory for each of ${waiting} waiting connections`, '< 30 KiB', `${kib.toFixed(1)} KiB`, kib < 30);
  const failures = tally.unexpected(200, 503);
  run.figure(`failures of ${tally.total} other than 503 with Retry-After`, 'none', failures.join(', ') || 'none', failures.length === 0);
  await studio.stop();
}
