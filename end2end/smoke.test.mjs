import assert from 'node:assert/strict';
import { test } from 'node:test';

import { complaints, launch, newPage } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

test('who is not signed in is led to the sign-in page', async (t) => {
  const server = await startServer(t);
  const page = await newPage(t, await launch(t), server);
  const heard = complaints(page);
  await page.goto('/');
  await page.waitForURL('**/sign-in**');
  assert.equal(await page.getByRole('button', { name: 'Sign in' }).isVisible(), true);
  assert.deepEqual(heard, []);
});
