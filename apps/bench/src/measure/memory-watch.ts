import { residentMbOf } from './process-times.js';

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

  /** `<name> MB at start | at peak | at end` of each process. */
  stop(): Record<string, number> {
    clearInterval(this.timer);
    const last = this.read();
    return Object.fromEntries(
      Object.keys(this.initial).flatMap((name) => [
        [`${name} MB at start`, this.initial[name] ?? 0],
        [`${name} MB at peak`, this.peak[name] ?? 0],
        [`${name} MB at end`, last[name] ?? 0],
      ]),
    );
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
