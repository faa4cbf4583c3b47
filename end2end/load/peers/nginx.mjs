// The peer for warm thumbnails: nginx, which sends the same files and asks this studio's decision route for each.
import { link, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { soon, start } from '../children.mjs';
import { thumbnailFiles } from '../studio.mjs';

/** Starts nginx on the thumbnails that the studio has rendered. Its files lie in `folder`, which the caller removes. */
export async function serveByNginx(studio, folder) {
  const place = await mkdtemp(path.join(folder, 'nginx-'));
  const thumbnails = path.join(place, 'thumbnails');
  await mkdir(thumbnails);
  const files = await thumbnailFiles(studio.data);
  for (const { id, sha256 } of studio.assets) await link(files.get(sha256), path.join(thumbnails, `${id}.webp`));
  const port = await freePort();
  await writeFile(path.join(place, 'nginx.conf'), configuration({ place, thumbnails, port, studio }));
  const program = start(['nginx', '-p', place, '-c', path.join(place, 'nginx.conf'), '-e', 'stderr']);
  await listening(program, port);
  return { program, pid: program.pid, url: `http://127.0.0.1:${port}` };
}

// As one would set it up for speed: a process for each core, kept connections on both sides, files kept open.
const configuration = ({ place, thumbnails, port, studio }) => `
daemon off;
${process.getuid() === 0 ? 'user root;' : ''}
worker_processes auto;
pid ${place}/nginx.pid;
error_log stderr warn;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=2000 inactive=60s;
  types { image/webp webp; }
  client_body_temp_path ${place}/body;
  proxy_temp_path ${place}/proxy;
  fastcgi_temp_path ${place}/fastcgi;
  uwsgi_temp_path ${place}/uwsgi;
  scgi_temp_path ${place}/scgi;
  upstream decision {
    server 127.0.0.1:${studio.port};
    keepalive 256;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location ~ ^/api/assets/(?<asset>[^/]+)/thumbnail$ {
      auth_request /decision;
      alias ${thumbnails}/$asset.webp;
      add_header Cache-Control "private, no-store";
      add_header X-Content-Type-Options nosniff;
    }
    location = /decision {
      internal;
      proxy_pass http://decision/api/authorize;
      proxy_http_version 1.1;
      proxy_pass_request_body off;
      proxy_set_header Connection "";
      proxy_set_header Content-Length "";
      proxy_set_header X-Original-URI $request_uri;
      proxy_set_header X-Original-Method $request_method;
    }
  }
}
`;

async function listening(program, port) {
  let over;
  program.ended.then((how) => (over = how));
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    const socket = connect(port, '127.0.0.1');
    const reached = await soon(socket, 'connect').then(() => true, () => false);
    socket.destroy();
    if (reached) return;
    if (over !== undefined || Date.now() > deadline) throw new Error(`nginx does not listen (${over}):\n${program.log}`);
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await soon(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await soon(probe, 'close');
  return port;
}
