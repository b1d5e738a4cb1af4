/**
 * Lets at most `most` runs of tasks be in progress. A run holds a connection for its lock and needs another one for its work: locks that take
 * all connections, those of a pooler included, wait for each other. So a run waits here before it takes its lock.
 */
export class TaskTurns {
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly most: number) {}

  async run<T>(run: () => Promise<T>): Promise<T> {
    while (this.running.size >= this.most) await Promise.race(this.running).catch(() => undefined);
    const current = run();
    this.running.add(current);
    try {
      return await current;
    } finally {
      this.running.delete(current);
    }
  }
}
