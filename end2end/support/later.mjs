// Cleaning up in reverse order: pages before the browser before the server before its folder.
const stacks = new WeakMap();

/** Runs `clean` when the test is over, before everything that was asked for earlier. */
export function later(t, clean) {
  if (!stacks.has(t)) {
    const stack = [];
    stacks.set(t, stack);
    t.after(async () => {
      const failures = [];
      while (stack.length > 0) await stack.pop()().catch((failure) => failures.push(failure));
      if (failures.length > 0) throw failures[0];
    });
  }
  stacks.get(t).push(async () => clean());
}
