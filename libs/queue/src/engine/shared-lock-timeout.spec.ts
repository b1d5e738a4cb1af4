import { SharedLockTimeout } from './shared-lock-timeout.js';

describe('the lock timeout of a shared transaction', () => {
  const after = (...durationsMs: number[]): number => {
    const timeout = new SharedLockTimeout();
    for (const ms of durationsMs) timeout.record(ms);
    return timeout.ms;
  };
  const often = (ms: number) => after(...Array.from({ length: 200 }, () => ms));

  it('is 100 ms while transactions are short', () => {
    expect(after()).toBe(100);
    expect(often(24)).toBe(100);
  });

  it('is four times their average duration, in steps of 50 ms', () => {
    expect(often(40)).toBe(200);
    expect(often(51)).toBe(250);
  });

  it('follows the last ten or so', () => {
    // A tenth of 400 ms, four times, in the next step.
    expect(after(400)).toBe(200);
    expect(after(400, 400)).toBe(350);
    expect(after(400, 0)).toBe(150);
  });

  it('is at most 1 s', () => {
    expect(often(5_000)).toBe(1_000);
  });
});
