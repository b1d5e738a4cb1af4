import { figuresOf } from './queue-figures';

type Explanation = Parameters<typeof figuresOf>[0];
type Series = NonNullable<Parameters<typeof figuresOf>[1]>;

const explanation = (ready: number, codes: string[] = []) =>
  ({
    jobs: { ready: { count: ready, atLeast: ready >= 10_000 }, running: { count: 3, atLeast: false } },
    rates: { averageRunMs: 2_000 },
    workers: { healthy: { count: 2, atLeast: false } },
    problems: codes.map((code) => ({ code })),
  }) as unknown as Explanation;

const minute = (at: number) => `2026-01-01T12:${String(at).padStart(2, '0')}:00Z`;
const idle = { created: 0, started: 0, completed: 0, deadLettered: 0, processing: 0, pending: 0 };
const unknown = { created: null, started: null, completed: null, deadLettered: null, processing: null, pending: null };
/** One point per minute, the last ten of which count. */
const series = (points: object[]) =>
  ({
    stepSeconds: 60,
    to: minute(30),
    points: points.map((point, index) => ({ at: minute(30 - points.length + index), ...point })),
  }) as unknown as Series;

describe('the figures of a queue', () => {
  it('are averages of the last ten minutes', () => {
    const old = { ...idle, created: 6_000, completed: 6_000 };
    const recent = { created: 60, started: 120, completed: 90, deadLettered: 30, processing: 4, pending: 9 };
    const points = [...Array.from({ length: 15 }, () => old), ...Array.from({ length: 10 }, () => recent)];
    expect(figuresOf(explanation(7), series(points))).toEqual({
      isPaused: false,
      ready: 7,
      running: 3,
      workers: 2,
      minutes: 10,
      arrivals: 1,
      starts: 2,
      ends: 2,
      busy: 4,
      runMs: 2_000,
    });
  });

  it('leave out steps that were not sampled', () => {
    const points = [{ ...idle, created: 60, completed: 120, processing: 4 }, unknown, unknown];
    expect(figuresOf(explanation(0), series(points))).toMatchObject({ minutes: 1, arrivals: 1, ends: 2, busy: 4 });
  });

  it('are unknown without samples', () => {
    const none = { minutes: 0, arrivals: null, starts: null, ends: null, busy: null };
    expect(figuresOf(explanation(1), undefined)).toMatchObject(none);
    expect(figuresOf(explanation(1), series([unknown]))).toMatchObject(none);
  });

  it('have no depth where more are ready than the server knows', () => {
    expect(figuresOf(explanation(10_000), undefined).ready).toBeNull();
  });

  it('say whether it is paused', () => {
    expect(figuresOf(explanation(1, ['queue_paused']), undefined).isPaused).toBe(true);
  });
});
