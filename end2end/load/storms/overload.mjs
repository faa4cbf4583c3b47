// Three times as many cold thumbnails as the machine can render, for a minute. Some clients give up after four seconds,
// some after eight, some wait for whatever comes. A thumbnail's file is removed as soon as it has been served, so that
// each answer costs a render.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { Studio, thumbnailFiles } from '../studio.mjs';
import { ask, each, keeping } from '../requests.mjs';
import { Tally } from '../statistics.mjs';

export const title = '3 × overload';
const PATIENCE = [4_000, 8_000, undefined];

export async function storm(run) {
  const settings = { AVATARS_MEDIA_WAIT: run.quick ? '6s' : '12s' };
  const studio = await Studio.serve(run.data, { settings });
  const cookies = [studio.cookie];
  while (cookies.length < 8) cookies.push(await studio.signIn('ada'));
  const agent = keeping();
  await each(studio.assets, 8, (asset) => ask(studio.thumbnail(asset), { agent, cookie: studio.cookie }));
  const files = await thumbnailFiles(run.data);

  let next = 0;
  const render = async (patience) => {
    const number = (next += 1);
    const asset = studio.assets[(number * 7) % studio.assets.length];
    const cookie = cookies[number % cookies.length];
    const answer = await ask(studio.thumbnail(asset), { agent, cookie, patience });
    if (answer.status === 200) rmSync(files.get(asset.sha256), { force: true });
    return answer;
  };
  for (const file of files.values()) rmSync(file, { force: true });

  const capacity = await measureCapacity(run.quick ? 2 : 8, render);
  studio.watch.lap();
  const tally = new Tally();
  const seconds = run.quick ? 5 : 60;
  const completions = new Array(seconds).fill(0);
  const began = performance.now();
  const asked = [];
  for (let due = 0; ; await sleep(10)) {
    const elapsed = (performance.now() - began) / 1000;
    if (elapsed >= seconds) break;
    for (; due < elapsed * 3 * capacity; due += 1) {
      const request = render(PATIENCE[due % PATIENCE.length]).then((answer) => {
        tally.add(answer);
        const second = Math.floor((performance.now() - began) / 1000);
        if (answer.status === 200 && second < seconds) completions[second] += 1;
      });
      asked.push(request);
    }
  }
  await Promise.all(asked);
  agent.destroy();
  const back = await studio.watch.settled();

  const windows = [];
  for (let start = 0; start + 5 <= seconds; start += 5) {
    const rate = completions.slice(start, start + 5).reduce((sum, count) => sum + count, 0) / 5;
    windows.push(rate / capacity);
  }
  const percent = (share) => `${Math.round(share * 100)} %`;
  run.expect(title, tally.unexpected(200, 503, 'gave up').length === 0, `200, 503 with Retry-After or given up: ${tally}`);
  run.expect(title, Math.min(...windows) > 0.3, `completions do not collapse: ${windows.map(percent).join(', ')}`);
  run.expect(title, back, 'slots and descriptors are back');
  const least = Math.min(...windows);
  const whole = completions.reduce((sum, count) => sum + count, 0) / seconds / capacity;
  const note =
    `capacity ${capacity.toFixed(0)}/s, offered ${(3 * capacity).toFixed(0)}/s for ${seconds} s; completed ` +
    `${percent(whole)} of the capacity, in the worst 5 s ${percent(least)}`;
  run.row(title, tally, await studio.watch.held(), note);
  const figure = `${percent(whole)}, in the worst 5 s ${percent(least)}`;
  const wanted = 'near capacity: 90 %, never below 75 %';
  run.figure(`completions under 3 × overload for ${seconds} s`, wanted, figure, whole >= 0.9 && least >= 0.75);
  await studio.stop();
}

/** Renders per second when no more is asked for than can be done. */
async function measureCapacity(seconds, render) {
  let done = 0;
  const until = performance.now() + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      if ((await render()).status === 200) done += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return done / seconds;
}
