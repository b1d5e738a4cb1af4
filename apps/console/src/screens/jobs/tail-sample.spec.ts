import { maxPerSecond, maxRows, TailSample } from './tail-sample';

const numbers = (sample: TailSample<number>): number[] => sample.rows.map(({ item }) => item);

it('shows everything, newest first, while little happens', () => {
  const sample = new TailSample<number>();
  for (let i = 0; i < maxPerSecond; i++) sample.add(i);
  expect(sample.flush(0)).toBe(true);
  expect(numbers(sample)).toEqual(Array.from({ length: maxPerSecond }, (_, i) => maxPerSecond - 1 - i));
  expect(sample.leftOut).toBe(0);
  expect(sample.flush(1_000)).toBe(false);
});

it('shows 20 per second of a flood from its whole time, and counts the rest', () => {
  const sample = new TailSample<number>();
  const perWindow = 1_250;
  for (let window = 0; window < 40; window++) {
    for (let i = 0; i < perWindow; i++) sample.add(window);
    sample.flush(window * TailSample.windowMs);
  }
  // Ten seconds, and one second's worth at the start.
  expect(sample.rows.length).toBeGreaterThanOrEqual(10 * maxPerSecond - 5);
  expect(sample.rows.length).toBeLessThanOrEqual(11 * maxPerSecond + 5);
  expect(new Set(numbers(sample)).size).toBeGreaterThan(30);
  expect(sample.leftOut).toBe(40 * perWindow - sample.rows.length);
});

it('chooses from all of a window, not only its beginning', () => {
  const last = Array.from({ length: 200 }, () => {
    const sample = new TailSample<number>();
    for (let i = 0; i < 1_000; i++) sample.add(i);
    sample.flush(0);
    return Math.max(...numbers(sample));
  });
  // Of 20 chosen evenly from 1,000 the largest is above 300 but for one sample of 28 billion.
  expect(Math.min(...last)).toBeGreaterThan(300);
});

it('keeps the newest rows only, each under a number of its own', () => {
  const sample = new TailSample<number>();
  for (let i = 0; i < maxRows + 100; i++) {
    sample.add(i);
    sample.flush(i * 1_000);
  }
  expect(sample.rows).toHaveLength(maxRows);
  expect(sample.rows[0]).toEqual({ number: maxRows + 100, item: maxRows + 99 });
  expect(new Set(sample.rows.map(({ number }) => number)).size).toBe(maxRows);
  expect(sample.leftOut).toBe(0);
});
