// Writes the corpus: node corpus.mjs FOLDER
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cases, refusals } from "./corpus/cases.mjs";

const folder = process.argv[2];
if (!folder) throw new Error("usage: node corpus.mjs FOLDER");
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
writeFileSync(join(folder, "refused.tsv"), refused.join(""));
console.log(`${files} files, ${Math.round(bytes / 1024)} KiB`);
