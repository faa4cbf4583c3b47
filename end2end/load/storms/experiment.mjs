// The exercise that started it all: ten slow downloads of a large file under a limit of two, once with the permit given
// back when the headers are ready, once held to the last byte. What differs is how often the file is open at once.
import { realpathSync, statSync } from 'node:fs';
import http from 'node:http';

import { said, start, stop } from '../children.mjs';
import { example } from '../paths.mjs';
import { timesOpen } from '../proc.mjs';
import { Tally } from '../statistics.mjs';

export const title = 'ten slow downloads under a limit of two';
const DOWNLOADS = 10;
const LIMIT = 2;
/** A client takes so much, then pauses for so many milliseconds: some ten megabytes in a second. */
const PART = 128 * 1024;
const PAUSE = 10;

export async function storm(run) {
  const early = await downloads(run, 'headers');
  const held = await downloads(run, 'body');
  run.expect(title, held.open <= LIMIT, `held to the last byte, at most ${LIMIT} files are open: ${held.open}`);
  run.expect(title, early.open > LIMIT, `released at the headers, the limit limits nothing: ${early.open}`);
  const figure = `${early.open} against ${held.open}`;
  run.figure(`files open at once in ${title}: released at the headers, held to the last byte`, 'about 10 against 2',
    figure, early.open >= 8 && held.open === LIMIT);
}

async function downloads(run, heldUntil) {
  const program = start([example, heldUntil, String(LIMIT), run.large]);
  const [url] = await said(program, /http:\/\/127\.0\.0\.1:\d+/);
  const file = realpathSync(run.large);
  let open = 0;
  const look = setInterval(() => (open = Math.max(open, timesOpen(program.pid, file))), 5);
  const tally = new Tally();
  await Promise.all(Array.from({ length: DOWNLOADS }, () => slowly(url).then((answer) => tally.add(answer))));
  clearInterval(look);
  await stop(program);
  const { size } = statSync(run.large);
  run.expect(title, tally.bytes === DOWNLOADS * size, `every download is whole: ${tally.bytes} bytes`);
  run.row(`${title}, the permit ${heldUntil === 'body' ? 'held to the last byte' : 'released at the headers'}`, tally, {},
    `${open} files open at once`);
  return { open };
}

/** Takes a body part by part. */
function slowly(url) {
  const began = performance.now();
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false }, (response) => {
      let bytes = 0;
      const take = () => {
        const part = response.read(Math.min(PART, response.readableLength || 1));
        if (part) bytes += part.length;
        if (!response.readableEnded) setTimeout(take, PAUSE);
      };
      response.on('end', () => resolve({ status: response.statusCode, bytes, ms: performance.now() - began }));
      response.on('error', (error) => resolve({ failure: error.code, bytes, ms: performance.now() - began }));
      take();
    });
    request.on('error', (error) => resolve({ failure: error.code, bytes: 0, ms: performance.now() - began }));
  });
}
