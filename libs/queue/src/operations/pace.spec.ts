import { planLimits } from '@spooled/domain';
import type { LockedOperation, StepResult } from './operation.js';
import { afterChecks, allowedNow, stillRunning } from './pace.js';

const now = new Date('2026-11-23T02:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const operation = (per_second: number | null, rateUsedUntil: Date | null = null) =>
  ({ settings: per_second === null ? {} : { per_second }, rateUsedUntil, now }) as LockedOperation;

describe('BX-09 the pace of a replay whose payloads take long to check', () => {
  /** Five requests a second. */
  const limits = planLimits('free');
  const running: StepResult = { added: {}, state: 'running', waitMs: 20 };

  it('is what the rate of the plan allows', () => {
    expect(afterChecks(running, 40, limits)).toMatchObject({ waitMs: 8_000, reason: expect.stringContaining('rate') });
    expect(afterChecks({ ...running, waitMs: 9_000 }, 40, limits)).toEqual({ ...running, waitMs: 9_000 });
  });

  it('is the ordinary one without costly checks, and after the last step', () => {
    expect(afterChecks(running, 0, limits)).toEqual(running);
    const ended: StepResult = { ...running, state: 'completed' };
    expect(afterChecks(ended, 40, limits)).toEqual(ended);
  });
});

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
