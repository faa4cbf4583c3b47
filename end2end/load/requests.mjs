// Clients: one that takes all it is given, and several that do not. All over real sockets.
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';

/** Connections that are kept, as many as there are requests at once. */
export const keeping = (maxSockets = Infinity) => new http.Agent({ keepAlive: true, maxSockets });

/**
 * One request to its last byte. Never throws: a failure is an answer, too.
 * @param {URL | string} url
 * @param {{ agent?: http.Agent, cookie?: string, method?: string, headers?: object, json?: unknown, keep?: boolean,
 *   patience?: number, abort?: boolean }} [options] `abort`: the client goes away at the first byte of the body;
 *   `patience`: it gives up after so many milliseconds; `keep`: the answer's body is wanted
 * @returns {Promise<{ status?: number, failure?: string, ms: number, bytes: number, retryAfter?: string, text?: string,
 *   headers?: object }>}
 */
export function ask(url, { agent = false, cookie, method = 'GET', headers = {}, json, keep, patience, abort } = {}) {
  const began = performance.now();
  return new Promise((resolve) => {
    const content = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const signal = patience ? AbortSignal.timeout(patience) : undefined;
    const request = http.request(url, {
      agent,
      method,
      signal,
      headers: {
        ...(cookie && { cookie }),
        ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
        ...headers,
      },
    });
    let settled = false;
    const settle = (answer) => {
      if (settled) return;
      settled = true;
      resolve({ bytes: 0, ...answer, ms: performance.now() - began });
    };
    const failed = (failure) => settle({ failure: signal?.aborted ? 'gave up' : failure });
    request.on('error', (error) => failed(error.code ?? error.message));
    request.on('response', (response) => {
      let bytes = 0;
      const parts = [];
      response.on('data', (part) => {
        bytes += part.length;
        if (keep) parts.push(part);
        if (!abort) return;
        settle({ failure: 'aborted' });
        request.destroy();
      });
      response.on('end', () => {
        const expected = response.headers['content-length'];
        if (method !== 'HEAD' && expected !== undefined && Number(expected) !== bytes) settle({ failure: 'cut short' });
        settle({
          status: response.statusCode,
          bytes,
          retryAfter: response.headers['retry-after'],
          headers: response.headers,
          text: keep ? Buffer.concat(parts).toString('utf8') : undefined,
        });
      });
      response.on('error', (error) => failed(error.code ?? 'broken off'));
      response.on('close', () => failed('broken off'));
    });
    request.end(content);
  });
}

/** Runs `work` on each item, so many at once. */
export async function each(items, atOnce, work) {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/**
 * Asks in HTTP/1.1, takes the first KiB of the answer and then no more, its socket open. Answers when that KiB is there.
 */
export async function stall(server, path, cookie, within = 60_000) {
  const socket = net.connect({ host: server.host, port: server.port, highWaterMark: 1024 });
  // Once it stalls the server may end it: that is what some storms wait for.
  socket.on('error', () => {});
  socket.on('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: studio\r\ncookie: ${cookie}\r\n\r\n`));
  try {
    await once(socket, 'readable', { signal: AbortSignal.timeout(within) });
  } catch (cause) {
    socket.destroy();
    throw new Error(`no byte of ${path} in ${within} ms`, { cause });
  }
  const start = socket.read(1024) ?? socket.read();
  return { status: Number(String(start).match(/^HTTP\/1\.1 (\d+)/)?.[1]), close: () => socket.destroy() };
}

/** An HTTP/2 connection whose streams have a window of one KiB: a body goes on only as its reader takes it. */
export function narrow(server) {
  const session = http2.connect(server.url, { settings: { initialWindowSize: 1024 } });
  // The server may end it: that is what some storms wait for.
  session.on('error', () => {});
  return session;
}

/** The same as `stall`, in HTTP/2: the window of the stream is used up and never opened. */
export async function stallStream(session, path, cookie, within = 60_000) {
  const stream = session.request({ ':path': path, cookie });
  stream.on('error', () => {});
  try {
    const [headers] = await once(stream, 'response', { signal: AbortSignal.timeout(within) });
    return { status: headers[':status'], close: () => stream.close(http2.constants.NGHTTP2_CANCEL) };
  } catch (cause) {
    throw new Error(`no header of ${path} in ${within} ms`, { cause });
  }
}

/** One request in HTTP/2, to its last byte or until the first byte of its body. */
export function askStream(session, path, cookie, { abort = false } = {}) {
  const began = performance.now();
  return new Promise((resolve) => {
    const stream = session.request({ ':path': path, cookie });
    let headers;
    let bytes = 0;
    const settle = (answer) => resolve({ bytes, ...answer, ms: performance.now() - began });
    stream.on('response', (came) => (headers = came));
    stream.on('data', (part) => {
      bytes += part.length;
      if (!abort) return;
      settle({ failure: 'aborted' });
      stream.close(http2.constants.NGHTTP2_CANCEL);
    });
    stream.on('end', () => settle({ status: headers?.[':status'], retryAfter: headers?.['retry-after'] }));
    stream.on('error', (error) => settle({ failure: error.code ?? error.message }));
    stream.on('close', () => settle({ failure: 'broken off' }));
  });
}
