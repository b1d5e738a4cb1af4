import { systemClock } from '@spooled/clock';
import type { Database } from '@spooled/data-access';
import { type Clock, latencyBucket, latencyBuckets, type Timer } from '@spooled/domain';
import type { Durations } from '../step/effects.js';
import { recordLatencies } from './record-latencies.queries.js';
import type { RecordLatenciesV1Record } from './record_latencies_v1.queries.js';

/** The time between two samples of the series. */
const defaultFlushMs = 10_000;
/** So long before a sample, by this process's clock: long enough for a slow commit. */
const aheadMs = 2_000;
/** Queues measured between two flushes at most; further ones are left out, so that memory is bounded: 4 MB. */
const maxQueues = 10_000;
/** Queues that one statement records. */
const queuesAtOnce = 2_000;

type Kind = keyof Durations[number]['ms'];
/** Jobs by bucket. */
type Histograms = Record<Kind, Uint32Array>;
type Measured = Map<string, Map<string, Histograms>>;

export interface LatenciesOptions {
  flushMs?: number;
  /** Default: the system's. */
  clock?: Clock;
  /** Called with why measurements were lost. */
  onError(error: unknown): void;
}

/**
 * Histograms of waits and run times in this process, written for the series every ten seconds (BX-25).
 * Counting a duration takes 0.3 µs and no statement. What was measured since the last flush is lost if the
 * process is killed or PostgreSQL is away.
 */
export class Latencies {
  private measured: Measured = new Map();
  private queues = 0;
  private flushing: Promise<void> | null = null;
  private readonly flushMs: number;
  private readonly clock: Clock;
  private timer: Timer;

  constructor(
    private readonly db: Database,
    private readonly options: LatenciesOptions,
  ) {
    this.flushMs = options.flushMs ?? defaultFlushMs;
    this.clock = options.clock ?? systemClock;
    this.timer = this.schedule();
  }

  /** Counts durations of a committed transaction. */
  add(durations: Durations): void {
    for (const { organizationId, queueName, ms } of durations) {
      const histograms = this.histogramsOf(organizationId, queueName);
      if (!histograms) continue;
      if (ms.wait !== undefined) count(histograms.wait, ms.wait);
      if (ms.run !== undefined) count(histograms.run, ms.run);
    }
  }

  /** Stops counting; what was counted is recorded. Never rejects. */
  async close(): Promise<void> {
    this.timer.cancel();
    await this.flushing;
    await this.flush();
  }

  /** Never rejects. Does nothing while an earlier flush runs. */
  async flush(): Promise<void> {
    if (this.flushing || this.queues === 0) return;
    const measured = this.measured;
    this.measured = new Map();
    this.queues = 0;
    this.flushing = this.record(measured).catch(this.options.onError);
    await this.flushing;
    this.flushing = null;
  }

  private schedule(): Timer {
    const waitMs = this.flushMs - ((this.clock.now() + aheadMs) % this.flushMs);
    const run = () => {
      this.timer = this.schedule();
      void this.flush();
    };
    return this.clock.after(waitMs, run).unref();
  }

  private async record(measured: Measured): Promise<void> {
    const all = [...measured].flatMap(([organization, queues]) =>
      [...queues].map(([queue, histograms]) => ({ organization, row: rowOf(queue, histograms) })),
    );
    for (let first = 0; first < all.length; first += queuesAtOnce) {
      const parts = Map.groupBy(all.slice(first, first + queuesAtOnce), ({ organization }) => organization);
      const batch = [...parts].map(([organization, queues]) => ({
        organization,
        queues: queues.map(({ row }) => row),
      }));
      await this.db.inBatch((tx) => tx.run(recordLatencies, { batch: JSON.stringify(batch) }));
    }
  }

  private histogramsOf(organizationId: string, queueName: string): Histograms | undefined {
    const known = this.measured.get(organizationId)?.get(queueName);
    if (known || this.queues === maxQueues) return known;
    const histograms = { wait: new Uint32Array(latencyBuckets), run: new Uint32Array(latencyBuckets) };
    const queues = this.measured.get(organizationId) ?? new Map<string, Histograms>();
    this.measured.set(organizationId, queues.set(queueName, histograms));
    this.queues++;
    return histograms;
  }
}

const count = (histogram: Uint32Array, ms: number): void => void histogram[latencyBucket(ms)]!++;

function rowOf(queue: string, { wait, run }: Histograms): RecordLatenciesV1Record {
  const [waits, runs] = [filled(wait), filled(run)];
  return {
    queue,
    wait_buckets: waits,
    wait_jobs: waits.map((bucket) => wait[bucket]!),
    run_buckets: runs,
    run_jobs: runs.map((bucket) => run[bucket]!),
  };
}

/** The buckets with jobs. */
const filled = (histogram: Uint32Array): number[] => [...histogram.keys()].filter((bucket) => histogram[bucket]! > 0);
