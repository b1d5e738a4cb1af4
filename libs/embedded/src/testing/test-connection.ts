import { systemClock } from '@spooled/clock';
import type { QueueHandlers, Worker } from '@spooled/sdk';
import type { ConnectionWorkerOptions } from '@spooled/sdk/internal';
import { EmbeddedConnection } from '../embedded-connection.js';
import type { EmbeddedSpooled } from '../embedded-spooled.js';
import { InlineWorker } from './inline-worker.js';

/** The connection of a test: its time can be moved or stands still, and its workers may wait for `drain`. */
export class TestConnection extends EmbeddedConnection {
  readonly inline: InlineWorker[] = [];
  private movedMs = 0;

  /** @param stoppedAt milliseconds since 1970 at which the time stands, and workers wait for `drain`; null: both run */
  constructor(
    private readonly process: EmbeddedSpooled,
    private readonly stoppedAt: number | null,
  ) {
    super(process);
  }

  override readonly now = (): number => (this.stoppedAt ?? systemClock.now()) + this.movedMs;

  /** Moves the time by which delays count. */
  move(ms: number): void {
    this.movedMs += ms;
  }

  override worker(queues: Record<string, QueueHandlers>, options: ConnectionWorkerOptions): Worker {
    if (this.stoppedAt === null) return super.worker(queues, { pollIntervalMs: 20, ...options });
    const worker = new InlineWorker(this.process.newSource(), { ...options, queues });
    this.inline.push(worker);
    return worker;
  }
}
