export interface Allowance {
  /** Whole items that may be processed now. */
  count: number;
  /** To pass with the next call. */
  usedUntil: Date;
}

/** Time that is not used is kept this long, so that after a pause no burst follows. */
const longestCreditMs = 500;

/**
 * How many items a rate allows now, at most `most`. The first may be processed at once.
 * @param perSecond at least 1
 * @param usedUntil up to when the rate has been used; null at the start
 */
export function allowanceOf(perSecond: number, usedUntil: Date | null, now: Date, most: number): Allowance {
  const msEach = 1000 / perSecond;
  const longest = Math.max(longestCreditMs, msEach);
  const from = usedUntil === null ? now.getTime() - msEach : Math.max(usedUntil.getTime(), now.getTime() - longest);
  const count = Math.max(0, Math.min(most, Math.floor((now.getTime() - from) / msEach + 1e-6)));
  return { count, usedUntil: new Date(from + count * msEach) };
}
