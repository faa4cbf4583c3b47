// Every slot that originals may have is held by a stalled reader, and more wait. What everybody else does is timed before
// and meanwhile, one request at a time.
import { Studio } from '../studio.mjs';
import { ask, keeping, stall } from '../requests.mjs';
import { Tally } from '../statistics.mjs';

export const title = 'slots full of stalled originals';

export async function storm(run) {
  const studio = await Studio.serve(run.data, { settings: { AVATARS_WRITE_IDLE: '60s' } });
  const agent = keeping(1);
  const { cookie } = studio;
  const candidate = studio.assets[0];
  const times = run.quick ? 0.2 : 1;
  const works = [
    ['thumbnail', 300, (n) => ask(studio.thumbnail(studio.assets[n % 20]), { agent, cookie })],
    ['health', 300, () => ask(`${studio.url}/api/health`, { agent })],
    ['sign-in', 40, () => studio.trySignIn('rowan', { agent })],
    ['approve', 200, () => studio.approve(candidate, { agent })],
  ];
  const measure = async (count, work) => {
    const tally = new Tally();
    for (let n = 0; n < count * times; n += 1) tally.add(await work(n));
    return tally;
  };
  for (const [, count, work] of works) await measure(count / 10, work);
  const idle = [];
  for (const [, count, work] of works) idle.push(await measure(count, work));

  const path = `/api/assets/${studio.large.id}/file`;
  const waiters = [];
  const readers = Array.from({ length: 20 }, () =>
    stall(studio, path, cookie).then((reader) => waiters.push(reader), () => {}),
  );
  const full = await studio.watch.until(({ heavy, waiting }) => heavy === 6 && waiting === 14);
  run.expect(title, full, 'six originals stall, fourteen wait');
  const measured = [];
  for (const [name, count, work] of works) {
    studio.watch.lap();
    const tally = await measure(count, work);
    run.expect(title, tally.unexpected(200, 204).length === 0, `each ${name} is answered: ${tally}`);
    measured.push({ name, tally, ...(await studio.watch.held()) });
  }
  run.expect(title, (await studio.watch.look()).heavy === 6, 'they stalled to the end');
  agent.destroy();
  waiters.forEach((reader) => reader.close());
  // Those who waited are served as soon as these have gone; they go, too.
  const gone = studio.watch.settled();
  const goodbye = setInterval(() => waiters.splice(0).forEach((reader) => reader.close()), 20);
  run.expect(title, await gone, 'slots and descriptors are back');
  clearInterval(goodbye);
  for (const [index, { name, tally, ...held }] of measured.entries()) {
    const note = `idle: p50 ${run.ms(idle[index].p(0.5))}, p99 ${run.ms(idle[index].p(0.99))}`;
    run.row(`${title}: ${name}`, tally, await studio.watch.leftOf(held), note);
  }
  await Promise.all(readers);
  await studio.stop();
}
