// Adding pictures: dropped or chosen, through broken lines and reloads, with what is wrong told where it can be seen.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';

import { awake, complaints, launch, newPage, screenshot, signIn, tiles } from './support/browser.mjs';
import { hasClamd, mark, startClamd } from './support/clamd.mjs';
import { later, scope } from './support/later.mjs';
import { account, emptyFolder, startServer } from './support/server.mjs';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
/** A picture of one pixel, told apart from others by what stands behind it. */
const picture = (behind, bytes = 0) => Buffer.concat([PIXEL, Buffer.from(behind), Buffer.alloc(bytes, behind)]);

/** A folder of so many pictures on the disk, which goes with the test. */
async function folderOf(t, count, bytes = 0) {
  const folder = path.join(await emptyFolder(t), 'spring');
  await mkdir(folder);
  const name = (number) => `${String(number).padStart(3, '0')}.png`;
  await Promise.all(
    Array.from({ length: count }, (_, number) => writeFile(path.join(folder, name(number)), picture(`${number} `, bytes))),
  );
  return folder;
}

/** Drops files or folders of the disk onto the page, as the system does. */
async function drop(page, ...files) {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 600, y: 500, data });
  }
  await devtools.detach();
}

const card = (page) => page.getByRole('region', { name: 'Uploads' });
const all = (page) => card(page).getByRole('progressbar', { name: 'All files' });
const line = (page, name) => card(page).getByRole('listitem').filter({ hasText: name });
const title = (page, text) => card(page).getByText(text).first().waitFor();

/** Every file that the page sends from now on. */
function sendings(page) {
  const sent = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/api\/batches\/[^/]+\/assets$/.test(request.url())) sent.push(request);
  });
  return sent;
}

/** Opens an empty batch whose form is ready for files of one subject. */
async function emptyBatch(t, browser, server, name = 'Spring') {
  const page = await newPage(t, browser, server);
  await signIn(page);
  await page.goto('/batches/new');
  await page.getByLabel('Title', { exact: true }).fill(name);
  await page.locator('[name=new_family]').fill('reed');
  await page.locator('main form button[type=submit]').click();
  await page.waitForURL(/\/batches\/[0-9a-f-]{36}/);
  await awake(page);
  return page;
}

const subject = (page) => page.getByRole('textbox', { name: /subject/i });

