// Where things are in the checkout.
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const target = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');

/** The program under test: the debug build, which reads target/site as it runs. */
export const avatars = process.env.AVATARS_BIN ?? path.join(target, 'debug/avatars');
/** What tests leave behind while they run, below the target folder so that `cargo clean` takes it. */
export const scratch = path.join(target, 'end2end');
export const screenshots = path.join(target, 'screenshots');
export const docs = path.join(root, 'docs');

export function chromium() {
  const known = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = process.env.CHROMIUM ?? known.find((file) => existsSync(file));
  if (!found) throw new Error('there is no Chromium: run scripts/setup test, or name one in CHROMIUM');
  return found;
}
