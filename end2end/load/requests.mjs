// Clients: one that takes all it is given, and several that do not. All over real sockets.
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';

/** Connections that are kept, as many as there are requests at once. */
export const keeping = (maxSockets = Infinity) => new http.Agent({ keepAlive: true, maxSockets });

/**
 * One request to its last byte. Never throws: a failure is an answer, too.
 * @param {URL | string} url
 * @param {{ agent?: http.Agent, cookie?: string, method?: string, headers?: object, json?: unknown, keep?: boolean,
 *   patience?: number, abort?: 'headers' | 'body' | number }} [options] `abort`: the client goes away then, or after so
 *   many milliseconds; `patience`: it gives up after so many; `keep`: the answer's body is wanted
 * @returns {Promise<{ status?: number, failure?: string, ms: number, bytes: number, retryAfter?: string, text?: string,
 *   headers?: object }>}
 */
export function ask(url, { agent = false, cookie, method = 'GET', headers = {}, json, keep, patience, abort } = {}) {
  const began = performance.now();
  return new Promise((resolve) => {
    const content = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const request = http.request(url, {
      agent,
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
        ...headers,
      },
    });
    let settled = false;
    const timers = [];
    const settle = (answer) => {
      if (settled) return;
      settled = true;
      timers.forEach(clearTimeout);
      resolve({ bytes: 0, ...answer, ms: performance.now() - began });
    };
    const leave = (failure) => {
      settle({ failure });
      request.destroy();
    };
    if (patience) timers.push(setTimeout(leave, patience, 'gave up'));
    if (typeof abort === 'number') timers.push(setTimeout(leave, abort, 'aborted'));
    request.on('error', (error) => settle({ failure: error.code ?? error.message }));
    request.on('response', (response) => {
      if (abort === 'headers') return leave('aborted');
      let bytes = 0;
      const parts = [];
      response.on('data', (part) => {
        bytes += part.length;
        if (keep) parts.push(part);
        if (abort === 'body') leave('aborted');
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
      response.on('error', (error) => settle({ failure: error.code ?? 'broken off' }));
      response.on('close', () => settle({ failure: 'broken off' }));
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
export function stall(server, path, cookie, within = 60_000) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: server.host, port: server.port, highWaterMark: 1024 });
    const late = setTimeout(() => fail(new Error(`no byte of ${path} in ${within} ms`)), within);
    const fail = (error) => {
      clearTimeout(late);
      socket.destroy();
      reject(error);
    };
    socket.on('error', fail);
    socket.on('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: studio\r\ncookie: ${cookie}\r\n\r\n`));
    socket.once('readable', () => {
      clearTimeout(late);
      const start = socket.read(1024) ?? socket.read();
      resolve({ status: Number(String(start).match(/^HTTP\/1\.1 (\d+)/)?.[1]), close: () => socket.destroy() });
    });
  });
}

/** An HTTP/2 connection whose streams have a window of one KiB: a body goes on only as its reader takes it. */
export function narrow(server) {
  const session = http2.connect(server.url, { settings: { initialWindowSize: 1024 } });
  // The server may end it: that is what some storms wait for.
  session.on('error', () => {});
  return session;
}

/** The same as `stall`, in HTTP/2: the window of the stream is used up and never opened. */
export function stallStream(session, path, cookie, within = 60_000) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, cookie });
    const late = setTimeout(reject, within, new Error(`no header of ${path} in ${within} ms`));
    const failed = (error) => {
      clearTimeout(late);
      reject(error);
    };
    stream.on('error', failed);
    stream.on('response', (headers) => {
      clearTimeout(late);
      resolve({ status: headers[':status'], close: () => stream.close(http2.constants.NGHTTP2_CANCEL) });
    });
  });
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
