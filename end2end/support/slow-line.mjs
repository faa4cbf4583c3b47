// A line on which a page arrives in pieces.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { later } from './later.mjs';

/** Long enough for the browser to paint what has arrived. */
const PAUSE_MS = 40;

/**
 * Stands before the server and passes everything on; pages with a pause behind each end of an element in the parts that
 * `parts` matches. Answers its address, as a server has it.
 */
export async function inPieces(t, server, parts) {
  const line = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const passed = request(`${server.url}${incoming.url}`, { method: incoming.method, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      if (!answer.headers['content-type']?.startsWith('text/html')) return answer.pipe(outgoing);
      const page = (await answer.setEncoding('utf8').toArray()).join('');
      const pieces = page.replace(parts, (part) => part.replace(/<\/\w+>/g, '$&\0')).split('\0');
      for (const piece of pieces) {
        outgoing.write(piece);
        await sleep(PAUSE_MS);
      }
      outgoing.end();
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  later(t, () => {
    line.closeAllConnections();
    line.close();
  });
  return { ...server, url: `http://127.0.0.1:${line.address().port}` };
}