describe('adding pictures', () => {
  const shared = scope();
  let browser;
  before(async () => {
    browser = await launch(shared);
  });

  async function studio(t, env) {
    const data = await emptyFolder(t);
    await account(data);
    return startServer(t, { data, env });
  }

  test('a folder of 300 is dropped, the line breaks at 60 %, and after a reload only what is missing is sent', async (t) => {
    const server = await studio(t);
    const folder = await folderOf(t, 300);
    const page = await emptyBatch(t, browser, server);
    const address = page.url();
    await subject(page).fill('maja');
    await drop(page, folder);

    // It is seen to move, and never back.
    const seen = await all(page).evaluate((bar) => {
      const values = [bar.value];
      return new Promise((over) => {
        const look = new MutationObserver(() => {
          values.push(bar.value);
          if (bar.value >= 600) over(values);
        });
        look.observe(bar, { attributeFilter: ['value'] });
      });
    });
    assert.ok(seen.length > 5, `it moved: ${seen}`);
    assert.deepEqual(seen, seen.toSorted((one, other) => one - other));
    await page.context().setOffline(true);
    await title(page, /^Offline at/);
    await screenshot(page, 'upload-offline');

    // The page is left in the middle, and opened again.
    await page.close();
    const context = page.context();
    await context.setOffline(false);
    const again = await context.newPage();
    const heard = complaints(again);
    await again.goto(address, { waitUntil: 'domcontentloaded' });
    await awake(again);
    const arrived = Number(await again.locator('[data-choice="All"] .count').textContent());
    assert.ok(arrived >= 150 && arrived < 300, `${arrived} had arrived`);
    const sent = sendings(again);
    await drop(again, folder);
    await again.locator('#add-staged-text').getByText(/^300 files wait/).waitFor();
    await again.getByRole('button', { name: 'Add them' }).click();
    await title(again, `${300 - arrived} added, ${arrived} already here`);
    assert.equal(sent.length, 300 - arrived, 'only what was missing');
    await again.waitForFunction(() => document.querySelectorAll('.tile').length === 300);
    assert.equal(await again.locator('[data-choice="All"] .count').textContent(), '300');
    await screenshot(again, 'upload-done');
    assert.deepEqual(heard, []);

    // Once more: nothing at all.
    await card(again).getByRole('button', { name: 'Close' }).click();
    await again.getByRole('button', { name: 'Add pictures' }).click();
    await drop(again, folder);
    await title(again, /300 already here/);
    assert.equal(sent.length, 300 - arrived);
  });

  test('a line that is there again is used again, and nothing is lost or sent twice', async (t) => {
    const server = await studio(t);
    const folder = await folderOf(t, 200, 100_000);
    const page = await emptyBatch(t, browser, server);
    await subject(page).fill('maja');
    await drop(page, folder);
    await title(page, /^Sending/);
    await page.context().setOffline(true);
    await title(page, /^Offline at/);
    await page.context().setOffline(false);
    await title(page, /^200 added$/);
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 200);
    await page.reload({ waitUntil: 'domcontentloaded' });
    assert.equal(await tiles(page).count(), 200);
  });

  test('what is too large is told without a request, and what is no picture with the reason', async (t) => {
    const server = await studio(t, { AVATARS_UPLOAD_LIMIT: '1MiB' });
    const folder = await folderOf(t, 3);
    await writeFile(path.join(folder, 'large.png'), picture('large', 2 << 20));
    await writeFile(path.join(folder, 'notes.png'), 'not a picture');
    await writeFile(path.join(folder, '.hidden.png'), picture('hidden'));
    const page = await emptyBatch(t, browser, server);
    const sent = sendings(page);
    await subject(page).fill('maja');
    await drop(page, folder);
    await title(page, /3 added/);
    assert.equal(sent.length, 4);
    // What went wrong is unfolded by itself.
    await line(page, 'large.png').getByText('It is larger than the 1 MiB').waitFor();
    await line(page, 'notes.png').getByText(/not a picture/).waitFor();
    await screenshot(page, 'upload-problems');
  });

  test('an infected file in the middle is told, and those behind it go in', { skip: !hasClamd }, async (t) => {
    const clamd = await startClamd(t);
    const server = await studio(t, clamd.env);
    const folder = await folderOf(t, 9);
    await writeFile(path.join(folder, '004.png'), picture(mark));
    const page = await emptyBatch(t, browser, server);
    await subject(page).fill('maja');
    await drop(page, folder);
    await title(page, /8 added/);
    await line(page, '004.png').getByText(/infected/).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 8);

    // Without a scanner everything is held back, and says so.
    await clamd.stop();
    await writeFile(path.join(folder, 'late.png'), picture('late'));
    await page.getByRole('button', { name: 'Add pictures' }).click();
    await drop(page, path.join(folder, 'late.png'));
    await title(page, /1 held back/);
  });

  test('by keyboard alone: the form opens, files are chosen, sending is paused and cancelled', async (t) => {
    const server = await studio(t);
    const folder = await folderOf(t, 30, 1 << 20);
    const page = await emptyBatch(t, browser, server);
    const heard = complaints(page);
    // An empty batch shows the form at once; Close leaves the focus at the button that opens it again.
    const form = page.getByRole('region', { name: 'Add pictures' });
    await form.getByRole('button', { name: 'Close' }).press('Enter');
    const button = page.getByRole('button', { name: 'Add pictures' });
    await form.waitFor({ state: 'hidden' });
    await button.press('Enter');
    await form.waitFor();
    assert.equal(await button.getAttribute('aria-expanded'), 'true');

    // Files wait until it is clear whose they are: a file in the wrong place cannot be taken back.
    await page.getByLabel('Choose a folder').setInputFiles(folder);
    await page.locator('#add-staged-text').getByText(/^30 files wait/).waitFor();
    await screenshot(page, 'upload-staged');
    await page.getByRole('button', { name: 'Add them' }).press('Enter');
    assert.equal(await subject(page).evaluate((field) => field === document.activeElement), true);
    // A slow line, so that there is time to act.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const slow = { offline: false, latency: 20, downloadThroughput: 1 << 20, uploadThroughput: 2 << 20 };
    await devtools.send('Network.emulateNetworkConditions', slow);
    await page.keyboard.type('maja');
    await page.keyboard.press('Enter');

    await card(page).getByRole('button', { name: 'Pause' }).press('Enter');
    await title(page, /^Paused at/);
    const fold = card(page).getByRole('button', { name: /^Paused at/ });
    await fold.press('Enter');
    assert.equal(await fold.getAttribute('aria-expanded'), 'true');
    await screenshot(page, 'upload-paused');
    await card(page).getByRole('button', { name: 'Resume' }).press('Enter');
    await title(page, /^Sending/);
    await card(page).getByText(/MB\/s/).waitFor();
    // One of them, and then all.
    await card(page).getByRole('button', { name: 'Cancel spring/029.png' }).press('Enter');
    await card(page).getByRole('button', { name: 'Try again: spring/029.png' }).waitFor();
    await card(page).getByRole('button', { name: 'Cancel all' }).press('Enter');
    await title(page, /cancelled/);
    await card(page).getByRole('button', { name: 'Close' }).press('Enter');
    await card(page).waitFor({ state: 'hidden' });
    assert.deepEqual(heard, []);
  });

  test('an archive brings its pictures, and addresses are fetched', async (t) => {
    const served = createServer((request, answer) => {
      const body = request.url === '/a.png' ? picture('by address') : undefined;
      answer.writeHead(body ? 200 : 404, { 'content-length': body?.length ?? 0 });
      answer.end(request.method === 'HEAD' ? undefined : body);
    }).listen(0, '127.0.0.1');
    later(t, () => served.close());
    await new Promise((listening) => served.once('listening', listening));
    const host = `127.0.0.1:${served.address().port}`;
    const server = await studio(t, { AVATARS_FETCH_HOSTS: host });
    const page = await emptyBatch(t, browser, server);
    await subject(page).fill('maja');
    const archive = zip({ 'spring/one.png': picture('one'), 'spring/two.png': picture('two'), 'notes.txt': Buffer.from('no') });
    await page.getByLabel('Choose files').setInputFiles({ name: 'some.zip', mimeType: 'application/zip', buffer: archive });
    await title(page, /2 added/);
    await line(page, 'some.zip').getByText(/1 refused: notes.txt/).waitFor();

    await page.getByRole('button', { name: 'Add pictures' }).click();
    await page.getByText('From web addresses').click();
    await page.getByLabel('Addresses, one a line').fill(`http://${host}/a.png\nhttp://${host}/gone.png\nhttp://10.0.0.1/x.png`);
    await page.getByRole('button', { name: 'Fetch them' }).click();
    await title(page, /3 added/);
    await line(page, 'gone.png').getByText(/404/).waitFor();
    await line(page, '10.0.0.1').getByText(/not on the public internet/).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 3);
    await screenshot(page, 'upload-archive');
  });
});

/** A ZIP archive of stored files. */
function zip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name), content);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name));
    at += 30 + name.length + content.length;
  }
  const head = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(head.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, head, Buffer.from('PK\x05\x06'), end]);
}
