import { setTimeout as sleep } from 'node:timers/promises';
import { listPushQueues, type Database } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { PushDispatcher } from './push-dispatcher.js';

/** More push queues than this in one deployment are left out, and the log says so. */
const maxQueues = 10_000;
/** Where no queue is pushed there is no work to miss, only a first push queue whose notice was lost. */
const longerWithoutQueues = 5;

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
    /** Whether word of changed settings comes in. */
    private readonly hearsOfChanges: () => boolean,
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
      const queues = await this.refresh();
      const isRest = queues === 0 && this.hearsOfChanges();
      const pauseMs = isRest ? longerWithoutQueues * this.intervalMs : this.intervalMs;
      const { signal } = this.wake;
      if (!this.stopping.signal.aborted) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** How many push queues there are; undefined when they could not be read. */
  private async refresh(): Promise<number | undefined> {
    try {
      const queues = await this.db.asSystem('look for push queues', (tx) => listPushQueues(tx, maxQueues));
      if (queues.length === maxQueues)
        this.logger.warn({ queues: maxQueues }, 'too many push queues; some are left out');
      if (!this.stopping.signal.aborted) this.dispatcher.update(queues);
      this.note(undefined);
      return queues.length;
    } catch (err) {
      this.note(err);
      return undefined;
    }
  }

  /** One line when looking begins to fail and one when it works again. */
  private note(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'push queues could not be read');
    if (err === undefined && this.failing) this.logger.info('push queues are read again');
    this.failing = err !== undefined;
  }
}
