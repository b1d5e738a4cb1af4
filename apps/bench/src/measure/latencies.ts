import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Latency } from '../report.js';

/** Ten minutes: longer than any window. */
const longestMicros = 600_000_000;

/** Latencies of one kind of operation in Node's HDR histogram: microseconds, three significant digits, 0.03 µs per record. */
export class Latencies {
  private readonly histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: longestMicros, figures: 3 });

  record(ms: number): void {
    this.histogram.record(Math.min(longestMicros, Math.max(1, Math.round(ms * 1_000))));
  }

  /** In milliseconds; null when nothing was recorded. */
  summary(): Latency | null {
    const { histogram } = this;
    if (histogram.count === 0) return null;
    const ms = (micros: number): number => micros / 1_000;
    return {
      mean: ms(histogram.mean),
      p50: ms(histogram.percentile(50)),
      p95: ms(histogram.percentile(95)),
      p99: ms(histogram.percentile(99)),
      max: ms(histogram.max),
    };
  }
}
