// A line on which a page arrives in pieces.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { later } from './later.mjs';

/** Long enough for the browser to paint what has arrived. */
const PAUSE_MS = 40;

/**
 * Stands before the server and passes everything on; pages with a pause behind each end of an element in the parts that one
 * of the patterns `parts` matches. Answers the server with the address of the line, and `cut`: the patterns that were found.
 */
export async function inPieces(t, server, parts) {
  const cut = new Set();
  const pieces = (page) => {
    const marked = parts.reduce(
      (page, part) =>
        page.replace(part, (found) => {
          cut.add(part);
          return found.replace(/<\/\w+>/g, '$&\0');
        }),
      page,
    );
    return marked.split('\0');
  };
  const pass = async (answer, outgoing) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    if (!answer.headers['content-type']?.startsWith('text/html')) return pipeline(answer, outgoing);
    const page = (await answer.setEncoding('utf8').toArray()).join('');
    for (const piece of pieces(page)) {
      outgoing.write(piece);
      await sleep(PAUSE_MS);
    }
    outgoing.end();
  };
  const line = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const passed = request(`${server.url}${incoming.url}`, { method: incoming.method, headers });
    // Whoever leaves on one side is left on the other.
    passed.on('response', (answer) => pass(answer, outgoing).catch(() => outgoing.destroy()));
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  later(t, () => {
    line.closeAllConnections();
    line.close();
  });
  return { ...server, url: `http://127.0.0.1:${line.address().port}`, cut };
}
