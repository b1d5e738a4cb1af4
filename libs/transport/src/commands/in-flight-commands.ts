import type { Clock } from '@spooled/domain';

/** Counts commands in flight and pauses readers at the limit. */
export class InFlightCommands {
  private inFlight = 0;
  private waiters: (() => void)[] = [];
  private stopped = false;

  constructor(
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  get available(): number {
    return this.stopped ? 0 : Math.max(0, this.limit - this.inFlight);
  }

  start(): void {
    this.inFlight++;
  }

  finish(): void {
    this.inFlight--;
    this.wake();
  }

  /** Resolves when capacity is available, or at once after `stop`. */
  async acquire(): Promise<void> {
    while (!this.stopped && this.available === 0) await this.nextChange();
  }

  /** Permanently sets the capacity to zero. */
  stop(): void {
    this.stopped = true;
    this.wake();
  }

  /** Resolves with true when no command is in flight, or with false after `timeoutMs`. */
  async whenIdle(timeoutMs: number): Promise<boolean> {
    let timedOut = false;
    const timer = this.clock.after(timeoutMs, () => {
      timedOut = true;
      this.wake();
    });
    while (this.inFlight > 0 && !timedOut) await this.nextChange();
    timer.cancel();
    return this.inFlight === 0;
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
