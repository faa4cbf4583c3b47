// A real clamd with signatures written by hand: the official ones cannot be had where tests run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { later } from './later.mjs';
import { emptyFolder } from './server.mjs';

/** Whatever holds this is infected. */
export const mark = 'this is where a worm would be';

const program = ['/usr/sbin/clamd', '/usr/bin/clamd', '/usr/local/sbin/clamd'].find((file) => existsSync(file));
/** Whether there is one on this machine. */
export const hasClamd = program !== undefined;

const hex = (text) => Buffer.from(text, 'latin1').toString('hex');

/** Starts clamd, with these lines in its configuration; it ends with the test. Sockets have short paths. */
export async function startClamd(t, settings = '') {
  const folder = await emptyFolder(t);
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
  await writeFile(path.join(folder, 'test.ndb'), `Eicar-Test:0:0:${hex(eicar)}\nAvatars.Test:0:*:${hex(mark)}\n`);
  const socket = `/tmp/avatars-clamd-${process.pid}-${path.basename(folder)}`;
  await writeFile(
    path.join(folder, 'clamd.conf'),
    `LocalSocket ${socket}\nDatabaseDirectory ${folder}\nTemporaryDirectory ${folder}\n${settings}\n`,
  );
  let child;
  const stop = async () => {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    child = undefined;
  };
  const start = async () => {
    child = spawn(program, ['--foreground', `--config-file=${path.join(folder, 'clamd.conf')}`], { stdio: 'ignore' });
    for (const deadline = Date.now() + 60_000; !(await answers(socket)); await sleep(50)) {
      if (Date.now() > deadline) throw new Error('clamd did not start in a minute');
    }
  };
  later(t, stop);
  await start();
  return { env: { AVATARS_SCAN: 'clamd', AVATARS_CLAMD: `unix://${socket}` }, start, stop };
}

function answers(socket) {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.on('connect', () => resolve(true)).on('error', () => resolve(false));
    probe.on('connect', () => probe.destroy());
  });
}
