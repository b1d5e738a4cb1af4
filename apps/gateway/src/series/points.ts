import type { seriesSchemas } from '@spooled/contracts';
import type { SeriesRow, SeriesSampleRow } from '@spooled/data-access';
import { type LatencyHistogram, percentilesOf } from '@spooled/domain';
import { failedAttempts } from '../figures/rates.js';
import type { SeriesPeriod } from './period.js';

type Point = seriesSchemas.SeriesPoint;

/** Rows of unfinished queues are written at least this often. */
const fullSampleMs = 60_000;

interface Depth {
  pending: number;
  scheduled: number;
  processing: number;
  oldest_ms: number;
}

interface Counts {
  created: number;
  started: number;
  completed: number;
  failed: number;
  deadlettered: number;
  cancelled: number;
  wait_ms: number;
  run_ms: number;
}

/** How many jobs took how long. */
interface Durations {
  wait: LatencyHistogram;
  run: LatencyHistogram;
}

/** What is known of a queue at a sample; null = it was left out. */
type Reading = { counts: Counts; depth: Depth; durations: Durations } | null;

interface Sample {
  atMs: number;
  fromMs: number;
  countedMs: number;
  hasDepth: boolean;
  /** Of all queues sumReadings. */
  reading: Reading;
}

const noCounts: Counts = {
  created: 0,
  started: 0,
  completed: 0,
  failed: 0,
  deadlettered: 0,
  cancelled: 0,
  wait_ms: 0,
  run_ms: 0,
};
const noDepth: Depth = { pending: 0, scheduled: 0, processing: 0, oldest_ms: 0 };
const noDurations: Durations = { wait: new Map(), run: new Map() };

/** Start of the rows of a period: early enough for one row per queue before the first step. Milliseconds since 1970. */
export const readingFrom = ({ fromMs, storedMs }: SeriesPeriod): number =>
  storedMs < fullSampleMs ? fromMs - fullSampleMs : fromMs;

/**
 * One point for each step of the period. A count is known if the samples within the step cover all of it, a depth if the last of
 * them was taken.
 * @param queues names of the wanted queues; '' is the organization
 * @param rows of these queues and of the organization
 */
export function pointsOf(
  period: SeriesPeriod,
  queues: string[],
  found: { rows: SeriesRow[]; samples: SeriesSampleRow[] },
): Point[] {
  const samples = samplesOf(period, queues, found);
  const { fromMs, stepMs } = period;
  const byStep = Map.groupBy(samples, ({ atMs }) => fromMs + Math.floor((atMs - fromMs) / stepMs) * stepMs);
  const points: Point[] = [];
  for (let at = period.fromMs; at < period.toMs; at += period.stepMs) {
    points.push(pointOf(at, period, byStep.get(at) ?? []));
  }
  return points;
}

function pointOf(at: number, { stepMs, storedMs }: SeriesPeriod, samples: Sample[]): Point {
  const counts = countsOf(at, stepMs, samples);
  const last = samples.at(-1);
  const isLast = last !== undefined && last.hasDepth && last.atMs === at + stepMs - storedMs;
  const depth = isLast ? (last.reading?.depth ?? null) : null;
  const oldest = samples.map(({ reading }) => reading?.depth.oldest_ms ?? 0);
  return {
    at: new Date(at).toISOString(),
    created: counts?.created ?? null,
    started: counts?.started ?? null,
    completed: counts?.completed ?? null,
    failed: counts?.failed ?? null,
    dead_lettered: counts?.deadlettered ?? null,
    cancelled: counts?.cancelled ?? null,
    pending: depth?.pending ?? null,
    scheduled: depth?.scheduled ?? null,
    processing: depth?.processing ?? null,
    oldest_pending_ms: depth ? Math.max(...oldest) : null,
    avg_wait_ms: averageOf(counts?.wait_ms, counts?.completed),
    avg_run_ms: averageOf(counts?.run_ms, counts?.completed),
    wait_ms: counts && latencyOf(samples, 'wait'),
    run_ms: counts && latencyOf(samples, 'run'),
  };
}

function latencyOf(samples: Sample[], what: keyof Durations): Point['wait_ms'] {
  const found = percentilesOf(sumHistograms(samples.map(({ reading }) => reading!.durations[what])));
  if (!found) return null;
  const { count: jobs, ...percentiles } = found;
  return { ...percentiles, jobs };
}

function sumHistograms(histograms: LatencyHistogram[]): LatencyHistogram {
  const [first, ...others] = histograms.filter(({ size }) => size > 0);
  if (!first || others.length === 0) return first ?? new Map();
  const sum = new Map(first);
  for (const other of others) for (const [bucket, jobs] of other) sum.set(bucket, (sum.get(bucket) ?? 0) + jobs);
  return sum;
}

