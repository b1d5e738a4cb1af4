import { residentMbOf } from './process-times.js';
import type { Window } from './window.js';

const everyMs = 500;

/** Resident memory of processes over time. */
export class MemoryWatch {
  private readonly initial: Record<string, number>;
  private readonly peak: Record<string, number> = {};
  private readonly timer: NodeJS.Timeout;

  /** @param ids - process ids by name */
  constructor(private readonly ids: Record<string, number>) {
    this.initial = this.read();
    this.sample();
    this.timer = setInterval(() => this.sample(), everyMs);
  }

  /** Stops, and adds the figures `<name> MB at start | at peak | at end` of each process to a row. */
  stop(window: Window, row?: string): void {
    clearInterval(this.timer);
    const last = this.read();
    for (const [name, megabytes] of Object.entries(this.initial)) {
      window.figure(`${name} MB at start`, megabytes, row);
      window.figure(`${name} MB at peak`, this.peak[name] ?? 0, row);
      window.figure(`${name} MB at end`, last[name] ?? 0, row);
    }
  }

  private sample(): void {
    for (const [name, megabytes] of Object.entries(this.read())) {
      this.peak[name] = Math.max(this.peak[name] ?? 0, megabytes);
    }
  }

  /** Omits processes that have ended; empty without /proc. */
  private read(): Record<string, number> {
    const entries = Object.entries(this.ids).map(([name, id]) => [name, residentMbOf(id)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== null));
  }
}
