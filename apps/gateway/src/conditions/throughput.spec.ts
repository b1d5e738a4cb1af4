import type { QueueFacts } from './queue-facts.js';
import { paceOf, secondsToDrain, startAfter } from './throughput.js';

interface Known {
  completed?: number;
  retried?: number;
  running?: number;
  ready?: number;
  averageRunMs?: number | null;
  coveredSeconds?: number;
  rate?: number | null;
  nextTokenInMs?: number | null;
}

/** Only what paces depend on; zeros and nulls for the rest. */
const factsOf = ({
  completed = 0,
  retried = 0,
  running = 0,
  ready = 0,
  averageRunMs = null,
  coveredSeconds = 3_600,
  rate = null,
  nextTokenInMs = null,
}: Known) =>
  ({
    name: 'mail',
    sampled: null,
    state: {
      running,
      ready,
      blocked: 0,
      scheduled: 0,
      retrying: 0,
      rate_limit: rate,
      checked_at: '2030-01-01T00:00:00Z',
    },
    hour: { created: 0, completed, retried, deadlettered: 0, expired: 0, covered_seconds: coveredSeconds },
    averageRunMs,
    nextTokenInMs,
    outage: null,
    notChecked: [],
  }) as unknown as QueueFacts;

describe('the pace of a queue', () => {
  it('is unknown while nothing has run and nothing runs', () => {
    expect(paceOf(factsOf({ running: 2 }))).toBeNull();
    expect(startAfter(3, factsOf({}))).toBeNull();
  });

  it('is the faster of the last hour and of the running jobs', () => {
    expect(paceOf(factsOf({ completed: 300, retried: 60 }))).toEqual({
      perHour: 360,
      basis: '360 attempts ended in the last hour',
    });
    expect(paceOf(factsOf({ completed: 10, running: 2, averageRunMs: 5_000 }))).toEqual({
      perHour: 1_440,
      basis: '10 attempts ended in the last hour, 2 jobs running at 5 s each on average',
    });
    // A duration of less than a second is not zero.
    expect(paceOf(factsOf({ running: 2, averageRunMs: 40 }))?.basis).toContain('2 jobs running at 40 ms each');
    expect(paceOf(factsOf({ completed: 2_000, running: 2, averageRunMs: 5_000 }))?.perHour).toBe(2_000);
  });

  it('is computed from the part of the hour that is known', () => {
    expect(paceOf(factsOf({ completed: 300, coveredSeconds: 1_800 }))).toEqual({
      perHour: 600,
      basis: '300 attempts ended in the 30 min of the last hour that are known',
    });
  });

  it('BX-04 is never faster than the rate of the queue', () => {
    const busy = { completed: 36_000, nextTokenInMs: 0 };
    expect(paceOf(factsOf({ ...busy, rate: 2 }))).toEqual({
      perHour: 7_200,
      basis: '36,000 attempts ended in the last hour, a limit of 2 per second',
    });
    expect(paceOf(factsOf({ ...busy, rate: 20 }))?.perHour).toBe(36_000);
    // Not enforced now.
    expect(paceOf(factsOf({ ...busy, rate: 2, nextTokenInMs: null }))?.perHour).toBe(36_000);
  });
});

describe('estimates', () => {
  const startsInMs = (ahead: number, known: Known) =>
    Date.parse(startAfter(ahead, factsOf(known))!.starts_at) - Date.parse('2030-01-01T00:00:00Z');

  it('BX-04 wait for the jobs ahead at the rate of the queue', () => {
    expect(startsInMs(100, { completed: 36_000, rate: 2, nextTokenInMs: 0 })).toBe(50_000);
    expect(startsInMs(100, { completed: 36_000 })).toBe(10_000);
  });

  it('wait for a slot of their own while jobs run, and for the next token', () => {
    expect(startsInMs(3, { completed: 360, running: 1 })).toBe(40_000);
    expect(startsInMs(0, { completed: 36_000, rate: 2, nextTokenInMs: 700 })).toBe(700);
  });

  it('of emptying a queue count its claimable jobs, up to 10,000', () => {
    expect(secondsToDrain(factsOf({}))).toBe(0);
    expect(secondsToDrain(factsOf({ ready: 5 }))).toBeNull();
    expect(secondsToDrain(factsOf({ ready: 101, completed: 360 }))).toBe(1_010);
    expect(secondsToDrain(factsOf({ ready: 101, completed: 36_000, rate: 2, nextTokenInMs: 0 }))).toBe(51);
    expect(secondsToDrain(factsOf({ ready: 10_000, completed: 360 }))).toBe(100_000);
    expect(secondsToDrain(factsOf({ ready: 10_001, completed: 360 }))).toBeNull();
    expect(startAfter(10_001, factsOf({ completed: 360 }))).toBeNull();
  });
});
