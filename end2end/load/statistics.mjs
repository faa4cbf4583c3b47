// Figures of many answers.

/** The value below which a share of the values lies; of none, nothing. */
export function quantile(values, share) {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

export const median = (values) => quantile(values, 0.5);

/** Collects answers: how many of each kind, and how long the successful ones took. */
export class Tally {
  kinds = new Map();
  times = [];
  bytes = 0;
  /** Answers that should not have been, in words. */
  surprises = [];

  /** @param {{ status?: number, failure?: string, ms: number, bytes?: number, retryAfter?: string }} answer */
  add(answer) {
    const kind = answer.failure ?? String(answer.status);
    this.bytes += answer.bytes ?? 0;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    if (answer.status >= 200 && answer.status < 300) this.times.push(answer.ms);
    if (answer.status === 503 && !(Number(answer.retryAfter) >= 1)) this.surprises.push('503 without Retry-After');
    return answer;
  }

  count(kind) {
    return this.kinds.get(String(kind)) ?? 0;
  }

  get total() {
    return [...this.kinds.values()].reduce((sum, count) => sum + count, 0);
  }

  /** What came that is not among the expected kinds. */
  unexpected(...expected) {
    const known = new Set(expected.map(String));
    const others = [...this.kinds].filter(([kind]) => !known.has(kind)).map(([kind, count]) => `${count} × ${kind}`);
    return [...others, ...new Set(this.surprises)];
  }

  p(share) {
    return quantile(this.times, share);
  }

  toString() {
    return [...this.kinds]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([kind, count]) => `${count} × ${kind}`)
      .join(', ');
  }
}
