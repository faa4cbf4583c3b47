import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import {
  awake,
  batchAddress,
  complaints,
  launch,
  newPage,
  openBatch,
  saved,
  screenshot,
  signIn,
  spy,
  tiles,
} from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { startServer } from './support/server.mjs';
import { inPieces } from './support/slow-line.mjs';

/** The addresses of the thumbnails within `margin` pixels of the window. */
const near = (page, margin) =>
  page.evaluate((margin) => {
    const close = (tile) => {
      const box = tile.getBoundingClientRect();
      return box.top < innerHeight + margin && box.bottom > -margin;
    };
    return [...document.querySelectorAll('.tile')].filter(close).length;
  }, margin);

describe('the gallery', () => {
  const shared = scope();
  let server, browser;
  before(async () => {
    server = await startServer(shared);
    browser = await launch(shared);
  });

  test('150 pictures are in the page that the server sends, without scripts', async (t) => {
    const page = await newPage(t, browser, server, { javaScriptEnabled: false });
    await signIn(page);
    await openBatch(page);
    assert.equal(await tiles(page).count(), 150);
    assert.equal(await page.locator('.tile img[loading="lazy"]').count(), 150);
    const first = tiles(page).first().locator('img');
    await first.evaluate((image) => image.decode());
    assert.ok((await first.evaluate((image) => Math.max(image.naturalWidth, image.naturalHeight))) === 440);
  });

  test('pictures below the fold ask for nothing until they are scrolled to, and never count as failed', async (t) => {
    const page = await newPage(t, browser, server);
    await signIn(page);
    const heard = complaints(page);
    const address = await batchAddress(page);
    await page.goto('/sign-in');
    const requests = spy(page);
    const givenUp = new Map();
    page.on('requestfailed', (request) => {
      const { pathname } = new URL(request.url());
      if (request.failure()?.errorText === 'net::ERR_ABORTED') givenUp.set(pathname, (givenUp.get(pathname) ?? 0) + 1);
    });
    await page.goto(address);
    await awake(page);
    const early = requests.perPicture();
    await page.waitForLoadState('networkidle');
    const asked = requests.perPicture();
    assert.ok(asked.size >= (await near(page, 0)), 'what is on screen is asked for');
    // Chromium looks ahead by up to 2500 pixels.
    assert.ok(asked.size <= (await near(page, 2500)), `${asked.size} asked for`);
    assert.ok(asked.size < 150, 'the last ones are not');
    // What the browser had begun by itself is given up, once, and then waits for its turn: each comes once. Of its six
    // connections three are left alone, and what the others carry may be there at that very moment.
    const past = ([picture, times]) => times - (givenUp.get(picture) ?? 0) - 1;
    const [again, others] = [[], []];
    for (const one of asked) {
      const most = early.has(one[0]) ? 1 : 0;
      if (past(one) === 1 && one[1] === 1 + most) again.push(one);
      else if (past(one) !== 0 || one[1] > 1 + most) others.push(one);
    }
    assert.deepEqual(others, [], 'once each');
    assert.ok(again.length <= 3, `${again.length} came twice`);
    assert.equal(await page.locator('.picture[data-stage="waiting"], .picture[data-stage="unavailable"]').count(), 0);

    const last = tiles(page).last();
    const picture = `/api/assets/${await last.getAttribute('data-id')}/thumbnail`;
    assert.equal(asked.has(picture), false);
    await last.scrollIntoViewIfNeeded();
    await last.locator('.picture[data-stage="loaded"]').waitFor();
    assert.equal(requests.perPicture().get(picture), 1);
    assert.deepEqual(heard, []);
  });

  test('a decision comes before the tiles, also before those on screen', async (t) => {
    const page = await newPage(t, browser, server);
    await signIn(page);
    const address = await batchAddress(page);
    await page.waitForLoadState('networkidle');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const priorities = new Map();
    const kind = new Map();
    devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
      kind.set(requestId, request.url.endsWith('/thumbnail') ? 'tile' : request.url.split('/').at(-1));
      priorities.set(requestId, [request.initialPriority]);
    });
    devtools.on('Network.resourceChangedPriority', ({ requestId, newPriority }) => {
      priorities.get(requestId)?.push(newPriority);
    });
    await page.goto(address);
    await awake(page);
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('p');
    await saved(page);
    const of = (wanted) => [...kind].filter(([, kind]) => kind === wanted).flatMap(([id]) => priorities.get(id));
    assert.ok(of('tile').length > 0);
    assert.deepEqual([...new Set(of('tile'))], ['Low']);
    assert.deepEqual(of('decide'), ['High']);
  });

  // All but the tiles, of which there are many.
  const parts = [
    /<header class="top".*?<\/header>/s,
    /<header class="review-head".*?<\/header>/s,
    /<div class="toolbar".*?class="gallery"/s,
    /<div class="dock".*?<p /s,
  ];
  for (const [line, across] of [
    ['', (_, server) => server],
    [', nor while the page itself arrives in pieces', (t, server) => inPieces(t, server, parts)],
  ]) {
    test(`nothing moves while pictures arrive and the page wakes${line}`, async (t) => {
      const reached = await across(t, server);
      const page = await newPage(t, browser, reached);
      await page.addInitScript(() => {
        window.shifts = [];
        const moved = (entry) =>
          entry.sources.map(({ node, previousRect, currentRect }) => ({
            what: node?.outerHTML?.slice(0, 120) ?? node?.textContent,
            from: JSON.stringify(previousRect),
            to: JSON.stringify(currentRect),
          }));
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries().flatMap(moved))).observe({
          type: 'layout-shift',
          buffered: true,
        });
      });
      await signIn(page);
      await openBatch(page);
      await awake(page);
      await page.waitForLoadState('networkidle');
      if (reached.cut) assert.equal(reached.cut.size, parts.length, 'every part was cut');
      assert.deepEqual(await page.evaluate(() => window.shifts), []);
    });
  }

  test('a colour in the shape of the picture stands where it is still to come', async (t) => {
    const page = await newPage(t, browser, server);
    await signIn(page);
    const address = await batchAddress(page);
    await page.goto('/sign-in');
    let arrive;
    const held = new Promise((resolve) => (arrive = resolve));
    await page.route('**/thumbnail*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(address, { waitUntil: 'commit' });
    await awake(page);
    const first = tiles(page).first();
    const shape = first.locator('.placeholder rect');
    assert.match(await shape.getAttribute('fill'), /^#[0-9a-f]{6}$/);
    const box = await shape.evaluate((shape) => shape.getBoundingClientRect().toJSON());
    assert.ok(box.width > 50 && box.height > 50, 'it can be seen');
    // Those that wait for their turn have no address yet, and must not look broken.
    const without = page.locator('.tile img:not([src])');
    await without.first().waitFor({ state: 'attached' });
    const seen = await without.evaluateAll((images) => images.map((image) => getComputedStyle(image).visibility));
    assert.deepEqual([...new Set(seen)], ['hidden']);
    await screenshot(page, 'placeholders');
    arrive();
    await first.locator('.picture[data-stage="loaded"]').waitFor();
    assert.equal(await shape.isVisible(), false);
  });

  test('all tiles of the grid are of one size', async (t) => {
    const page = await newPage(t, browser, server);
    await signIn(page);
    await openBatch(page);
    const sizes = await tiles(page).evaluateAll((all) =>
      all.map((tile) => `${tile.getBoundingClientRect().width}×${tile.getBoundingClientRect().height}`),
    );
    assert.equal(new Set(sizes).size, 1, [...new Set(sizes)].join(', '));
  });
});
