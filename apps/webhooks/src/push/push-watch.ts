import { setTimeout as sleep } from 'node:timers/promises';
import { listPushQueues, type Database } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { PushDispatcher } from './push-dispatcher.js';

/** More push queues than this in one deployment are left out, and the log says so. */
const maxQueues = 10_000;

/**
 * Looks for push queues and for their work: from time to time, because signals may be lost, and at once when the settings of a queue
 * change (MQ-16).
 */
export class PushWatch {
  private readonly stopping = new AbortController();
  private wake = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failing = false;

  constructor(
    private readonly db: Database,
    private readonly dispatcher: Pick<PushDispatcher, 'update'>,
    private readonly logger: AppLogger,
    private readonly intervalMs: number,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Looks now. */
  look(): void {
    this.wake.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Renewed before the look: a change that comes while it reads makes it read again.
      this.wake = new AbortController();
      await this.refresh();
      const { signal } = this.wake;
      if (!this.stopping.signal.aborted) await sleep(this.intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async refresh(): Promise<void> {
    try {
      const queues = await this.db.asSystem('look for push queues', (tx) => listPushQueues(tx, maxQueues));
      if (queues.length === maxQueues)
        this.logger.warn({ queues: maxQueues }, 'too many push queues; some are left out');
      if (!this.stopping.signal.aborted) this.dispatcher.update(queues);
      this.note(undefined);
    } catch (err) {
      this.note(err);
    }
  }

  /** One line when looking begins to fail and one when it works again. */
  private note(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'push queues could not be read');
    if (err === undefined && this.failing) this.logger.info('push queues are read again');
    this.failing = err !== undefined;
  }
}
