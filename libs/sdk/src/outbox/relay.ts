import type { Spooled } from '../spooled.js';
import type { WorkerClock } from '../worker/clock.js';
import { Delivery, retryAfterMs } from './delivery.js';
import type { OutboxRows } from './outbox-rows.js';

export interface RelayOptions {
  clock: WorkerClock;
  /** Pause between two looks at a table without due rows. */
  pollIntervalMs: number;
  onError(error: unknown): void;
}

const longestPauseMs = 30_000;

/**
 * Sends the jobs of an outbox until it is stopped. Any number of relays may run. When the services or the database cannot be reached, it
 * pauses for as long as they ask, otherwise twice as long each time.
 */
export class OutboxRelay {
  private readonly stopping = new AbortController();
  private idle = new AbortController();
  private running: Promise<void> | undefined;
  private failures = 0;

  /** @internal */
  constructor(
    private readonly table: OutboxRows,
    private readonly client: Spooled,
    private readonly options: RelayOptions,
  ) {}

  /** @throws Error when it was started before */
  start(): void {
    if (this.running) throw new Error('Relay already started');
    this.running = this.run();
  }

  /** Looks at the table now. */
  wake(): void {
    this.idle.abort();
  }

  /** Resolves when the request in flight has ended and what it was about is written down. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.idle.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { clock, pollIntervalMs, onError } = this.options;
    while (!signal.aborted) {
      this.idle = new AbortController();
      try {
        const isBusy = await this.sendBatch();
        this.failures = 0;
        if (!isBusy && !signal.aborted) await clock.sleep(pollIntervalMs, this.idle.signal);
      } catch (error) {
        this.failures++;
        onError(error);
        await clock.sleep(this.pauseAfter(error), signal);
      }
    }
  }

  /** @returns whether there may be more rows now */
  private async sendBatch(): Promise<boolean> {
    const { table, stopping, options } = this;
    const takenAt = options.clock.monotonic();
    const batch = await table.take();
    if (batch.rows.length === 0) return false;
    const hasEnded = () => options.clock.monotonic() - takenAt >= table.leaseMs;
    const delivery = new Delivery(table, this.client, batch, options.onError);
    await delivery.run({ isStopping: () => stopping.signal.aborted, hasEnded });
    return delivery.hasProgress;
  }

  private pauseAfter(error: unknown): number {
    const grown = this.options.pollIntervalMs * 2 ** Math.min(this.failures, 10);
    return Math.max(Math.min(grown, longestPauseMs), retryAfterMs(error));
  }
}
