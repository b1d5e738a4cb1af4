import { residentMbOf } from './process-times.js';

const everyMs = 500;

/** Resident memory of processes over time. */
export class MemoryWatch {
  private readonly first: Record<string, number>;
  private readonly most: Record<string, number> = {};
  private readonly timer: NodeJS.Timeout;

  /** @param ids - process ids by name */
  constructor(private readonly ids: Record<string, number>) {
    this.first = this.now();
    this.look();
    this.timer = setInterval(() => this.look(), everyMs);
  }

  /** `<name> MB at first | at most | at last`, of each process. */
  stop(): Record<string, number> {
    clearInterval(this.timer);
    const last = this.now();
    return Object.fromEntries(
      Object.keys(this.first).flatMap((name) => [
        [`${name} MB at first`, this.first[name] ?? 0],
        [`${name} MB at most`, this.most[name] ?? 0],
        [`${name} MB at last`, last[name] ?? 0],
      ]),
    );
  }

  private look(): void {
    for (const [name, megabytes] of Object.entries(this.now())) {
      this.most[name] = Math.max(this.most[name] ?? 0, megabytes);
    }
  }

  /** Without those that have ended, and empty where there is no /proc. */
  private now(): Record<string, number> {
    const entries = Object.entries(this.ids).map(([name, id]) => [name, residentMbOf(id)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== null));
  }
}
