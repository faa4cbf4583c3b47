// Clients that leave in the middle of a body, again and again, on few open files. In HTTP/1.1 the socket is destroyed at
// the body's first byte; since a thumbnail fits into the socket's buffers, every other round uses HTTP/2 with a window of
// one KiB, where the server cannot have sent more when the client resets the stream.
import { Studio } from '../studio.mjs';
import { ask, askStream, narrow } from '../requests.mjs';
import { Tally } from '../statistics.mjs';

export const title = '300 tiles aborted mid-body, round after round';
const STREAMS = 75;

export async function storm(run) {
  const studio = await Studio.serve(run.data, { cold: true, openFiles: 256 });
  const tally = new Tally();
  const rounds = run.quick ? 2 : 10;
  let settled = 0;
  for (let round = 0; round < rounds; round += 1) {
    await (round % 2 === 0 ? overSockets(studio, tally) : overStreams(studio, tally));
    if (await studio.watch.settled()) settled += 1;
  }
  // Whoever comes after them is served.
  const after = await ask(studio.thumbnail(studio.assets[0]), { cookie: studio.cookie });
  await studio.watch.settled();
  run.expect(title, settled === rounds, `slots and descriptors are back after each of ${rounds} rounds: ${settled}`);
  run.expect(title, tally.unexpected('aborted').length === 0, `every tile was begun and aborted: ${tally}`);
  run.expect(title, after.status === 200, `the next client is served: ${after.status ?? after.failure}`);
  const note = `${settled} of ${rounds} rounds gave everything back; 256 open files allowed`;
  run.row(title, tally, await studio.watch.held(), note);
  await studio.stop();
}

const overSockets = (studio, tally) =>
  Promise.all(
    studio.assets.map(async (asset) => {
      tally.add(await ask(studio.thumbnail(asset), { cookie: studio.cookie, abort: true }));
    }),
  );

async function overStreams(studio, tally) {
  const sessions = [];
  const asked = studio.assets.map(async (asset, index) => {
    if (index % STREAMS === 0) sessions.push(narrow(studio));
    const path = new URL(studio.thumbnail(asset)).pathname;
    tally.add(await askStream(sessions.at(-1), path, studio.cookie, { abort: true }));
  });
  await Promise.all(asked);
  sessions.forEach((session) => session.destroy());
}
