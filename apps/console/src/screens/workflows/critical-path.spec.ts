import { timingOf } from './critical-path';

it('follows the parents that ended last', () => {
  const { criticalPath, pathMs, slowest, slowestMs } = timingOf([
    { id: 'load', parents: [], start: 0, end: 10 },
    { id: 'short', parents: ['load'], start: 10, end: 20 },
    { id: 'long', parents: ['load'], start: 10, end: 90 },
    { id: 'join', parents: ['short', 'long'], start: 95, end: 100 },
    { id: 'aside', parents: [], start: 0, end: 60 },
  ]);
  expect(criticalPath).toEqual(['load', 'long', 'join']);
  expect(pathMs).toBe(100);
  expect([slowest, slowestMs]).toEqual(['long', 80]);
});

it('is empty before anything has begun', () => {
  expect(timingOf([{ id: 'a', parents: [], start: null, end: null }])).toEqual({
    criticalPath: [],
    pathMs: 0,
    slowest: null,
    slowestMs: 0,
  });
});
