// Pictures of every page in every state that a person may meet, for looking at: `make screenshots`.
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, test } from 'node:test';

import { awake, launch, newPage, openBatch, saved, screenshot, signIn, tiles } from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { avatars, docs } from './support/paths.mjs';
import { emptyFolder, startServer } from './support/server.mjs';

const LOOKS = {
  wide: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', deviceScaleFactor: 2, hasTouch: true },
};

const settled = (page) => page.waitForLoadState('networkidle');

/** Some of everything, as after ten minutes of work. */
async function work(page) {
  for (const key of ['p', 'p', 'x', 'p', 'ArrowRight', 'x', 'p', 'p', 'ArrowRight', 'ArrowRight', 'p', 'x', 'p']) {
    await page.keyboard.press(key);
  }
  await saved(page);
}

for (const [look, options] of Object.entries(LOOKS)) {
  describe(look, () => {
    const shared = scope();
    let server, browser;
    before(async () => {
      server = await startServer(shared);
      browser = await launch(shared);
    });

    const shot = (name, take) =>
      test(name, async (t) => {
        const page = await newPage(t, browser, server, options);
        await take(page, t);
        await settled(page);
        await screenshot(page, `${name}-${look}`);
      });
    const review = (name, take) =>
      shot(name, async (page, t) => {
        await signIn(page);
        await openBatch(page);
        await awake(page);
        await settled(page);
        await take(page, t);
      });

    shot('sign-in', (page) => page.goto('/sign-in'));
    shot('sign-in-wrong', (page) => page.goto('/sign-in?why=wrong'));
    shot('not-found', async (page) => {
      await signIn(page);
      await page.goto('/nowhere');
    });
    shot('forbidden', async (page) => {
      await signIn(page);
      const address = await openBatch(page);
      await page.context().clearCookies();
      await signIn(page, 'vera');
      await page.goto(address);
    });
    review('review-untouched', async () => {});
    review('review', async (page) => {
      await work(page);
      if (look === 'dark') {
        await settled(page);
        await mkdir(path.join(docs, 'images'), { recursive: true });
        await page.screenshot({ path: path.join(docs, 'images/review.jpg'), type: 'jpeg', quality: 82 });
      }
    });
    review('review-end', (page) => tiles(page).last().scrollIntoViewIfNeeded());
    review('review-filter-empty', async (page) => {
      await page.locator('[data-choice="Pipeline"]').click();
    });
    review('review-selection', async (page) => {
      await page.keyboard.press('s');
      for (let more = 0; more < 5; more++) await page.keyboard.press('Shift+ArrowRight');
    });
    review('keys', (page) => page.keyboard.press('?'));
    review('viewer', (page) => page.keyboard.press('Enter'));
    review('viewer-details', async (page) => {
      await page.keyboard.press('Enter');
      await page.keyboard.press('i');
    });
    review('viewer-zoomed', async (page) => {
      await page.keyboard.press('Enter');
      await page.keyboard.press('+');
      await page.locator('.original .picture[data-stage="loaded"]').waitFor();
    });
    review('conflict', async (page, t) => {
      const other = await newPage(t, browser, server, options);
      await signIn(other);
      await other.goto(page.url());
      await awake(other);
      await page.keyboard.press('End');
      await other.keyboard.press('End');
      await other.keyboard.press('p');
      await saved(other);
      await page.keyboard.press('x');
      await page.getByRole('alert').waitFor();
    });
    shot('unavailable', async (page) => {
      await signIn(page);
      let asked = 0;
      await page.route('**/thumbnail*', (route) => (asked++ % 3 ? route.continue() : route.fulfill({ status: 503 })));
      await page.route('**/thumbnail?retry=*', (route) => route.fulfill({ status: 503 }));
      await openBatch(page);
      await awake(page);
      await page.locator('.picture[data-stage="unavailable"]').first().waitFor();
    });
    review('adding', async (page) => {
      await page.getByRole('button', { name: 'Add pictures' }).click();
      await page.getByText('From web addresses').click();
    });
    review('added', async (page) => {
      await page.getByRole('button', { name: 'Add pictures' }).click();
      const files = ['words.png', 'more.png'].map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) }));
      await page.locator('#add-subject').selectOption({ index: 1 });
      await page.getByLabel('Choose files').setInputFiles(files);
      await page.getByText('2 refused').first().waitFor();
    });
    shot('failing', async (page) => {
      await signIn(page);
      await page.goto('/failing');
    });
    shot('batches', async (page) => {
      await signIn(page);
      await page.goto('/batches');
    });
    test('empty', async (t) => {
      const data = await emptyFolder(t);
      execFileSync(avatars, ['account', 'add', 'ada', '--admin'], {
        input: 'look-at-pictures\n',
        env: { ...process.env, AVATARS_DATA: data },
      });
      const empty = await startServer(t, { data });
      const page = await newPage(t, browser, empty, options);
      await signIn(page);
      await settled(page);
      await screenshot(page, `empty-${look}`);
    });
  });
}
