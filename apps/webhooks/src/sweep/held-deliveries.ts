import type { DeliveryDispatcher, DeliveryRef, ProductMetrics } from '@spooled/contracts';
import {
  beginProbe,
  type Database,
  dropOldestHeld,
  findHeldWebhooks,
  type HeldWebhook,
  isStatementTimeout,
  releaseHeld,
} from '@spooled/data-access';
import { probeWaits } from '@spooled/domain';
import type { AppLogger, Metrics } from '@spooled/platform';

/** Webhooks of one sweep. */
const maxWebhooks = 1_000;
const releasedAtOnce = 1_000;
const droppedAtOnce = 10_000;

/**
 * While the receiver of a webhook fails, its deliveries are held, so that each costs no attempts. This class sends one of them as a probe
 * at growing waits, releases all when one has succeeded, and gives up the oldest when too many wait (BX-37). All of its state is in
 * PostgreSQL, so any process may do any step.
 */
export class HeldDeliveries {
  constructor(
    private readonly db: Database,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'webhookDeliveries'>,
    private readonly logger: AppLogger,
    /** `max` held deliveries of one webhook. */
    private readonly options: { max: number },
  ) {}

  /** @throws SpooledError 503 when PostgreSQL is unavailable, or after all others when one webhook has waited for a lock */
  async advance(): Promise<void> {
    const webhooks = await this.db.asSystem('held deliveries', (tx) =>
      tx.run(findHeldWebhooks, { limit: maxWebhooks }),
    );
    const timeouts: unknown[] = [];
    for (const webhook of webhooks) {
      try {
        await this.advanceOne(webhook);
      } catch (error) {
        if (!isStatementTimeout(error)) throw error;
        timeouts.push(error);
      }
    }
    if (timeouts.length > 0) throw timeouts[0];
  }

  private async advanceOne(webhook: HeldWebhook): Promise<void> {
    const ids = await (webhook.isHeld ? this.probe(webhook) : this.release(webhook));
    const { organizationId } = webhook;
    if (ids.length > 0) this.dispatcher.dispatch(ids.map((id): DeliveryRef => ({ id, organizationId })));
  }

  private async probe({ id, organizationId }: HeldWebhook): Promise<string[]> {
    const { max } = this.options;
    const error = `Dropped: more than ${max} deliveries waited for the receiver`;
    const { dropped } = await this.db.withTenant(organizationId, (tx) =>
      tx.one(dropOldestHeld, { id, max, limit: droppedAtOnce, error }),
    );
    if (dropped > 0) this.reportDropped(id, organizationId, dropped);
    // The probe stays due, so the next sweep drops more.
    if (dropped === droppedAtOnce) return [];
    const probes = await this.db.withTenant(organizationId, (tx) => tx.run(beginProbe, { id, ...probeWaits }));
    return probes.map((probe) => probe.id);
  }

  private async release({ id, organizationId }: HeldWebhook): Promise<string[]> {
    const webhook = { id, limit: releasedAtOnce };
    const released = await this.db.withTenant(organizationId, (tx) => tx.run(releaseHeld, webhook));
    return released.map((delivery) => delivery.id);
  }

  private reportDropped(webhookId: string, organizationId: string, deliveries: number): void {
    this.metrics.webhookDeliveries.inc({ outcome: 'overflow' }, deliveries);
    this.logger.warn(
      { webhook_id: webhookId, organizationId, deliveries },
      'held deliveries were dropped: more than OUTGOING_WEBHOOK_MAX_HELD waited for a receiver that fails',
    );
  }
}
