// What a run has found, as one table for people and for docs/benchmarks.md.
import { put, table } from '../support/docs.mjs';

export class Report {
  rows = [];
  figures = [];
  /** What must hold and did not. */
  failures = [];
  checks = 0;

  /** Must hold, however fast the machine is. */
  expect(title, holds, what) {
    this.checks += 1;
    if (holds) return;
    this.failures.push(`${title}: ${what}`);
    console.error(`  NOT SO: ${what}`);
  }

  /**
   * A row of the table.
   * @param {string} what
   * @param {import('./statistics.mjs').Tally} tally
   * @param {{ slots?: object, waiting?: number, descriptors?: object, memory?: number }} held
   */
  row(what, tally, { slots, waiting, descriptors, memory }, note) {
    const queue = waiting ? ` (+ ${waiting} waiting)` : '';
    const row = [
      what,
      tally.toString(),
      this.ms(tally.p(0.5)),
      this.ms(tally.p(0.99)),
      slots ? `${slots.peak}${queue} → ${slots.after}` : '',
      descriptors ? `${descriptors.before}, ${descriptors.peak} → ${descriptors.after}` : '',
      memory ? `${(memory / 2 ** 20).toFixed(0)} MiB` : '',
      note,
    ];
    this.rows.push(row);
    console.log(`  ${row.filter(Boolean).join(' · ')}`);
  }

  /** A figure that the project set itself; `reached` is left out where none was set. */
  figure(what, wanted, measured, reached) {
    this.figures.push([what, wanted, measured, reached === undefined ? '' : reached ? 'reached' : '**missed**']);
  }

  ms(milliseconds) {
    if (milliseconds === undefined) return '';
    return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${milliseconds.toFixed(0)} ms`;
  }

  toString() {
    const storms = table(
      ['storm', 'answers', 'p50', 'p99', 'slots: peak → after', 'descriptors: before, peak → after', 'peak memory', ''],
      this.rows,
    );
    return `${storms}\n\n${table(['figure', 'wanted', 'measured', ''], this.figures)}`;
  }

  /** Puts the tables between their two marks in the documentation. */
  async write(file, conditions) {
    await put(file, 'figures', `${conditions}\n\n${this}`);
  }
}
