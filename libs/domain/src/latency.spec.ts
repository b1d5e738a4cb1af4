import { latencyBucket, latencyBuckets, percentilesOf } from './latency.js';

const histogramOf = (durations: number[]): Map<number, number> => {
  const histogram = new Map<number, number>();
  for (const ms of durations) histogram.set(latencyBucket(ms), (histogram.get(latencyBucket(ms)) ?? 0) + 1);
  return histogram;
};
const upTo = (count: number, ms = 1) => Array.from({ length: count }, (_, index) => (index + 1) * ms);

describe('latency histograms', () => {
  it('BX-25 put each duration into one of 32 buckets, the longer the higher', () => {
    const durations = [-5, 0, 0.5, 1, 1.1, 2, 9, 10, 11, 99, 1_000, 60_000, 3_600_000, 86_400_000, 1e12, Infinity];
    const buckets = durations.map(latencyBucket);
    expect(buckets).toEqual([...buckets].sort((one, other) => one - other));
    expect(buckets.slice(0, 5)).toEqual([0, 0, 0, 0, 1]);
    expect([latencyBucket(10), latencyBucket(11), latencyBucket(1_000)]).toEqual([4, 5, 12]);
    expect([latencyBucket(86_400_000), latencyBucket(Infinity), latencyBucket(NaN)]).toEqual([
      latencyBuckets - 1,
      latencyBuckets - 1,
      0,
    ]);
  });

  it('BX-25 give percentiles near the true ones, whatever the scale', () => {
    for (const scale of [1, 37, 1_000]) {
      const { p50, p95, p99, count } = percentilesOf(histogramOf(upTo(1_000, scale)))!;
      expect(count).toBe(1_000);
      for (const [found, truth] of [
        [p50, 500],
        [p95, 950],
        [p99, 990],
      ] as const) {
        expect(found / (truth * scale)).toBeGreaterThan(0.75);
        expect(found / (truth * scale)).toBeLessThan(1.5);
      }
    }
  });

  it('BX-25 give those of all jobs when histograms are added up, not averages of percentiles', () => {
    const quick = histogramOf(Array.from({ length: 900 }, () => 5));
    const slow = histogramOf(Array.from({ length: 100 }, () => 5_000));
    const both = percentilesOf(new Map([...quick, ...slow]))!;
    expect(both.p50).toBeLessThanOrEqual(5.63);
    expect(both.p95).toBeGreaterThan(3_000);
  });

  it('BX-25 do not depend on the order of the buckets, nor on empty ones', () => {
    const sorted: [number, number][] = [
      [0, 1],
      [4, 2],
      [8, 1],
    ];
    // Half of the jobs end in the middle of the bucket that ends at 10 ms; the highest bucket ends at 100 ms.
    const expected = { p50: 7.5, p95: 89.1, p99: 97.7, count: 4 };
    expect(percentilesOf(new Map(sorted))).toEqual(expected);
    expect(percentilesOf(new Map([...sorted.toReversed(), [2, 0], [20, 0]]))).toEqual(expected);
    expect(percentilesOf(new Map([[0, 4]]))).toEqual({ p50: 0.5, p95: 0.95, p99: 0.99, count: 4 });
  });

  it('BX-25 are null without a duration, and bounded for the longest', () => {
    expect(percentilesOf(new Map())).toBeNull();
    expect(percentilesOf(new Map([[3, 0]]))).toBeNull();
    expect(percentilesOf(histogramOf([1e12]))).toEqual({ p50: 31_600_000, p95: 31_600_000, p99: 31_600_000, count: 1 });
  });
});
