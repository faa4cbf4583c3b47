// Scrolling fast past pictures that are still on their way: they are given up, and what is looked at comes first.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { awake, complaints, launch, newPage, signIn, tiles } from './support/browser.mjs';
import { later, scope } from './support/later.mjs';
import { account, command, emptyFolder, startServer } from './support/server.mjs';

const COUNT = 300;

/** A picture of one colour: 24 bits, no compression. */
function bitmap(number) {
  const side = 32;
  const file = Buffer.alloc(54 + side * side * 3);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(side, 18);
  file.writeInt32LE(side, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let at = 54; at < file.length; at += 3) file.writeUIntLE(0x204060 + number * 0x000301, at, 3);
  return file;
}

/** Answers one thumbnail at a time, in the order of asking; those that were given up meanwhile cost nothing. */
async function slowly(t, page) {
  const queue = [];
  const [asked, served, came, aborted] = [[], [], [], new Set()];
  const loading = { now: new Set(), most: 0 };
  const id = (request) => new URL(request.url()).pathname.split('/')[3];
  page.on('requestfailed', (request) => {
    aborted.add(request);
    loading.now.delete(request);
  });
  page.on('requestfinished', (request) => {
    loading.now.delete(request);
    if (request.url().includes('/thumbnail')) came.push(id(request));
  });
  await page.route('**/api/assets/*/thumbnail*', (route) => {
    asked.push(id(route.request()));
    loading.now.add(route.request());
    loading.most = Math.max(loading.most, loading.now.size);
    queue.push(route);
  });
  let [running, held] = [true, false];
  const work = (async () => {
    while (running) {
      const route = held ? undefined : queue.shift();
      if (!route) await sleep(5);
      else if (!aborted.has(route.request())) {
        await sleep(40);
        if (aborted.has(route.request())) continue;
        served.push(id(route.request()));
        await route.continue().catch(() => {});
      }
    }
  })();
  later(t, async () => {
    running = false;
    await work;
  });
  const hold = (hold) => (held = hold);
  return { asked, served, came, loading, hold, given_up: () => [...aborted].map(id) };
}

/** From here to there, a window at a time, as with a finger on the scroll bar. */
const scroll = (page, to) =>
  page.evaluate(async (to) => {
    // Two, so that what the first has led to is drawn.
    const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const end = to === 'end' ? document.documentElement.scrollHeight - innerHeight : to;
    const step = Math.sign(end - scrollY) * innerHeight;
    while (Math.abs(end - scrollY) > innerHeight) {
      scrollBy(0, step);
      await frame();
    }
    scrollTo(0, end);
    await frame();
  }, to);

const onScreen = (page) =>
  tiles(page).evaluateAll((all) =>
    all
      .filter((tile) => tile.getBoundingClientRect().top < innerHeight && tile.getBoundingClientRect().bottom > 0)
      .map((tile) => tile.dataset.id),
  );

const loaded = (page, ids) =>
  page.waitForFunction(
    (ids) => ids.every((id) => document.querySelector(`[data-id="${id}"] .picture[data-stage="loaded"]`)),
    ids,
  );

describe('pictures that are scrolled past', () => {
  const shared = scope();
  let server, browser;
  before(async () => {
    const data = await emptyFolder(shared);
    const pictures = path.join(data, 'incoming');
    await mkdir(pictures);
    for (let number = 0; number < COUNT; number++) {
      await writeFile(path.join(pictures, `${String(number).padStart(3, '0')}.bmp`), bitmap(number));
    }
    await account(data);
    await command(data, 'import', pictures, '--family', 'reed', '--subject', 'ida', '--batch', 'spring');
    server = await startServer(shared, { data });
    browser = await launch(shared);
  });

  test('are given up, come when they are returned to, and none that came is asked for again', async (t) => {
    const page = await newPage(t, browser, server);
    await signIn(page);
    const heard = complaints(page);
    const address = await page.locator('a.card').first().getAttribute('href');
    const media = await slowly(t, page);
    await page.goto(address, { waitUntil: 'commit' });
    await awake(page);
    // What the browser asked for by itself may be given up once, when the page begins to share its connections.
    const early = new Set(media.asked);
    assert.equal(await tiles(page).count(), COUNT);
    const all = await tiles(page).evaluateAll((all) => all.map((tile) => tile.dataset.id));
    const first = await onScreen(page);
    await loaded(page, first.slice(0, 3));
    media.loading.most = 0;

    // On a busy machine scrolling takes as long as many answers would: none comes before the end is on screen.
    media.hold(true);
    await scroll(page, 'end');
    media.hold(false);
    const last = await onScreen(page);
    assert.equal(last.at(-1), all.at(-1));
    await loaded(page, last);
    const middle = all.slice(COUNT / 2 - 30, COUNT / 2 + 30);
    // A few of it had their turn in between: whoever kept it would have kept it from the others.
    const asked = middle.filter((id) => media.asked.includes(id));
    assert.ok(asked.length > 0, 'turns were passed on');
    assert.ok(asked.every((id) => media.given_up().includes(id)), 'what was begun was given up');
    const served = middle.filter((id) => media.served.includes(id));
    assert.deepEqual(served, [], 'the end waited for none of them');
    assert.equal(await page.locator('.picture[data-stage="unavailable"], .picture[data-stage="waiting"]').count(), 0);

    const height = await page.evaluate(() => document.documentElement.scrollHeight / 2);
    await scroll(page, height);
    await loaded(page, await onScreen(page));
    await scroll(page, 0);
    await loaded(page, await onScreen(page));
    const times = new Map();
    for (const id of media.came) times.set(id, (times.get(id) ?? 0) + 1);
    // One that came in the very moment in which it was given up comes once more.
    const again = [...times].filter(([id, count]) => count > 1 && !early.has(id));
    assert.ok(again.length <= 3 && again.every(([, count]) => count === 2), `none came again: ${again}`);
    // A decision finds a connection, whatever is scrolled past.
    assert.ok(media.loading.most > 0 && media.loading.most <= 3, `${media.loading.most} at once`);
    assert.deepEqual(heard, []);
  });
});
