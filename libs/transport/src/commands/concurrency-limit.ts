/** Counts the commands in work and holds readers back while there are too many. */
export class ConcurrencyLimit {
  private inWork = 0;
  private waiters: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly limit: number) {}

  get room(): number {
    return this.stopped ? 0 : Math.max(0, this.limit - this.inWork);
  }

  enter(): void {
    this.inWork++;
  }

  leave(): void {
    this.inWork--;
    this.wake();
  }

  /** Resolves when there is room, or at once after `stop`. */
  async acquire(): Promise<void> {
    while (!this.stopped && this.room === 0) await this.nextChange();
  }

  /** Lets nobody in any more. */
  stop(): void {
    this.stopped = true;
    this.wake();
  }

  /** Resolves with true when nothing is in work, with false when that takes longer than `timeoutMs`. */
  async whenIdle(timeoutMs: number): Promise<boolean> {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      this.wake();
    }, timeoutMs);
    while (this.inWork > 0 && !isOver) await this.nextChange();
    clearTimeout(timer);
    return this.inWork === 0;
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  private wake(): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter();
  }
}
