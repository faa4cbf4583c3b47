// How long an approval takes in a browser, over HTTP/1.1: with everything loaded, and while 300 cold tiles load in two
// tabs. A person presses P; what is timed is the request, from the moment that the page makes it (so with its wait for one
// of the browser's six connections) to its answer.
import { awake, launch, newPage, signIn } from '../../support/browser.mjs';
import { ask } from '../requests.mjs';
import { Tally } from '../statistics.mjs';
import { Studio, chill } from '../studio.mjs';

export const title = 'approve in Chromium';
const READY = 120_000;

export async function storm(run) {
  const studio = await Studio.serve(run.data);
  // What the support of the browser tests asks of a test: to be told when it is over.
  const cleaning = [];
  const t = { after: (clean) => cleaning.push(clean) };
  let measured;
  try {
    const browser = await launch(t);
    const page = await newPage(t, browser, studio);
    await signIn(page);
    measured = await measure(run, studio, page, await page.context().newPage());
  } finally {
    for (const clean of cleaning) await clean();
  }
  const { idle, busy, held, rounds } = measured;
  run.expect(title, await studio.watch.settled(), 'slots and descriptors are back');
  for (const tally of [idle, busy]) {
    run.expect(title, tally.unexpected(200).length === 0, `every approval is answered 200: ${tally}`);
  }
  run.row(`${title}, all tiles loaded`, idle, {}, 'from the page asking to the answer');
  run.row(`${title}, 300 cold tiles loading`, busy, await studio.watch.leftOf(held), `${rounds} × 300 tiles in two tabs`);
  const ratio = busy.p(0.99) / idle.p(0.99);
  const figure = `${ratio.toFixed(1)} ×, ${run.ms(busy.p(0.99))}`;
  run.figure('approve p99 while 300 cold tiles load', '≤ 3 × idle and ≤ 300 ms', figure, ratio <= 3 && busy.p(0.99) <= 300);
  await studio.stop();
}

async function measure(run, studio, page, other) {
  const [first, second] = studio.batches;
  const wanted = run.quick ? 20 : 200;
  await undecide(studio, first);
  await open(page, first);
  await everything(page);
  await loaded(page);
  const idle = new Tally();
  await approve(page, idle, { atMost: Math.min(wanted, 140) });

  const busy = new Tally();
  let held;
  let rounds = 0;
  for (const deadline = Date.now() + 75_000; busy.total < wanted && Date.now() < deadline; rounds += 1) {
    await undecide(studio, first);
    // Nothing of the last round may come in between.
    await Promise.all([page.goto('about:blank'), other.goto('about:blank')]);
    await studio.watch.until(({ slots, waiting }) => slots === 0 && waiting === 0);
    await chill(run.data);
    studio.watch.lap();
    await Promise.all([open(page, first), other.goto(`/batches/${second.id}`, { waitUntil: 'domcontentloaded' })]);
    await Promise.all([everything(page), everything(other)]);
    const until = async () => (await missing(page)) + (await missing(other)) === 0;
    await approve(page, busy, { atMost: run.quick ? 30 : 140, until });
    await Promise.all([loaded(page), loaded(other)]);
    const tiles = (await shown(page)) + (await shown(other));
    run.expect(title, tiles === 300, `all 300 tiles are there in the end: ${tiles}`);
    held = await studio.watch.held();
  }
  return { idle, busy, held, rounds };
}

/** Opens a batch and waits until it answers to keys. */
async function open(page, batch) {
  await page.goto(`/batches/${batch.id}`, { waitUntil: 'domcontentloaded', timeout: READY });
  await awake(page);
  await page.evaluate(() => performance.setResourceTimingBufferSize(100_000));
}

/** Has every tile wanted: a window so high that none is far from it. */
const everything = (page) => page.setViewportSize({ width: 1280, height: 3600 });

const missing = (page) =>
  page.evaluate(() => document.querySelectorAll('.tile .picture:not([data-stage="loaded"])').length);

const shown = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.tile img')].filter((image) => image.naturalWidth > 0).length);

const loaded = (page) =>
  page.waitForFunction(() => !document.querySelector('.tile .picture:not([data-stage="loaded"])'), undefined, {
    timeout: READY,
  });

/** Presses P again and again, each time until the answer has come, and collects how long each took. */
async function approve(page, tally, { atMost, until = async () => false }) {
  for (let count = 0; count < atMost && !(await until()); count += 1) {
    const known = (await page.evaluate(decided)).length;
    await page.keyboard.press('p');
    const more = (known) =>
      performance.getEntriesByType('resource').filter(({ name }) => name.includes('/actions/decide')).length > known;
    await page.waitForFunction(more, known, { timeout: READY, polling: 10 });
    (await page.evaluate(decided)).slice(known).forEach((answer) => tally.add(answer));
  }
}

/** In the page: the decisions that it has sent and that have been answered. */
function decided() {
  const entries = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/actions/decide'));
  return entries.map(({ duration, responseStatus }) => ({ ms: duration, status: responseStatus }));
}

/** Everything in the batch waits for a decision again. */
async function undecide(studio, batch) {
  const { assets } = await studio.json(`/api/batches/${batch.id}/assets?kind=candidate&limit=1000`);
  const json = { decision: 'undecided', assets: assets.map(({ id, version }) => ({ id, version })) };
  const url = `${studio.url}/api/batches/${batch.id}/decisions`;
  const { status, failure } = await ask(url, { method: 'POST', cookie: studio.cookie, json });
  if (status !== 200) throw new Error(`undeciding a batch was answered ${status ?? failure}`);
}
