import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { awake, complaints, launch, newPage, openBatch, signIn, spy, tiles } from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { startServer } from './support/server.mjs';

describe('a picture shown large', () => {
  const shared = scope();
  let server, browser;
  before(async () => {
    server = await startServer(shared);
    browser = await launch(shared);
  });

  async function open(t) {
    const page = await newPage(t, browser, server);
    await signIn(page);
    const heard = complaints(page);
    await openBatch(page);
    await awake(page);
    const requests = spy(page);
    await tiles(page).first().click();
    const viewer = page.getByRole('dialog', { name: 'Picture' });
    await viewer.locator('.slide[data-current] > .picture[data-stage="loaded"]').waitFor();
    return { page, viewer, requests, heard };
  }

  test('it is the preview first, and the original only on zoom', async (t) => {
    const { page, viewer, requests, heard } = await open(t);
    assert.ok(requests.of('preview').length >= 1);
    assert.equal(requests.of('file').length, 0);
    await page.keyboard.press('+');
    await viewer.locator('.original .picture[data-stage="loaded"]').waitFor();
    assert.equal(requests.of('file').length, 1);
    await page.keyboard.press('-');
    await viewer.locator('.original').waitFor({ state: 'detached' });
    assert.deepEqual(heard, []);
  });

  test('arrow keys lead on and back, and closing returns to the tile last seen', async (t) => {
    const { page, viewer } = await open(t);
    const place = viewer.locator('.viewer-title span');
    await place.getByText('1 of 150').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await place.getByText('3 of 150').waitFor();
    await page.keyboard.press('ArrowLeft');
    await place.getByText('2 of 150').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.locator(`#${await tiles(page).nth(1).getAttribute('id')}:focus`).waitFor();
  });

  test('deciding in it moves on to the next', async (t) => {
    const { page, viewer } = await open(t);
    await page.keyboard.press('x');
    await viewer.locator('.viewer-title span').getByText('2 of 150').waitFor();
    await viewer.getByRole('button', { name: 'Approve' }).click();
    await viewer.locator('.viewer-title span').getByText('3 of 150').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await tiles(page).nth(0).getAttribute('data-decision'), 'rejected');
    assert.equal(await tiles(page).nth(1).getAttribute('data-decision'), 'approved');
  });
});
