import { systemClock } from '@spooled/clock';
import type { QueueHandlers, Worker } from '@spooled/sdk';
import type { ConnectionWorkerOptions } from '@spooled/sdk/internal';
import { EmbeddedConnection } from '../embedded-connection.js';
import type { EmbeddedSpooled } from '../embedded-spooled.js';
import { InlineWorker } from './inline-worker.js';

/** The connection of a test: its time can be moved, and its workers may wait for `drain`. */
export class TestConnection extends EmbeddedConnection {
  readonly inline: InlineWorker[] = [];
  private movedMs = 0;

  constructor(
    private readonly process: EmbeddedSpooled,
    private readonly isInline: boolean,
  ) {
    super(process);
  }

  override readonly now = (): number => systemClock.now() + this.movedMs;

  /** Moves the time by which delays count. */
  move(ms: number): void {
    this.movedMs += ms;
  }

  override worker(queues: Record<string, QueueHandlers>, options: ConnectionWorkerOptions): Worker {
    if (!this.isInline) return super.worker(queues, { pollIntervalMs: 20, ...options });
    const worker = new InlineWorker(this.process.newSource(), { ...options, queues });
    this.inline.push(worker);
    return worker;
  }
}
