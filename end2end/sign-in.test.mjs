import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { complaints, launch, newPage, signIn } from './support/browser.mjs';
import { scope } from './support/later.mjs';
import { admin, password, startServer } from './support/server.mjs';

describe('signing in', () => {
  const shared = scope();
  let server, browser;
  before(async () => {
    server = await startServer(shared);
    browser = await launch(shared);
  });

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts';

    test(`who is not signed in is led to the sign-in page and back to where they were going, ${scripts}`, async (t) => {
      const page = await newPage(t, browser, server, { javaScriptEnabled });
      const heard = complaints(page);
      await page.goto('/batches?from=a-link');
      await page.waitForURL(/\/sign-in\?next=/);
      await page.getByLabel('Name').fill(admin);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/batches?from=a-link');
      await page.getByRole('heading', { name: 'Batches' }).waitFor();
      assert.deepEqual(heard, []);
    });

    test(`a wrong password is told, and the way onwards is kept, ${scripts}`, async (t) => {
      const page = await newPage(t, browser, server, { javaScriptEnabled });
      await page.goto('/batches?from=a-link');
      await page.getByLabel('Name').fill(admin);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
      await page.getByLabel('Name').fill(admin);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/batches?from=a-link');
    });

    test(`signing out ends the session, ${scripts}`, async (t) => {
      const page = await newPage(t, browser, server, { javaScriptEnabled });
      await signIn(page);
      const [cookie] = await page.context().cookies();
      assert.equal(cookie.name, 'avatars_session');
      assert.equal(cookie.httpOnly, true);
      assert.equal(cookie.sameSite, 'Lax');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL('**/sign-in*');
      assert.deepEqual(await page.context().cookies(), []);
      const kept = await fetch(`${server.url}/api/batches`, { headers: { cookie: `${cookie.name}=${cookie.value}` } });
      assert.equal(kept.status, 401, 'a kept cookie is worth nothing');
    });
  }
});
