import { once, setMaxListeners } from 'node:events';
import type { Latency, Row } from '../report.js';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Counts operations that finish between its opening (after the warm-up) and its closing. */
export class Window {
  private readonly series = new Map<string, Series>();
  private readonly controller = new AbortController();
  private openedAt = 0;
  private closedAt = 0;
  /** Resolves when the window opens, or closes without having been opened. */
  readonly whenOpened: Promise<void>;
  private opened: () => void = () => undefined;

  constructor() {
    this.whenOpened = new Promise((resolve) => (this.opened = resolve));
    // Each caller of a load may add a listener.
    setMaxListeners(0, this.controller.signal);
  }

  get isOpen(): boolean {
    return this.openedAt > 0 && this.closedAt === 0;
  }

  /** True when the load must stop. */
  get over(): boolean {
    return this.closedAt > 0;
  }

  /** Aborts when the load must stop. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get whenClosed(): Promise<void> {
    return this.over ? Promise.resolve() : once(this.signal, 'abort').then(() => undefined);
  }

  /** Length in seconds, once closed. */
  get seconds(): number {
    return (this.closedAt - this.openedAt) / 1_000;
  }

  open(): void {
    if (!this.over) this.openedAt = performance.now();
    this.opened();
  }

  /** Also called by a load that has no work left. */
  close(): void {
    if (this.over) return;
    this.closedAt = performance.now();
    this.openedAt ||= this.closedAt;
    this.opened();
    this.controller.abort();
  }

  /**
   * Counts operations that finish now and started at `startedAt` (ms of `performance.now()`).
   * @param name - kind of operation, if a load has several
   */
  count(startedAt: number, operations = 1, name = ''): void {
    this.record(performance.now() - startedAt, name, operations);
  }

  /** Counts operations without a latency. */
  add(operations: number, name = ''): void {
    if (this.isOpen) this.seriesOf(name).count += operations;
  }

  /** Counts operations with a given latency. */
  record(ms: number, name = '', operations = 1): void {
    if (!this.isOpen) return;
    const series = this.seriesOf(name);
    series.count += operations;
    series.latencies.record(ms);
  }

  /** Adds another measured value to a row; the name includes the unit. Also allowed after closing. */
  figure(name: string, value: number, row = ''): void {
    this.seriesOf(row).figures[name] = value;
  }

  fail(reason: string, name = '', operations = 1): void {
    if (!this.isOpen) return;
    const { errors } = this.seriesOf(name);
    errors[reason] = (errors[reason] ?? 0) + operations;
  }

  rows(): Row[] {
    return [...this.series].map(([name, { count, latencies, errors, figures }]) => {
      const rate = this.seconds > 0 ? count / this.seconds : 0;
      return { name, count, rate, latency: latencies.summary(), errors, figures };
    });
  }

  private seriesOf(name: string): Series {
    let found = this.series.get(name);
    if (!found) this.series.set(name, (found = { count: 0, latencies: new Latencies(), errors: {}, figures: {} }));
    return found;
  }
}

interface Series {
  count: number;
  latencies: Latencies;
  errors: Record<string, number>;
  figures: Record<string, number>;
}

/** Ten minutes: longer than any window. */
const longestMicros = 600_000_000;

/** Latencies of one kind of operation in Node's HDR histogram: microseconds, three significant digits, 0.03 µs per record. */
class Latencies {
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
