/** Buckets of a histogram of durations. */
export const latencyBuckets = 32;
/** Per power of ten: a bucket ends 1.78 times as high as it begins. */
const bucketsPerDecade = 4;

/** Jobs by bucket; buckets without jobs are absent. */
export type LatencyHistogram = ReadonlyMap<number, number>;

export interface Percentiles {
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  /** From how many durations they are computed. */
  count: number;
}

/** Where a bucket ends, in milliseconds: bucket 0 at 1 ms, the last but one at 8.8 h; the last one has no end. */
const upperBound = (bucket: number): number => 10 ** (bucket / bucketsPerDecade);

/** The bucket of a duration, from 0 to 31. Negative durations, which come from differing clocks, count as 0 ms. */
export function latencyBucket(ms: number): number {
  if (!(ms > 1)) return 0;
  const bucket = Math.ceil(Math.log10(ms) * bucketsPerDecade);
  return bucket < latencyBuckets ? bucket : latencyBuckets - 1;
}

/**
 * Percentiles of a histogram, which may be the sum of several. Within a bucket they are interpolated by its logarithm, so they are off
 * by a factor of 1.78 at most. Durations of more than 8.8 h count as 8.8 h.
 * @returns null for an empty histogram
 */
export function percentilesOf(histogram: LatencyHistogram): Percentiles | null {
  const sorted = [...histogram].filter(([, jobs]) => jobs > 0).sort(([one], [other]) => one - other);
  const count = sorted.reduce((sum, [, jobs]) => sum + jobs, 0);
  if (count === 0) return null;
  const at = (share: number) => percentileOf(sorted, count * share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count };
}

function percentileOf(sorted: [bucket: number, jobs: number][], rank: number): number {
  let before = 0;
  for (const [bucket, jobs] of sorted) {
    if (before + jobs >= rank) return valueIn(bucket, (rank - before) / jobs);
    before += jobs;
  }
  return upperBound(sorted.at(-1)![0]);
}

/** @param share of the bucket's jobs that are below the value */
function valueIn(bucket: number, share: number): number {
  if (bucket === 0) return round(share);
  if (bucket === latencyBuckets - 1) return round(upperBound(bucket - 1));
  return round(upperBound(bucket - 1 + share));
}

/** To three significant digits: more would be invented. */
const round = (ms: number): number => Number(ms.toPrecision(3));
