import { valuesBefore } from './comparisons';

const second = (seconds: number): number => seconds * 1_000;
const past = (stepSeconds: number, ...starts: number[]) => ({
  stepSeconds,
  points: starts.map((start) => ({ at: new Date(second(start)).toISOString() })),
});
type Past = Parameters<typeof valuesBefore>[0];

it('takes each value from as long ago', () => {
  const times = [100, 110, 120].map(second);
  expect(valuesBefore(past(10, 0, 10, 20) as Past, [1, null, 3], times, second(100))).toEqual([1, null, 3]);
});

it('repeats the value of a longer step, and knows nothing before and after the series', () => {
  const times = [90, 100, 110, 120, 130].map(second);
  expect(valuesBefore(past(20, 0, 20) as Past, [1, 2], times, second(100))).toEqual([null, 1, 1, 2, 2]);
  expect(valuesBefore(past(20, 0) as Past, [1], times, second(100))).toEqual([null, 1, 1, null, null]);
  expect(valuesBefore(past(20) as Past, [], times, second(100))).toEqual([null, null, null, null, null]);
});

it('knows nothing in a gap of the series', () => {
  const times = [100, 110, 120, 130].map(second);
  expect(valuesBefore(past(10, 0, 30) as Past, [1, 4], times, second(100))).toEqual([1, null, null, 4]);
});
