// Writes the corpus that the tests of the engine read, or into another folder: node corpus.mjs [FOLDER]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cases } from './corpus/cases.mjs';
import { refusals } from './corpus/refusals.mjs';
import { corpus } from './support/programs.mjs';

const folder = process.argv[2] ?? join(corpus, 'files');
let [files, bytes] = [0, 0];
const write = (name, content) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
  files += 1;
  bytes += content.length;
};
for await (const [name, content] of cases()) write(name, content);
const refused = [];
for await (const [name, content, reason] of refusals()) {
  write(name, content);
  refused.push(`${name}\t${reason}\n`);
}
writeFileSync(join(folder, 'refused.tsv'), refused.join(''));
console.log(`${files} files, ${Math.round(bytes / 1024)} KiB`);
