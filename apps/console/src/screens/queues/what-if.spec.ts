import type { QueueFigures } from './queue-figures';
import { capacityOf, estimateWith } from './what-if';

/** Four workers with two slots each end 2 jobs per second; 1 arrives. */
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
const none = { rateLimit: null, concurrency: null };
const figures = (more: Partial<QueueFigures>): QueueFigures => ({ ...measured, ...more });

describe('the estimate of a backlog', () => {
  it('is what is ready over what ends more than arrives', () => {
    expect(estimateWith(measured, none)).toEqual({ kind: 'drains', seconds: 1_200, speed: 2, boundBy: null });
  });

  it('counts further workers as busy as those that work', () => {
    expect(estimateWith(measured, none, 4)).toMatchObject({ kind: 'drains', seconds: 400, speed: 4 });
    expect(estimateWith(measured, none, -1)).toMatchObject({ kind: 'drains', seconds: 2_400, speed: 1.5 });
  });

  it('says how fast the queue grows, and how many workers are not enough', () => {
    const grown = figures({ arrivals: 3 });
    expect(estimateWith(grown, none)).toMatchObject({ kind: 'grows', perSecond: 1, workersNeeded: 2 });
    expect(estimateWith(grown, none, 2)).toMatchObject({ kind: 'grows', perSecond: 0 });
    expect(estimateWith(grown, none, 3)).toMatchObject({ kind: 'drains' });
  });

  it('is bound by the limit that is reached first', () => {
    const rated = { rateLimit: 2.5, concurrency: 16 };
    expect(estimateWith(measured, rated, 4)).toMatchObject({ seconds: 800, speed: 2.5, boundBy: 'rateLimit' });
    const narrow = { rateLimit: 100, concurrency: 12 };
    expect(estimateWith(measured, narrow, 4)).toMatchObject({ seconds: 600, speed: 3, boundBy: 'concurrency' });
    expect(estimateWith(measured, narrow)).toMatchObject({ speed: 2, boundBy: null });
  });

  it('names no number of workers where a limit keeps the queue growing', () => {
    const rated = { rateLimit: 2, concurrency: null };
    expect(estimateWith(figures({ arrivals: 3 }), rated, 10)).toEqual({
      kind: 'grows',
      perSecond: 1,
      workersNeeded: null,
      speed: 2,
      boundBy: 'rateLimit',
    });
  });

  it('rests on the run time of a day where nothing has ended lately', () => {
    const idle = figures({ ends: 0, busy: 0, running: 0, workers: 0, arrivals: 0 });
    expect(estimateWith(idle, none)).toMatchObject({ kind: 'stopped' });
    expect(estimateWith(idle, none, 4)).toMatchObject({ kind: 'drains', seconds: 1_200, speed: 1 });
    expect(capacityOf(idle)).toMatchObject({ source: 'run time', slotsPerWorker: 1 });
  });

  it.each([
    ['nothing is ready', { ready: 0 }, 'empty'],
    ['it is paused', { isPaused: true }, 'paused'],
    ['nothing was measured', { ends: null, busy: null, runMs: null }, 'unknown'],
    ['nobody knows how many are ready', { ready: null }, 'unknown'],
  ])('is none where %s', (_, more, kind) => {
    expect(estimateWith(figures(more), none, 4)).toEqual({ kind, speed: 0, boundBy: null });
  });
});
