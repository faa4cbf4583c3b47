// A hundred readers take one KiB of a large original and then nothing, their connections open: half of them in HTTP/1.1,
// half in HTTP/2 with a closed window. Each holds a slot and a file until the write-idle limit ends it.
import { Studio } from '../studio.mjs';
import { narrow, stall, stallStream } from '../requests.mjs';
import { Tally } from '../statistics.mjs';

export const title = '100 stalled readers';
/** Originals may hold all slots but a quarter. */
const SLOTS = 136;

export async function storm(run) {
  const idle = run.quick ? 2 : 5;
  const settings = { AVATARS_MEDIA_CONCURRENCY: String(SLOTS), AVATARS_WRITE_IDLE: `${idle}s` };
  const studio = await Studio.serve(run.data, { settings });
  const path = `/api/assets/${studio.large.id}/file`;
  const tally = new Tally();
  const sessions = Array.from({ length: 50 }, () => narrow(studio));
  const readers = await Promise.all([
    ...sessions.map((session) => stallStream(session, path, studio.cookie)),
    ...Array.from({ length: 50 }, () => stall(studio, path, studio.cookie)),
  ]);
  const stalled = performance.now();
  for (const { status } of readers) tally.add({ status, ms: 0 });
  const held = await studio.watch.look();
  const back = await studio.watch.settled();
  const seconds = (performance.now() - stalled) / 1000;
  run.expect(title, tally.unexpected(200).length === 0, `every reader was served: ${tally}`);
  run.expect(title, held.slots === 100, `all hundred hold a slot: ${held.slots}`);
  run.expect(title, back, 'slots and descriptors are back');
  const { peak } = studio.watch;
  const note = `${held.slots} slots, ${peak.descriptors - studio.watch.descriptorsBefore} descriptors; given back ${seconds.toFixed(2)} s after the last had stalled, write-idle ${idle} s`;
  tally.times = [];
  run.row(title, tally, await studio.watch.held(), note);
  run.figure('stalled readers give slots and files back', `≤ ${idle + 1} s`, `${seconds.toFixed(2)} s`, back && seconds <= idle + 1);
  readers.forEach((reader) => reader.close());
  sessions.forEach((session) => session.destroy());
  await studio.stop();
}
