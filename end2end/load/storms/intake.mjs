// Uploads as in an office: many of 100 KB, some of 5 MB, few of 50 MB, scanned by a real clamd where there is one. First as
// much at once as half the memory budget, then more than all of it for a minute, then a hundred of the largest at once.
import http from 'node:http';

import { hasClamd, startClamd } from '../../support/clamd.mjs';
import { Tally } from '../statistics.mjs';
import { Studio } from '../studio.mjs';

export const title = 'intake';

const MIB = 1 << 20;
const BUDGET = 200 * MIB;
const LARGEST = 50 * MIB;
/** What the process takes beside the budget: its code, the database, the scanner's pieces, and what an allocator keeps. */
const BESIDE = 100 * MIB;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const FILLER = Buffer.alloc(64 << 10, 'as large as a photograph, and as dull. ');

/** Bytes of the next file. */
const size = (number) => (number % 33 === 16 ? LARGEST : number % 6 === 3 ? 5_000_000 : 100_000);

export async function storm(run) {
  const cleaning = [];
  const t = { after: (clean) => cleaning.push(clean) };
  try {
    const scanner = hasClamd ? await startClamd(t, 'StreamMaxLength 200M\nMaxFileSize 200M\nMaxScanSize 400M') : { env: {} };
    const settings = { ...scanner.env, AVATARS_MEMORY_BUDGET: '200MiB', AVATARS_UPLOAD_LIMIT: '50MiB' };
    const studio = await Studio.serve(run.data, { settings });
    await rounds(run, studio, hasClamd ? 'scanned by clamd' : 'not scanned: there is no clamd here');
    await studio.stop();
  } finally {
    for (const clean of cleaning) await clean();
  }
}

async function rounds(run, studio, note) {
  const agent = new http.Agent({ keepAlive: true });
  let number = 0;
  const upload = (bytes) => send(studio, agent, (number += 1), bytes);

  const half = new Tally();
  const flow = new Flow(BUDGET / 2);
  await flow.run(run.quick ? 4 : 20, () => size(number + flow.started), async (bytes) => half.add(await upload(bytes)));
  run.expect(title, half.unexpected(201).length === 0, `at half the budget every file is taken in: ${half}`);
  await tell(run, studio, 'intake at half the budget', half, note);
  run.figure('uploads refused at a load of half the budget', 'none', `${half.count(503)} of ${half.total}`, half.count(503) === 0);

  studio.watch.lap();
  const over = new Tally();
  const crowd = Array.from({ length: 150 }, async () => {
    for (const until = performance.now() + (run.quick ? 6 : 60) * 1000; performance.now() < until; ) {
      const answer = over.add(await upload(size(number)));
      // As the uploader in the browser does: it waits as long as it is told to.
      if (answer.status === 503) await new Promise((go) => setTimeout(go, Number(answer.retryAfter ?? 1) * 1000));
    }
  });
  await Promise.all(crowd);
  run.expect(title, over.unexpected(201, 503).length === 0, `taken in, or refused with a time to come back: ${over}`);
  const peak = await tell(run, studio, 'intake of more than the budget at once', over, `150 senders; ${note}`);

  studio.watch.lap();
  const large = new Tally();
  const count = run.quick ? 20 : 100;
  await Promise.all(Array.from({ length: count }, async () => large.add(await upload(LARGEST))));
  run.expect(title, large.unexpected(201, 503).length === 0, `taken in, or refused with a time to come back: ${large}`);
  const largePeak = await tell(run, studio, `${count} uploads of 50 MiB at once`, large, note);
  agent.destroy();

  const most = Math.max(peak, largePeak);
  const mib = (bytes) => `${(bytes / MIB).toFixed(0)} MiB`;
  run.figure('peak memory of the intake, on a budget of 200 MiB', '≤ budget + 100 MiB', mib(most), most <= BUDGET + BESIDE);
  run.expect(title, await studio.watch.settled(), 'slots and descriptors are back');
}

/** A row of the table; answers the peak of memory. */
async function tell(run, studio, what, tally, note) {
  const held = await studio.watch.held();
  const { admitted, waited, refused } = await studio.figures('intake_admitted_total', 'intake_waited_total', 'intake_refused_total');
  run.row(what, tally, held, `since the start ${admitted} let in, ${waited} of them after a wait, ${refused} refused; ${note}`);
  return held.memory;
}

/** Keeps so many bytes on their way, and no more. */
class Flow {
  started = 0;
  #free;
  #waiting = [];

  constructor(bytes) {
    this.#free = bytes;
  }

  async run(seconds, next, work) {
    const running = [];
    for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
      const bytes = next();
      this.started += 1;
      await this.#take(bytes);
      running.push(work(bytes).finally(() => this.#give(bytes)));
      // Small files alone would make thousands of connections.
      if (running.length % 24 === 0) await running[running.length - 24];
    }
    await Promise.all(running);
  }

  async #take(bytes) {
    while (this.#free < bytes) await new Promise((go) => this.#waiting.push(go));
    this.#free -= bytes;
  }

  #give(bytes) {
    this.#free += bytes;
    this.#waiting.splice(0).forEach((go) => go());
  }
}

/** Uploads one file that is like no other, piece by piece. */
function send(studio, agent, number, bytes) {
  const boundary = 'a-boundary-that-is-in-no-picture';
  const field = (name, value) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const name = `${number}.png`;
  const head = Buffer.from(
    `${field('subject', 'storm')}${field('kind', 'candidate')}--${boundary}\r\n` +
      `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`,
  );
  const own = Buffer.from(`${number} of ${process.pid}`);
  const tail = Buffer.concat([own, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  let left = bytes - PIXEL.length - own.length;
  const began = performance.now();
  return new Promise((resolve) => {
    const request = http.request(`${studio.url}/api/batches/${studio.batches[0].id}/assets`, {
      agent,
      method: 'POST',
      headers: {
        cookie: studio.cookie,
        origin: studio.url,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + bytes + tail.length - own.length,
      },
    });
    let answered = false;
    const settle = (answer) => resolve({ bytes: 0, ...answer, ms: performance.now() - began });
    request.on('error', (error) => !answered && settle({ failure: error.code ?? error.message }));
    request.on('response', (response) => {
      answered = true;
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const fate = response.statusCode === 201 ? JSON.parse(text).assets[0].status : undefined;
        const failure = fate && fate !== 'added' ? fate : undefined;
        settle({ status: response.statusCode, failure, retryAfter: response.headers['retry-after'] });
        if (left > 0) request.destroy();
      });
    });
    const more = () => {
      while (left > 0 && !answered) {
        const piece = left < FILLER.length ? FILLER.subarray(0, left) : FILLER;
        left -= piece.length;
        if (!request.write(piece)) return request.once('drain', more);
      }
      if (!answered) request.end(tail);
    };
    request.write(Buffer.concat([head, PIXEL]));
    more();
  });
}
