import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { complaints, launch, newPage, signIn } from './support/browser.mjs';
import { hasClamd, mark, startClamd } from './support/clamd.mjs';
import { scope } from './support/later.mjs';
import { startServer } from './support/server.mjs';

/** A picture of one pixel, told apart from others by what stands behind it. */
const picture = (behind) =>
  Buffer.concat([
    Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64'),
    Buffer.from(behind),
  ]);

/** Uploads by the API with the page's own session; answers what each file was told. */
async function upload(page, batch, files) {
  const form = new FormData();
  form.append('subject', 'maja');
  form.append('kind', 'candidate');
  for (const [name, behind] of Object.entries(files)) form.append('file', new Blob([picture(behind)]), name);
  const { name, value } = (await page.context().cookies())[0];
  const { origin } = new URL(page.url());
  const answer = await fetch(`${origin}/api/batches/${batch}/assets`, {
    method: 'POST',
    headers: { cookie: `${name}=${value}`, origin, 'sec-fetch-site': 'same-origin' },
    body: form,
  });
  assert.equal(answer.status, 201);
  return Object.fromEntries((await answer.json()).assets.map((asset) => [asset.name, asset.status]));
}

const file = (page, name) => page.getByRole('listitem').filter({ hasText: name });
const held = (page) => page.getByRole('region', { name: /^Held back/ });
const refused = (page) => page.getByRole('region', { name: /^Refused/ });

describe('quarantine', { skip: !hasClamd && 'clamd is not installed' }, () => {
  const shared = scope();
  let browser;
  before(async () => {
    browser = await launch(shared);
  });

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts';

    test(`an admin sees what is infected and what is held, tries again and throws away, ${scripts}`, async (t) => {
      const clamd = await startClamd(t);
      const server = await startServer(t, { env: clamd.env });
      const page = await newPage(t, browser, server, { javaScriptEnabled });
      const heard = complaints(page);
      await signIn(page);
      const batch = (await page.locator('a.card').first().getAttribute('href')).split('/').pop();

      const first = await upload(page, batch, { 'worm.png': mark, 'clean.png': 'clean' });
      assert.deepEqual(first, { 'worm.png': 'refused', 'clean.png': 'added' });
      await clamd.stop();
      const second = await upload(page, batch, { 'one.png': 'one', 'two.png': 'two', 'late.png': `${mark} 2` });
      assert.deepEqual(new Set(Object.values(second)), new Set(['held']));

      await page.goto(`/batches/${batch}`);
      await page.getByText('3 files are held back while they are checked.').waitFor();
      await page.getByRole('link', { name: 'See which' }).click();
      await page.getByRole('heading', { name: 'Quarantine' }).waitFor();
      await page.getByText('The scanner fails its self-test').waitFor();
      assert.equal(await held(page).getByRole('listitem').count(), 3);
      await file(refused(page), 'worm.png').getByText('Avatars.Test').waitFor();
      await file(refused(page), 'worm.png').getByText('from ada').waitFor();

      // Thrown away: asked first, and not done when one thinks better of it.
      await file(held(page), 'two.png').getByRole('button', { name: 'Discard: two.png' }).click();
      const dialog = page.getByRole('dialog', { name: 'Throw two.png away?' });
      await dialog.getByRole('button', { name: 'Keep it' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await file(held(page), 'two.png').getByRole('button', { name: 'Discard: two.png' }).click();
      await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
      await page.getByRole('status').getByText('It was thrown away.').waitFor();
      assert.equal(await file(held(page), 'two.png').count(), 0);

      await file(held(page), 'one.png').getByRole('button', { name: 'Try now: one.png' }).click();
      await page.getByRole('status').getByText('There is no verdict yet').waitFor();
      await clamd.start();
      // The server may be as fast as the person.
      for (;;) {
        await page.goto('/quarantine');
        const again = file(held(page), 'one.png').getByRole('button', { name: 'Try now: one.png' });
        if ((await again.count()) === 0) break;
        await again.click();
        await page.getByRole('status').waitFor();
      }
      while ((await file(refused(page), 'late.png').count()) === 0) await page.reload();
      await page.getByText('Nothing is held back.').waitFor();
      await page.getByText(/^ClamAV \d/).waitFor();
      assert.deepEqual(heard, []);
    });
  }

  test('only admins are shown the way there, and who may import nowhere is refused', async (t) => {
    const server = await startServer(t);
    const page = await newPage(t, browser, server);
    await signIn(page, 'rowan');
    assert.equal(await page.getByRole('link', { name: 'Quarantine' }).count(), 0);
    await page.goto('/quarantine');
    await page.getByRole('heading', { name: 'Not for this account' }).waitFor();

    const admin = await newPage(t, browser, server);
    await signIn(admin);
    await admin.getByRole('link', { name: 'Quarantine' }).click();
    await admin.getByText('Scanning is off').waitFor();
    await admin.getByText('Nothing infected has come in.').waitFor();
  });
});