/** null = not known for the whole step. */
function countsOf(at: number, stepMs: number, samples: Sample[]): Counts | null {
  const coveredMs = samples.reduce((sum, { countedMs }) => sum + countedMs, 0);
  if (coveredMs !== stepMs || samples.some(({ fromMs, reading }) => fromMs < at || reading === null)) return null;
  return samples.reduce((sum, { reading }) => added(sum, reading!.counts), noCounts);
}

/** In milliseconds with three decimals. */
const averageOf = (sum = 0, count = 0): number | null =>
  count === 0 ? null : Math.round((sum / count) * 1_000) / 1_000;

/** The sum of the wanted queues at each sample of the period. */
function samplesOf(
  period: SeriesPeriod,
  queues: string[],
  { rows, samples }: { rows: SeriesRow[]; samples: SeriesSampleRow[] },
): Sample[] {
  const byQueue = Map.groupBy(rows, ({ queue_name }) => queue_name);
  const limited = new Set((byQueue.get('') ?? []).flatMap(({ at, left_out }) => (left_out > 0 ? Date.parse(at) : [])));
  const readings = queues.map((name) => readingsByQueue(byQueue.get(name) ?? [], samples, period.storedMs, limited));
  return samples
    .map((sample, index) => ({
      atMs: Date.parse(sample.at),
      fromMs: Date.parse(sample.counted_from),
      countedMs: sample.counted_seconds * 1_000,
      hasDepth: sample.has_depth,
      reading: readings
        .map((own) => own[index]!)
        .reduce(sumReadings, { counts: noCounts, depth: noDepth, durations: noDurations }),
    }))
    .filter(({ atMs }) => atMs >= period.fromMs);
}

/**
 * The readings of one queue, one for each sample. A queue without a row was idle, or left out (null). Its waiting jobs are those of the
 * row before: each full minute has a row while jobs wait.
 */
function readingsByQueue(
  rows: SeriesRow[],
  samples: SeriesSampleRow[],
  storedMs: number,
  limited: Set<number>,
): Reading[] {
  const byTime = new Map(rows.map((row) => [Date.parse(row.at), row]));
  let before: { depth: Depth; atMs: number } | null = null;
  return samples.map((sample) => {
    const atMs = Date.parse(sample.at);
    const row = byTime.get(atMs);
    if (row) {
      before = { depth: row, atMs };
      return { counts: { ...row, failed: failedAttempts(row) }, depth: row, durations: durationsOf(row) };
    }
    if (limited.has(atMs)) return null;
    const isFull = storedMs >= fullSampleMs || (atMs + storedMs) % fullSampleMs === 0;
    if (isFull || before === null || atMs - before.atMs > fullSampleMs) {
      before = null;
      return { counts: noCounts, depth: noDepth, durations: noDurations };
    }
    return { counts: noCounts, depth: agedDepth(before.depth, atMs - before.atMs), durations: noDurations };
  });
}

const durationsOf = ({ wait_buckets, wait_jobs, run_buckets, run_jobs }: SeriesRow): Durations => ({
  wait: new Map(wait_buckets.map((bucket, index) => [bucket, wait_jobs[index]!])),
  run: new Map(run_buckets.map((bucket, index) => [bucket, run_jobs[index]!])),
});

/** The depth of an idle queue after this time. */
const agedDepth = ({ pending, scheduled, oldest_ms }: Depth, forMs: number): Depth => ({
  pending,
  scheduled,
  processing: 0,
  oldest_ms: oldest_ms === 0 ? 0 : oldest_ms + forMs,
});

function sumReadings(one: Reading, other: Reading): Reading {
  if (one === null || other === null) return null;
  const depth = {
    pending: one.depth.pending + other.depth.pending,
    scheduled: one.depth.scheduled + other.depth.scheduled,
    processing: one.depth.processing + other.depth.processing,
    oldest_ms: Math.max(one.depth.oldest_ms, other.depth.oldest_ms),
  };
  const durations = {
    wait: sumHistograms([one.durations.wait, other.durations.wait]),
    run: sumHistograms([one.durations.run, other.durations.run]),
  };
  return { counts: added(one.counts, other.counts), depth, durations };
}

const added = (one: Counts, other: Counts): Counts => ({
  created: one.created + other.created,
  started: one.started + other.started,
  completed: one.completed + other.completed,
  failed: one.failed + other.failed,
  deadlettered: one.deadlettered + other.deadlettered,
  cancelled: one.cancelled + other.cancelled,
  wait_ms: one.wait_ms + other.wait_ms,
  run_ms: one.run_ms + other.run_ms,
});
