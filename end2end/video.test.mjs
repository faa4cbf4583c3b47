// A video in the gallery and in the large view: its length on the tile, its poster first, played by parts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';

import { awake, complaints, launch, newPage, saved, screenshot, signIn, spy, tiles } from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { account, command, emptyFolder, startServer } from './support/server.mjs';

const run = promisify(execFile);
/** Twice what Chromium fetches ahead of this, some ten megabytes. */
const SECONDS = 40;

const make = (file, ...codec) =>
  run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=s=640x360:r=24:d=${SECONDS}`, ...codec, file]);

describe('a video', () => {
  const shared = scope();
  let server, browser;
  before(async () => {
    const data = await emptyFolder(shared);
    const clips = path.join(data, 'incoming');
    await mkdir(clips);
    // Constant rates, so that length is size.
    const rate = ['-b:v', '4M', '-minrate', '4M', '-maxrate', '4M', '-bufsize', '1M'];
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', 'faststart'];
    await make(path.join(clips, 'a.mp4'), ...h264, ...rate, '-x264-params', 'nal-hrd=cbr');
    await make(path.join(clips, 'b.webm'), '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', ...rate);
    await account(data);
    await command(data, 'import', clips, '--family', 'reed', '--subject', 'ida', '--batch', 'clips');
    server = await startServer(shared, { data });
    browser = await launch(shared);
  });

  async function open(t) {
    const page = await newPage(t, browser, server);
    await signIn(page);
    await page.locator('a.card').first().click();
    await awake(page);
    return page;
  }

  test('shows its length on the tile, and says what it is to those who cannot see', async (t) => {
    const page = await open(t);
    for (const [at, name] of ['a.mp4', 'b.webm'].entries()) {
      const tile = tiles(page).nth(at);
      await tile.locator('.picture[data-stage="loaded"]').waitFor();
      assert.equal((await tile.locator('.length').textContent()).trim(), `0:${SECONDS}`);
      assert.equal(await tile.locator('img').getAttribute('alt'), `ida, ${name}, video`);
    }
    await screenshot(page, 'video-tiles');
  });

  for (const [at, name] of ['an MP4', 'a WebM'].entries()) {
    test(`${name} plays in the large view, in ranges, by key`, async (t) => {
      const page = await open(t);
      const heard = complaints(page);
      const requests = spy(page);
      const parts = [];
      page.on('response', async (response) => {
        if (!response.url().endsWith('/file')) return;
        parts.push({ status: response.status(), range: await response.request().headerValue('range') });
      });
      await tiles(page).nth(at).click();
      const video = page.locator('.slide[data-current] video');
      await video.waitFor();
      await page.waitForFunction(() => document.querySelector('.slide[data-current] video').poster.length > 0);
      await page.waitForLoadState('networkidle');
      assert.ok(requests.of('poster').length >= 1, 'the poster is there');
      assert.equal(requests.of('file').length, 0, 'and nothing of the file before it is played');
      await screenshot(page, `video-poster-${at}`);

      const time = () => video.evaluate((video) => video.currentTime);
      await page.keyboard.press(' ');
      await page.waitForFunction(() => document.querySelector('.slide[data-current] video').currentTime > 0.5);
      await screenshot(page, `video-plays-${at}`);
      await page.keyboard.press(' ');
      await page.waitForFunction(() => document.querySelector('.slide[data-current] video').paused);
      assert.ok(parts.length > 0 && parts.every(({ status, range }) => status === 206 && range.startsWith('bytes=')));

      const further = page.waitForResponse((response) => response.url().endsWith('/file'));
      await video.evaluate((video, to) => (video.currentTime = to), SECONDS - 2);
      await page.waitForFunction(() => !document.querySelector('.slide[data-current] video').seeking);
      assert.ok((await time()) >= SECONDS - 2.5);
      await page.waitForFunction(() => document.querySelector('.slide[data-current] video').readyState >= 2);
      const part = await further;
      assert.equal(part.status(), 206, 'what comes later is asked for by itself');
      assert.match(await part.request().headerValue('range'), /^bytes=[1-9]/);
      assert.deepEqual(heard, []);
    });
  }

  test('keeps the keys of the review, even with the focus on the player', async (t) => {
    const page = await open(t);
    await tiles(page).first().click();
    const video = page.locator('.slide[data-current] video');
    await video.focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.viewer-title span').getByText('2 of 2').waitFor();
    await video.focus();
    await page.keyboard.press('x');
    await saved(page);
    await page.keyboard.press('Escape');
    assert.equal(await tiles(page).nth(1).getAttribute('data-decision'), 'rejected');
    await page.locator('dialog.viewer').waitFor({ state: 'hidden' });
  });
});
