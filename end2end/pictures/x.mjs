import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { work } from './support/programs.mjs';
import { quality, SIDES } from './measure/quality.mjs';
const inputs = join(work, 'inputs'), drawings = join(work, 'drawings');
const of = (folder, pattern) => readdirSync(folder).filter((name) => pattern.test(name)).map((name) => join(folder, name));
const rows = [['J12',of(inputs,/-12mp\.jpg$/)],['P12',of(inputs,/-12mp-progressive\.jpg$/)],['J24',of(inputs,/-24mp\.jpg$/)],['PNG1',of(inputs,/-1024\.png$/)],['PNG2',of(inputs,/-2048\.png$/)],['W1',of(inputs,/-1024\.webp$/)],['dP',of(drawings,/\.png$/)],['dJ',of(drawings,/\.jpg$/)],['dW',of(drawings,/\.webp$/)]];
for (const [t,f] of rows) { const q=await quality(f); console.log(t, SIDES.map(s=>`${s} ${q[s].seen.toFixed(2)} ${q[s].bytes}`).join(' | '), (q.ours.seen-q.sharp.seen).toFixed(2), (q.ours.bytes/q.sharp.bytes).toFixed(3)); }
