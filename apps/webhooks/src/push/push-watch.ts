import { systemClock } from '@spooled/clock';
import { type Clock, type PlanOverrides, planLimits } from '@spooled/domain';
import { listPushQueues, type Database, type PushQueueRow } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { CappedPushQueue, PushDispatcher } from './push-dispatcher.js';

/** Push queues beyond this number are skipped with a warning. */
const maxQueues = 10_000;
/** Without push queues, only the lost signal of a new one can be missed. */
const idleIntervalFactor = 5;

/**
 * Polls push queues and their jobs, because signals may be lost. A changed setting refreshes at once (MQ-16).
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
    /** Whether signals of changed settings are received. */
    private readonly receivesSignals: () => boolean,
    private readonly overrides: PlanOverrides,
    private readonly clock: Clock = systemClock,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Refreshes now. */
  refreshNow(): void {
    this.wake.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Replaced before reading, so that a change during the read triggers another one.
      this.wake = new AbortController();
      const queues = await this.refresh();
      const isIdle = queues === 0 && this.receivesSignals();
      const pauseMs = isIdle ? idleIntervalFactor * this.intervalMs : this.intervalMs;
      const { signal } = this.wake;
      if (!this.stopping.signal.aborted) await this.clock.sleep(pauseMs, signal);
    }
  }

  /** Number of push queues; undefined when they could not be read. */
  private async refresh(): Promise<number | undefined> {
    try {
      const queues = await this.db.asSystem('list push queues', (tx) => listPushQueues(tx, maxQueues));
      if (queues.length === maxQueues)
        this.logger.warn({ queues: maxQueues }, 'too many push queues; some are skipped');
      if (!this.stopping.signal.aborted) this.dispatcher.update(queues.map((queue) => this.withCap(queue)));
      this.logTransition(undefined);
      return queues.length;
    } catch (err) {
      this.logTransition(err);
      return undefined;
    }
  }

  private withCap({ planTier, customLimits, ...queue }: PushQueueRow): CappedPushQueue {
    return { ...queue, maxCalls: planLimits(planTier, this.overrides, customLimits).max_push_calls };
  }

  /** Logs when reading starts failing and when it recovers. */
  private logTransition(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'failed to read push queues');
    if (err === undefined && this.failing) this.logger.info('reading push queues recovered');
    this.failing = err !== undefined;
  }
}
