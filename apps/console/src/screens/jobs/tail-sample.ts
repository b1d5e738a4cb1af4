/** Rows per second that a user can read, and as many at once after a pause. */
export const maxPerSecond = 20;
export const maxRows = 500;
const windowMs = 250;

/**
 * A bounded, sampled list of what happens, newest first. Of each quarter of a second it keeps a random choice, so that bursts do not hide
 * what follows them; the rest is counted. The time of every call is given in milliseconds and does not run backwards.
 */
export class TailSample<T> {
  /** With a number that tells rows apart. */
  rows: readonly { number: number; item: T }[] = [];
  seen = 0;
  private total = 0;
  private chosen: { order: number; item: T }[] = [];
  private inWindow = 0;
  private tokens = maxPerSecond;
  private at: number | undefined;

  /** How many were seen and are not shown because too many came at once. */
  get leftOut(): number {
    return this.seen - this.total - this.chosen.length;
  }

  /** Reservoir sampling: each item of the window is kept with the same probability. */
  add(item: T): void {
    this.seen++;
    const order = this.inWindow++;
    const size = Math.floor(this.tokens);
    if (this.chosen.length < size) this.chosen.push({ order, item });
    else {
      const place = Math.floor(Math.random() * (order + 1));
      if (place < size) this.chosen[place] = { order, item };
    }
  }

  /** Ends the window: its choice becomes rows. @param now in milliseconds @returns whether anything has changed */
  flush(now: number): boolean {
    const elapsed = now - (this.at ?? now - windowMs);
    this.at = now;
    const { chosen, inWindow } = this;
    this.tokens = Math.min(maxPerSecond, this.tokens - chosen.length + (elapsed / 1000) * maxPerSecond);
    if (inWindow === 0) return false;
    const added = chosen
      .sort((one, other) => other.order - one.order)
      .map(({ item }, i) => ({ number: this.total + chosen.length - i, item }));
    this.total += chosen.length;
    this.rows = [...added, ...this.rows].slice(0, maxRows);
    this.chosen = [];
    this.inWindow = 0;
    return true;
  }

  clear(): void {
    this.rows = [];
  }

  static readonly windowMs = windowMs;
}
