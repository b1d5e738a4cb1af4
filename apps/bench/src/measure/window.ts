import { once, setMaxListeners } from 'node:events';
import type { Row } from '../report.js';
import { Latencies } from './latencies.js';

/** Counts what ends between its opening (after the warm-up) and its closing. */
export class Window {
  private readonly series = new Map<string, Series>();
  private readonly ending = new AbortController();
  private openedAt = 0;
  private closedAt = 0;
  /** Resolves when operations begin to count, or never will. */
  readonly whenOpened: Promise<void>;
  private opened: () => void = () => undefined;

  constructor() {
    this.whenOpened = new Promise((resolve) => (this.opened = resolve));
    // Each caller of a load may wait for the end.
    setMaxListeners(0, this.ending.signal);
  }

  get isOpen(): boolean {
    return this.openedAt > 0 && this.closedAt === 0;
  }

  /** True from the moment when the load has to come to its end. */
  get over(): boolean {
    return this.closedAt > 0;
  }

  /** Aborts when the load has to come to its end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  get whenClosed(): Promise<void> {
    return this.over ? Promise.resolve() : once(this.signal, 'abort').then(() => undefined);
  }

  /** Length in seconds, of what is over. */
  get seconds(): number {
    return (this.closedAt - this.openedAt) / 1_000;
  }

  open(): void {
    if (!this.over) this.openedAt = performance.now();
    this.opened();
  }

  /** Also called by a load that has run out of what it works on. */
  close(): void {
    if (this.over) return;
    this.closedAt = performance.now();
    this.openedAt ||= this.closedAt;
    this.opened();
    this.ending.abort();
  }

  /**
   * Operations that ended now, all begun at `startedAt` (ms of `performance.now()`).
   * @param name - kind of operation, where a load has several
   */
  count(startedAt: number, operations = 1, name = ''): void {
    if (!this.isOpen) return;
    const series = this.of(name);
    series.count += operations;
    series.latencies.record(performance.now() - startedAt);
  }

  /** Operations whose times nobody knows. */
  add(operations: number, name = ''): void {
    if (this.isOpen) this.of(name).count += operations;
  }

  /** One operation that took `ms`, whenever that was. */
  record(ms: number, name = ''): void {
    if (!this.isOpen) return;
    const series = this.of(name);
    series.count++;
    series.latencies.record(ms);
  }

  /** A further number of a row, by name with its unit; also after the closing. */
  figure(name: string, value: number, row = ''): void {
    this.of(row).figures[name] = value;
  }

  fail(reason: string, name = '', operations = 1): void {
    if (!this.isOpen) return;
    const { errors } = this.of(name);
    errors[reason] = (errors[reason] ?? 0) + operations;
  }

  rows(): Row[] {
    return [...this.series].map(([name, { count, latencies, errors, figures }]) => {
      const rate = this.seconds > 0 ? count / this.seconds : 0;
      return { name, count, rate, latency: latencies.summary(), errors, figures };
    });
  }

  private of(name: string): Series {
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
