// Chromium, and what tests do with it again and again.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { chromium } from 'playwright-core';

import { later } from './later.mjs';
import { chromium as executable, screenshots } from './paths.mjs';
import { admin, password } from './server.mjs';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const start = () => chromium.launch({ executablePath: executable(), headless: true, args });

/** A browser with a profile of its own that closes after the test. */
export async function launch(t) {
  const browser = await start().catch((failure) => {
    // It crashed once in some thousand starts (SIGSEGV, before it had a window), which tells nothing about the studio.
    console.error(`Chromium did not start, and is started again: ${String(failure).split('\n', 1)[0]}`);
    return start();
  });
  later(t, () => browser.close());
  return browser;
}

/** A page in a context (cookies, cache) of its own. Of a test that fails, its last sight is kept. */
export async function newPage(t, browser, server, options = {}) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  later(t, async () => {
    if (t.passed === false) await screenshot(page, `failed ${t.name}`).catch(() => {});
    await context.close();
  });
  return page;
}

/** Signs in as a person does, through the form. */
export async function signIn(page, name = admin, secret = password) {
  await page.goto('/sign-in');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in', { waitUntil: 'domcontentloaded' });
}

/** What kind of thing a request asks for. */
function kind(url) {
  const { pathname } = new URL(url);
  const media = pathname.match(/^\/api\/assets\/[^/]+\/(thumbnail|preview|file|poster|export)/);
  if (media) return media[1];
  if (pathname.startsWith('/api/')) return 'api';
  if (pathname.startsWith('/actions/')) return 'action';
  if (pathname.startsWith('/pkg/') || pathname.startsWith('/favicon')) return 'site';
  return 'page';
}

/** Writes down every request of the page from now on. */
export function spy(page) {
  const requests = [];
  page.on('request', (request) =>
    requests.push({ kind: kind(request.url()), method: request.method(), url: request.url(), at: Date.now() }),
  );
  return {
    requests,
    of: (wanted) => requests.filter((request) => request.kind === wanted),
    kinds: () => [...new Set(requests.map((request) => request.kind))].sort(),
    /** How many requests each picture has had, by its address without the query. */
    perPicture: (wanted = 'thumbnail') => {
      const counts = new Map();
      for (const { url } of requests.filter((request) => request.kind === wanted)) {
        const { pathname } = new URL(url);
        counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
      }
      return counts;
    },
    clear: () => (requests.length = 0),
  };
}

/** Collects what must never happen unseen: exceptions, and errors on the console. */
export function complaints(page) {
  const heard = [];
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') heard.push(message.text());
  });
  return heard;
}

/** Leaves a picture of the page in the target folder. */
export async function screenshot(page, name, options = {}) {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`), ...options });
}

/** The address of the first batch that the person who is signed in may see; it has 150 candidates. */
export async function batchAddress(page) {
  await page.goto('/batches', { waitUntil: 'domcontentloaded' });
  return page.locator('a.card').first().getAttribute('href');
}

/** Opens that batch as a person does, and answers its address. */
export async function openBatch(page) {
  const address = await batchAddress(page);
  await page.locator('a.card').first().click();
  await page.waitForURL(`**${address}`, { waitUntil: 'domcontentloaded' });
  return address;
}

/** Waits until the page answers to keys: the browser half has arrived and woken the island. */
export async function awake(page) {
  await page.locator('html[data-awake]').waitFor();
}

/** The pictures on screen, and where each stands. */
export const tiles = (page) => page.locator('.tile');

/** How many pictures a filter says it has. */
export async function count(page, choice) {
  return Number(await page.locator(`[data-choice="${choice}"] .count`).textContent());
}

/** Waits until the server has confirmed every decision. */
export const saved = (page) => page.locator('.tile[data-unsaved]').first().waitFor({ state: 'detached' });
