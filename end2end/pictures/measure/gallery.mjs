// Three hundred cold tiles at once, round after round: how long they take, and what the process holds meanwhile.
import { ours, theirs } from '../support/programs.mjs';
import { cores, single, wide } from './speed.mjs';

const TILES = 300;
/** MiB, the least that a studio takes by itself. */
export const BUDGET = 256;

const rounds = (lines) =>
  lines.map((line) => {
    const [seconds, peak, left] = line.split('\t').map(Number);
    return { seconds, peak, left };
  });

/**
 * What `files` come to, one after the other until there are enough tiles.
 * @returns seconds that the renders take by themselves on all cores, and for both sides each round's seconds, highest
 *   resident memory and what was left a second later, in MiB
 */
export async function gallery(files, count, seconds) {
  const tiles = Array.from({ length: TILES }, (_, index) => files[index % files.length]);
  return {
    alone: TILES / (await single(files, seconds)) / cores,
    ours: rounds(await ours(['gallery', String(BUDGET), String(count), ...tiles])),
    sharp: rounds(await theirs(['gallery', String(cores), String(count), ...tiles], wide(cores))),
  };
}
