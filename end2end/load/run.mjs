// The load harness: storms against the release program, each in turn, and one table of what they did to it.
//
//   node end2end/load/run.mjs [--quick] [--write] [WORD...]
//
// `--quick`: small numbers, under a minute. `--write`: the figures go into docs/benchmarks.md. WORD: only storms with one of
// the words in their title. Ends with 1 where something that must hold did not; a figure that is missed is only told.
import { rm, stat } from 'node:fs/promises';

import { conditions } from '../support/docs.mjs';
import { killAll } from './children.mjs';
import * as cold from './compare/cold.mjs';
import * as warm from './compare/warm.mjs';
import { avatars, benchmarks, example } from './paths.mjs';
import { Report } from './report.mjs';
import * as aborted from './storms/aborted.mjs';
import * as approve from './storms/approve.mjs';
import * as coldStorm from './storms/cold.mjs';
import * as experiment from './storms/experiment.mjs';
import * as full from './storms/full.mjs';
import * as intake from './storms/intake.mjs';
import * as overload from './storms/overload.mjs';
import * as stalled from './storms/stalled.mjs';
import * as waiting from './storms/waiting.mjs';
import { studioFolder, version } from './studio.mjs';

// Those that need rendered thumbnails come before those that remove them; what adds pictures comes last.
const storms = [coldStorm, aborted, stalled, full, waiting, warm, experiment, overload, cold, approve, intake];

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const chosen = words.filter((word) => !word.startsWith('--'));
/** Whatever happens, a run ends. */
const LONGEST = (quick ? 4 : 15) * 60_000;

const report = new Report();
let folder;

// A child is killed by its signal or with this process; the folder goes, too.
const end = async (code) => {
  killAll();
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));
const deadline = AbortSignal.timeout(LONGEST);
deadline.addEventListener('abort', () => {
  console.error('the run took too long and was ended');
  void end(1);
});

for (const program of [avatars, example]) {
  await stat(program).catch(() => {
    console.error(`there is no ${program}: run \`make load\`, which builds it`);
    process.exit(2);
  });
}

try {
  console.log('preparing the data folder');
  const place = await studioFolder();
  folder = place.folder;
  const run = Object.assign(report, place, { quick });
  for (const { title, storm } of storms) {
    if (chosen.length > 0 && !chosen.some((word) => title.includes(word))) continue;
    const began = performance.now();
    console.log(`\n${title}`);
    try {
      await storm(run);
    } catch (error) {
      report.expect(title, false, error.stack ?? String(error));
      killAll();
    }
    console.log(`  (${((performance.now() - began) / 1000).toFixed(0)} s)`);
  }
  console.log(`\n${report}\n`);
  const whole = chosen.length === 0 && !quick;
  if (words.includes('--write') && whole) {
    await report.write(benchmarks, `${conditions(version())} Clients, peers and the server share the cores.`);
    console.log(`written into ${benchmarks}`);
  }
  for (const failure of report.failures) console.error(`NOT SO: ${failure}`);
  console.log(`${report.checks - report.failures.length} passed, ${report.failures.length} failed`);
} catch (error) {
  console.error(error);
  await end(1);
}
await end(report.failures.length === 0 ? 0 : 1);
