// A picture that fails: it tries again by itself, twice, and then waits for a person. It never does anything else.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { awake, batchAddress, launch, newPage, signIn, spy } from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { startServer } from './support/server.mjs';

const THUMBNAILS = '**/api/assets/*/thumbnail*';
const refuse = (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '' });
const stage = (page, stage) => page.locator(`.tile .picture[data-stage="${stage}"]`);

describe('a picture that fails', () => {
  const shared = scope();
  let server, browser;
  before(async () => {
    server = await startServer(shared);
    browser = await launch(shared);
  });

  /** Signed in, with the address of a batch that was not opened before. */
  async function prepared(t) {
    // As narrow as a phone: fewer pictures to render for nothing.
    const page = await newPage(t, browser, server, { viewport: { width: 390, height: 600 } });
    await signIn(page);
    const address = await batchAddress(page);
    await page.goto('/sign-in');
    return { page, address };
  }

  test('before the page wakes counts as failed, and recovers', async (t) => {
    const { page, address } = await prepared(t);
    const requests = spy(page);
    let failing = true;
    await page.route(THUMBNAILS, (route) => (failing ? refuse(route) : route.continue()));
    // The browser half is held back until every picture on screen has failed.
    let wake;
    const held = new Promise((resolve) => (wake = resolve));
    await page.route('**/pkg/*.wasm', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(address, { waitUntil: 'commit' });
    await page.locator('.tile').first().waitFor();
    await page.waitForFunction(() => {
      const first = [...document.querySelectorAll('.tile img')].slice(0, 4);
      return first.every((image) => image.complete && image.naturalWidth === 0);
    });
    const failed = requests.perPicture();
    assert.ok(failed.size >= 4);
    wake();
    await awake(page);
    failing = false;
    await stage(page, 'loaded').nth(failed.size - 1).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await stage(page, 'unavailable').count(), 0);
    for (const [picture, times] of failed) {
      assert.equal(times, 1);
      assert.equal(requests.perPicture().get(picture), 2, `${picture} was asked for once more`);
    }
  });

  test('for good is asked for exactly three times, then says so', async (t) => {
    const { page, address } = await prepared(t);
    const requests = spy(page);
    await page.route(THUMBNAILS, refuse);
    await page.goto(address);
    await awake(page);
    const asked = () => requests.perPicture();
    await stage(page, 'unavailable').first().getByText('preview unavailable').waitFor();
    // They take turns, so that some come to their end before others have begun.
    const unavailable = (count) => document.querySelectorAll('.picture[data-stage="unavailable"]').length >= count;
    for (let count; count !== asked().size; ) {
      count = asked().size;
      await page.waitForFunction(unavailable, count);
    }
    await page.waitForLoadState('networkidle');

    assert.equal(await stage(page, 'unavailable').count(), asked().size);
    for (const [picture, times] of asked()) assert.equal(times, 3, picture);
    const [picture] = asked().keys();
    const tries = requests.of('thumbnail').filter(({ url }) => new URL(url).pathname === picture);
    assert.equal(new Set(tries.map(({ url }) => url)).size, 3, 'each at an address of its own, past every cache');
    const [first, second, third] = tries.map(({ at }) => at);
    assert.ok(second - first >= 490 && third - second >= 990, `after ${second - first} and ${third - second} ms`);

    assert.deepEqual(requests.kinds(), ['page', 'site', 'thumbnail'], 'no request of any other kind');
    assert.ok(requests.requests.every(({ method }) => method === 'GET'), 'and none that changes anything');
  });

  test('waits for a person, whose button starts over', async (t) => {
    const { page, address } = await prepared(t);
    let failing = true;
    await page.route(THUMBNAILS, (route) => (failing ? refuse(route) : route.continue()));
    await page.goto(address);
    await awake(page);
    const tile = page.locator('.tile').first();
    const button = tile.getByRole('button', { name: 'Retry' });
    await button.waitFor();
    const requests = spy(page);
    const id = await tile.getAttribute('data-id');
    const asked = () => requests.perPicture().get(`/api/assets/${id}/thumbnail`) ?? 0;

    await button.click();
    await tile.locator('.picture[data-stage="waiting"]').waitFor();
    await button.waitFor();
    assert.equal(asked(), 3, 'three more');
    failing = false;
    await button.click();
    await tile.locator('.picture[data-stage="loaded"]').waitFor();
    assert.equal(asked(), 4);
    assert.deepEqual(requests.kinds(), ['thumbnail']);
    assert.equal(await tile.getAttribute('data-decision'), 'undecided');
  });
});
