// Cleaning up in reverse order: pages before the browser before the server before its folder.
import { after } from 'node:test';

const stacks = new WeakMap();

/** What a whole file or `describe` shares is cleaned up after it: pass the answer where a test passes its context. */
export function scope() {
  const shared = {};
  const stack = [];
  stacks.set(shared, stack);
  after(() => unwind(stack));
  return shared;
}

/** Runs `clean` when the test (or scope) is over, before everything that was asked for earlier. */
export function later(t, clean) {
  if (!stacks.has(t)) {
    const stack = [];
    stacks.set(t, stack);
    t.after(() => unwind(stack));
  }
  stacks.get(t).push(async () => clean());
}

async function unwind(stack) {
  const failures = [];
  while (stack.length > 0) await stack.pop()().catch((failure) => failures.push(failure));
  if (failures.length > 0) throw failures[0];
}
