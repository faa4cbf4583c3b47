import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { awake, complaints, count, launch, newPage, openBatch, saved, signIn, spy, tiles } from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { startServer } from './support/server.mjs';

const decisions = (page) => tiles(page).evaluateAll((all) => all.map((tile) => tile.dataset.decision));

describe('deciding', () => {
  const shared = scope();
  let browser;
  before(async () => {
    browser = await launch(shared);
  });

  /** `decide` answers what decides, in place of the server. */
  async function desk(t, { decide } = {}) {
    const server = await startServer(t);
    const page = await newPage(t, browser, server);
    await signIn(page);
    // Before the page is opened: Chromium lets a page that is there go on past a new route for a moment.
    if (decide) await page.route('**/actions/decide', decide);
    await openBatch(page);
    await awake(page);
    return { server, page };
  }

  test('by key: P, X and U, each on to the next, and a reload shows the same', async (t) => {
    const { page } = await desk(t);
    const heard = complaints(page);
    await page.keyboard.press('p');
    await page.keyboard.press('x');
    await page.keyboard.press('P');
    assert.deepEqual((await decisions(page)).slice(0, 4), ['approved', 'rejected', 'approved', 'undecided']);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('u');
    assert.equal((await decisions(page))[2], 'undecided');
    await saved(page);
    const before = await decisions(page);
    await page.reload();
    assert.deepEqual(await decisions(page), before);
    await awake(page);
    assert.deepEqual(await decisions(page), before);
    assert.deepEqual(heard, []);
  });

  test('by button, and undo takes it back', async (t) => {
    const { page } = await desk(t);
    const bar = page.getByRole('toolbar', { name: 'Decide' });
    await bar.getByRole('button', { name: 'Approve' }).click();
    await bar.getByRole('button', { name: 'Reject' }).click();
    assert.deepEqual((await decisions(page)).slice(0, 3), ['approved', 'rejected', 'undecided']);
    await bar.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual((await decisions(page)).slice(0, 3), ['approved', 'undecided', 'undecided']);
    await saved(page);
    await page.reload();
    assert.deepEqual((await decisions(page)).slice(0, 3), ['approved', 'undecided', 'undecided']);
  });

  test('the counts follow at once, and a filter shows only what stands there', async (t) => {
    // The server does not answer before the person has seen what follows.
    let answer;
    const seen = new Promise((resolve) => (answer = resolve));
    const decide = async (route) => {
      await seen;
      await route.continue();
    };
    const { page } = await desk(t, { decide });
    const [undecided, approved] = [await count(page, 'Undecided'), await count(page, 'Approved')];
    await page.keyboard.press('p');
    await page.keyboard.press('p');
    assert.equal(await count(page, 'Approved'), approved + 2);
    assert.equal(await count(page, 'Undecided'), undecided - 2);
    await page.locator('[data-choice="Approved"]').click();
    await page.waitForURL('**/batches/*?decision=approved');
    assert.deepEqual(new Set(await decisions(page)), new Set(['approved']));
    assert.equal(await tiles(page).count(), approved + 2);
    answer();
    await saved(page);
    await page.reload();
    assert.equal(await tiles(page).count(), approved + 2, 'the address keeps the filter');
  });

  test('a selection is decided in one request', async (t) => {
    const { page } = await desk(t);
    await page.keyboard.press('s');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('3 selected').first().waitFor();
    const requests = spy(page);
    await page.keyboard.press('x');
    await saved(page);
    assert.deepEqual((await decisions(page)).slice(0, 4), ['rejected', 'rejected', 'rejected', 'undecided']);
    assert.equal(requests.of('action').length, 1);
  });

  test('of two people who decide the same picture, the second is told who and what, and sees it', async (t) => {
    const { server, page: first } = await desk(t);
    const second = await newPage(t, browser, server);
    await signIn(second, 'rowan');
    // Rowan sees one family only, Ada sees all.
    await first.goto(await openBatch(second));
    await awake(first);
    await awake(second);

    await first.keyboard.press('p');
    await saved(first);
    await second.keyboard.press('x');
    const banner = second.getByRole('alert');
    await banner.getByText(/^ada approved .+ just now\. Your decision was not taken\.$/).waitFor();
    assert.equal((await decisions(second))[0], 'approved');
    // Having seen it, the second may still disagree.
    await second.keyboard.press('x');
    await saved(second);
    await first.reload();
    assert.equal((await decisions(first))[0], 'rejected');
  });

  test('what cannot be sent is kept, and sent when the server is there again', async (t) => {
    let cut = true;
    const { page } = await desk(t, { decide: (route) => (cut ? route.abort() : route.continue()) });
    await page.keyboard.press('p');
    const banner = page.getByRole('alert');
    await banner.getByText('The server cannot be reached.').waitFor();
    assert.equal((await decisions(page))[0], 'approved');
    cut = false;
    await banner.getByRole('button', { name: 'Try again' }).click();
    await saved(page);
    await page.reload();
    assert.equal((await decisions(page))[0], 'approved');
  });
});
