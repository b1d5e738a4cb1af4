import type { LockedOperation } from './operation.js';
import { allowedNow, stillRunning } from './pace.js';

const now = new Date('2026-11-23T02:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const operation = (per_second: number | null, rateUsedUntil: Date | null = null) =>
  ({ settings: per_second === null ? {} : { per_second }, rateUsedUntil, now }) as LockedOperation;

describe('the pace of an operation', () => {
  it('without a rate is a full step, and 20 ms until the next', () => {
    expect(allowedNow(operation(null), 500)).toBe(500);
    expect(stillRunning(operation(null), 500, { processed: 500 })).toEqual({
      added: { processed: 500 },
      state: 'running',
      waitMs: 20,
    });
  });

  it('with a rate is what the time since the last rows allows', () => {
    expect(allowedNow(operation(50, ago(100)), 500)).toBe(5);
    expect(allowedNow(operation(50, ago(100)), 3)).toBe(3);
    expect(allowedNow(operation(50, now), 500)).toBe(0);
  });

  it('counts the rows that were taken, not those that were allowed', () => {
    expect(stillRunning(operation(50, ago(100)), 2, { processed: 2 })).toEqual({
      added: { processed: 2 },
      state: 'running',
      waitMs: 100,
      rateUsedUntil: ago(60),
    });
  });

  it('waits for the time of one row when a row takes longer than 100 ms', () => {
    expect(stillRunning(operation(2), 1, {}).waitMs).toBe(500);
    expect(stillRunning(operation(10), 1, {}).waitMs).toBe(100);
    expect(stillRunning(operation(20), 1, {}).waitMs).toBe(100);
  });
});
