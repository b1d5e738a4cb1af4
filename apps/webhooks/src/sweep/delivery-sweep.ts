import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryDispatcher, DeliveryRef } from '@spooled/contracts';
import { findOverdueDeliveries, firstOverdue, type Database, type OverdueDelivery } from '@spooled/data-access';
import type { AppLogger } from '@spooled/platform';
import type { Deliverer } from '../deliver/deliverer.service.js';

export interface DeliverySweepOptions {
  /** A delivery that is overdue by this much has been lost on its way through Redis. */
  overdueSeconds: number;
  intervalMs: number;
  /** Attempts that this process makes by itself, at once, while Redis is away. */
  maxConcurrent: number;
  /** Whether Redis, as far as it serves this organization, can take deliveries. */
  redisServes(organizationId: string): boolean;
  redisServesAll(): boolean;
}

const pageSize = 500;
const pagesPerRound = 10;
/** While Redis is away the sweep is all there is, so it looks more often and waits for nothing to be overdue. */
const intervalWithoutRedisMs = 1_000;

/**
 * Finds deliveries whose hand-over was lost, by a crash or by Redis, and hands them over again; makes the attempts itself while
 * Redis is away. Several processes may sweep: a second hand-over is ignored, and a delivery is taken by one of them only.
 */
export class DeliverySweep {
  private readonly stopping = new AbortController();
  private position: OverdueDelivery = firstOverdue;
  private running: Promise<void> = Promise.resolve();
  private failing = false;

  constructor(
    private readonly db: Database,
    private readonly handover: DeliveryDispatcher,
    private readonly deliverer: Pick<Deliverer, 'deliver'>,
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

  /** One round: at most some thousand rows, going on where the last one stopped. Resolves with how many were overdue. */
  async sweep(): Promise<number> {
    let found = 0;
    for (let page = 0; page < pagesPerRound && !this.stopping.signal.aborted; page++) {
      const overdue = await this.nextPage();
      await this.offer(overdue);
      found += overdue.length;
      this.position = overdue.length < pageSize ? firstOverdue : overdue.at(-1)!;
      if (overdue.length < pageSize) break;
    }
    return found;
  }

  private nextPage(): Promise<OverdueDelivery[]> {
    const bySeconds = this.options.redisServesAll() ? this.options.overdueSeconds : 0;
    return this.db.asSystem('delivery sweep', (tx) =>
      findOverdueDeliveries(tx, { bySeconds, after: this.position, limit: pageSize }),
    );
  }

  private async offer(deliveries: DeliveryRef[]): Promise<void> {
    const { redisServes, maxConcurrent } = this.options;
    const lost = deliveries.filter(({ organizationId }) => redisServes(organizationId));
    if (lost.length > 0) {
      this.handover.dispatch(lost);
      // Not a warning: under a backlog most of these wait in BullMQ, which passes over what it has.
      this.logger.debug({ deliveries: lost.length }, 'handed overdue deliveries over again');
    }
    const stranded = deliveries.filter(({ organizationId }) => !redisServes(organizationId)).values();
    await Promise.all(Array.from({ length: maxConcurrent }, () => this.deliverAll(stranded)));
  }

  /** Several of these share one iterator, so that each takes the next delivery as soon as it is free. */
  private async deliverAll(deliveries: IterableIterator<DeliveryRef>): Promise<void> {
    for (const delivery of deliveries) {
      if (this.stopping.signal.aborted) return;
      await this.deliverer.deliver(delivery);
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.sweep().then(
        () => this.note(undefined),
        (err: unknown) => this.note(err),
      );
      const pause = this.options.redisServesAll() ? this.options.intervalMs : intervalWithoutRedisMs;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One line when sweeping begins to fail and one when it works again. */
  private note(err: unknown): void {
    if (err !== undefined && !this.failing) this.logger.error({ err }, 'the delivery sweep failed');
    if (err === undefined && this.failing) this.logger.info('the delivery sweep works again');
    this.failing = err !== undefined;
  }
}
