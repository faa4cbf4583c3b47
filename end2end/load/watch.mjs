// Looks at a server again and again, and remembers the most that it held.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { forgetPeak, memory, openFiles } from './proc.mjs';
import { ask } from './requests.mjs';

const EVERY = 50;

export class Watch {
  static async start(server) {
    const watch = new Watch();
    Object.assign(watch, { server, agent: new http.Agent({ keepAlive: true, maxSockets: 1 }), running: true });
    await watch.look();
    // What there is when nobody asks for anything: the watch's own connection is a part of it.
    watch.descriptorsBefore = await watch.steady();
    watch.lap();
    watch.loop = watch.run();
    return watch;
  }

  /** Descriptors once they have stopped falling: connections of the preparation close a moment later. */
  async steady() {
    let least = Infinity;
    for (let same = 0; same < 5; ) {
      const now = openFiles(this.server.pid);
      same = now < least ? 0 : same + 1;
      least = Math.min(least, now);
      await sleep(50);
    }
    return least;
  }

  /** Forgets the peaks so far. */
  lap() {
    this.peak = { slots: 0, heavy: 0, waiting: 0, descriptors: 0 };
    forgetPeak(this.server.pid);
  }

  async run() {
    while (this.running) {
      await this.look().catch(() => {});
      await sleep(EVERY);
    }
  }

  /** The figures of the server as they stand now. */
  async look() {
    const { status, failure, text } = await ask(`${this.server.url}/metrics`, { agent: this.agent, keep: true });
    if (status !== 200) throw new Error(`/metrics was answered ${status ?? failure}`);
    const figure = (name) => Number(text.match(new RegExp(`^avatars_${name} (\\S+)`, 'm'))?.[1] ?? NaN);
    const now = {
      slots: figure('media_slots_in_use'),
      heavy: figure('media_slots_in_use_by_originals'),
      waiting: figure('media_slots_waiting'),
      // As the kernel counts them; the server's own count is in its metrics, too.
      descriptors: openFiles(this.server.pid),
    };
    if (this.peak) for (const name of Object.keys(now)) this.peak[name] = Math.max(this.peak[name], now[name]);
    return now;
  }

  /** Waits until the server's figures are as `wanted` says; false if they never are. */
  async until(wanted, within = 30_000) {
    for (const deadline = performance.now() + within; ; await sleep(20)) {
      if (wanted(await this.look())) return true;
      if (performance.now() > deadline) return false;
    }
  }

  /** Waits until slots and descriptors are back where they were before the storm. */
  settled(within = 30_000) {
    return this.until(({ slots, waiting, descriptors }) => {
      return slots === 0 && waiting === 0 && descriptors <= this.descriptorsBefore;
    }, within);
  }

  /** The part of a table's row that tells what was held. */
  async held() {
    const now = await this.look();
    return {
      slots: { peak: this.peak.slots, after: now.slots },
      waiting: this.peak.waiting,
      descriptors: { before: this.descriptorsBefore, peak: this.peak.descriptors, after: now.descriptors },
      memory: memory(this.server.pid).peak,
    };
  }

  /** What was held earlier, with what is left of it now. */
  async leftOf(held) {
    const { slots, descriptors } = await this.look();
    return {
      ...held,
      slots: { ...held.slots, after: slots },
      descriptors: { ...held.descriptors, after: descriptors },
    };
  }

  stop() {
    this.running = false;
    this.agent.destroy();
  }
}
