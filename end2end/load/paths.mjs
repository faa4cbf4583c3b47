// Where things are in the checkout.
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
const target = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');

/** The program under load: the release build. */
export const avatars = process.env.AVATARS_BIN ?? path.join(target, 'release/avatars');
/** The experiment, see `experiment.mjs`. */
export const example = process.env.LIMITED_DOWNLOADS_BIN ?? path.join(target, 'debug/examples/limited_downloads');
/** What a run leaves behind while it lasts, and the demo that later runs use again. */
export const scratch = path.join(target, 'load');
export const benchmarks = path.join(root, 'docs/benchmarks.md');
export const here = import.meta.dirname;
