import { systemClock } from '@spooled/clock';
import type { DeliveryDispatcher, DeliveryRef } from '@spooled/contracts';
import { findOverdueDeliveries, firstOrganization, type Database } from '@spooled/data-access';
import { partition } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { Deliverer } from '../deliver/deliverer.service.js';
import type { HeldDeliveries } from './held-deliveries.js';

export interface DeliverySweepOptions {
  /** A delivery overdue by this much is not in Redis: it was lost, or waited for long. */
  overdueSeconds: number;
  intervalMs: number;
  /** Whether the organization's Redis can take deliveries. */
  redisServes(organizationId: string): boolean;
  redisServesAll(): boolean;
}

/** Of one sweep. One organization alone gets all of them. */
const page = { organizations: 100, limit: 5_000 };
/** While Redis is unavailable the sweep makes all attempts, so it polls more often and includes everything due. */
const intervalWithoutRedisMs = 1_000;

/**
 * Finds deliveries that were lost in a crash or in Redis, or whose wait was long, and dispatches them; makes the attempts itself while
 * Redis is unavailable. Several processes may sweep: a duplicate dispatch is ignored, and a delivery is leased by one
 * process only.
 */
export class DeliverySweep {
  private readonly stopping = new AbortController();
  /** The organization after which the next sweep begins. */
  private position = firstOrganization;
  private running: Promise<void> = Promise.resolve();
  private failing = false;

  constructor(
    private readonly db: Database,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly deliverer: Pick<Deliverer, 'deliver' | 'isWaiting'>,
    private readonly held: Pick<HeldDeliveries, 'advance'>,
    private readonly logger: AppLogger,
    private readonly options: DeliverySweepOptions,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** One sweep: at most 5,000 deliveries, organizations in turn. Resolves with their number, and does not wait for attempts. */
  async sweep(): Promise<number> {
    const bySeconds = this.options.redisServesAll() ? this.options.overdueSeconds : 0;
    const { deliveries, next } = await this.db.asSystem('delivery sweep', (tx) =>
      findOverdueDeliveries(tx, { ...page, bySeconds, after: this.position }),
    );
    this.redispatch(deliveries);
    this.position = next;
    return deliveries.length;
  }

  private redispatch(deliveries: DeliveryRef[]): void {
    if (this.stopping.signal.aborted) return;
    // What waits for a place would only be handed out before the deliveries of others again.
    const found = deliveries.filter((one) => !this.deliverer.isWaiting(one));
    const [lost, withoutRedis] = partition(found, ({ organizationId }) => this.options.redisServes(organizationId));
    if (lost.length > 0) {
      this.dispatcher.dispatch(lost);
      // Not a warning: under a backlog most of these are queued in BullMQ, which ignores duplicates.
      this.logger.debug({ deliveries: lost.length }, 'dispatched overdue deliveries again');
    }
    // The next sweep does not wait for them: one slow receiver would hold up the deliveries of all others until it has answered.
    for (const one of withoutRedis) this.deliverer.deliver(one).catch((err: unknown) => this.logTransition(err));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // Neither waits for the failure of the other.
      const done = Promise.all([this.held.advance(), this.sweep()]);
      await done.then(
        () => this.logTransition(undefined),
        (err: unknown) => this.logTransition(err),
      );
      const pause = this.options.redisServesAll() ? this.options.intervalMs : intervalWithoutRedisMs;
      await systemClock.sleep(pause, signal);
    }
  }

  /** Logs when sweeps start failing and when they recover. */
  private logTransition(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'delivery sweep failed');
    if (err === undefined && this.failing) this.logger.info('delivery sweep recovered');
    this.failing = err !== undefined;
  }
}
