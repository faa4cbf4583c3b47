// Figures in the documentation: tables, under which conditions they were measured, and where they are put.
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';

/** Cells may hold anything; rows are as wide as they have to be. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [first, ...others] = cells.map(line);
  return [first, line(widths.map((width) => '-'.repeat(width))), ...others].join('\n');
}

/** Day, programs and machine, as one sentence. */
export function conditions(...programs) {
  const cpu = os.cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${(os.totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${os.cpus().length} cores (${cpu}), ${memory}, ${os.type()} ${os.release()}`;
  const load = os.loadavg()[0].toFixed(1);
  return `${[day, ...programs, machine].join(', ')}, Node.js ${process.versions.node}; load average at the end ${load}.`;
}

/** Puts `text` between the two marks that `what` has in a document. */
export async function put(file, what, text) {
  const whole = await readFile(file, 'utf8');
  const [begin, end] = [new RegExp(`<!-- ${what}: written by [a-z ]+ -->`), `<!-- end of ${what} -->`];
  const mark = whole.match(begin)?.[0];
  const [before, rest] = whole.split(mark ?? '\0');
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${file} has no place for the ${what}`);
  await writeFile(file, `${before}${mark}\n\n${text}\n\n${end}${after}`);
}
