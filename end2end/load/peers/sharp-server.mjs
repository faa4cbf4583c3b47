// The peer for cold thumbnails: as a Node developer would write it in an afternoon. No session, no authorization, no cache:
// each request is one pipeline of sharp, which brings libvips and its own threads.
//
//   node sharp-server.mjs PATHS.json EFFORT     PATHS.json: { "<asset id>": "<file of the original>" }
import { readFileSync } from 'node:fs';
import http from 'node:http';

import sharp from 'sharp';

const [, , paths, effort] = process.argv;
const originals = JSON.parse(readFileSync(paths, 'utf8'));
// Asked twice, a picture is made twice: what is measured is making it.
sharp.cache(false);

const server = http.createServer(async (request, response) => {
  const id = request.url.match(/^\/api\/assets\/([^/]+)\/thumbnail$/)?.[1];
  const original = id && originals[id];
  if (!original) return response.writeHead(404).end();
  try {
    const thumbnail = await sharp(original)
      .autoOrient()
      .resize(440, 440, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, effort: Number(effort) })
      .toBuffer();
    response.writeHead(200, { 'content-type': 'image/webp', 'content-length': thumbnail.length }).end(thumbnail);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
