import type { QueueFigures } from './queue-figures';
import { effectsOf, type LimitsAndDefaults } from './settings-effect';

/** Eight jobs in progress end 2 jobs per second; 1 arrives. */
const measured: QueueFigures = {
  isPaused: false,
  ready: 1_200,
  running: 8,
  workers: 4,
  minutes: 10,
  arrivals: 1,
  starts: 2,
  ends: 2,
  busy: 8,
  runMs: 4_000,
};
const nothing: QueueFigures = {
  ...measured,
  minutes: 0,
  arrivals: null,
  starts: null,
  ends: null,
  busy: null,
  runMs: null,
};
const present: LimitsAndDefaults = { rateLimit: null, concurrency: null, maxRetries: 3, timeout: 300 };
const effect = (change: Partial<LimitsAndDefaults>, figures = measured, before = present) =>
  effectsOf(figures, before, { ...before, ...change });

describe('the effect of changed settings', () => {
  it('is nothing where nothing changes', () => {
    expect(effect({})).toEqual([]);
  });

  it('of a concurrency below what runs: what has to end first, and what becomes of the backlog', () => {
    expect(effect({ concurrency: 6 })).toEqual([
      '8 jobs are in progress: with 6, the next one starts when 3 of them have ended.',
      'The backlog of 1,200 jobs would take 40 min instead of 20 min.',
    ]);
    expect(effect({ concurrency: 8 })).toEqual([
      '8 jobs are in progress: with 8, the next one starts when one of them has ended.',
      'The backlog of 1,200 jobs takes 20 min, as without the change.',
    ]);
  });

  it('of a concurrency that is too small for what arrives', () => {
    expect(effect({ concurrency: 4 })[1]).toBe(
      'The backlog of 1,200 jobs would not get shorter: 1/s arrive, and 1/s would end.',
    );
  });

  it('of a concurrency above what runs: how many more, and no guess of how fast they would be', () => {
    expect(effect({ concurrency: 20 }, measured, { ...present, concurrency: 8 })).toEqual([
      '8 jobs are in progress, which is the limit: 12 more may start at once.',
      'The present limits hold the queue back: how fast its workers are beyond them was not measured.',
    ]);
    expect(effect({ concurrency: 20 })[0]).toBe('8 jobs are in progress: 12 more may start.');
  });

  it('of a rate, against what starts', () => {
    expect(effect({ rateLimit: 1.5 })).toEqual([
      '2/s started in the last 10 min: the limit slows the queue down to 1.5/s.',
      'The backlog of 1,200 jobs would take 40 min instead of 20 min.',
    ]);
    expect(effect({ rateLimit: 10 })).toEqual([
      '2/s started in the last 10 min, which the limit of 10/s allows.',
      'The backlog of 1,200 jobs takes 20 min, as without the change.',
    ]);
  });

  it('has no measured figure where nothing was measured', () => {
    expect(effect({ rateLimit: 0.5 }, { ...nothing, ready: 60 })).toEqual([
      'With these limits the 60 ready jobs take at least 2 min to start.',
    ]);
    expect(effect({ concurrency: 20 }, nothing)).toEqual(['8 jobs are in progress: 12 more may start.']);
    expect(effect({ timeout: 10 }, nothing)).toEqual(['It holds for new jobs.']);
  });

  it('leaves the backlog out while the queue is paused or empty', () => {
    expect(effect({ rateLimit: 1 }, { ...measured, isPaused: true })).toHaveLength(1);
    expect(effect({ rateLimit: 1 }, { ...measured, ready: 0 })).toHaveLength(1);
  });

  it('of retries and of the timeout', () => {
    expect(effect({ maxRetries: 0 })).toEqual([
      'A new job that always fails is tried once instead of 4 times. Jobs that exist keep their number.',
    ]);
    expect(effect({ timeout: 3 })).toEqual([
      'Jobs ran for 4.0 s on average in the last day: most would not end within 3.0 s. It holds for new jobs.',
    ]);
    expect(effect({ timeout: 40 })[0]).toContain('10 % of the timeout');
  });
});
