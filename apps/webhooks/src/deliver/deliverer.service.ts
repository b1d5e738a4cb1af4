import { setMaxListeners } from 'node:events';
import type { DeliveryRef, ProductMetrics } from '@spooled/contracts';
import {
  recordAttempt,
  claimDelivery,
  type AttemptRecord,
  type Database,
  type ClaimedDelivery,
} from '@spooled/data-access';
import { deliveryWaitMs, InFlight, isDelivered, TenantShares, type DeliveryRetryRule } from '@spooled/domain';
import { withLogContext, withSpan, type AppLogger, type Metrics } from '@spooled/platform';
import type { CallbackClient } from '../callback/callback-client.js';
import { reasonOf } from '../callback/callback-error.js';
import { deliveryRequest } from './delivery-request.js';

export interface DelivererOptions extends DeliveryRetryRule {
  /** Concurrent attempts, shared by organizations: one alone gets half of them. */
  maxConcurrent: number;
  /** Lease of a delivery: longer than an attempt may take. */
  leaseSeconds?: number;
}

type Result = Omit<AttemptRecord, 'disableAfter'> & {
  outcome: 'success' | 'retry' | 'failed' | 'dropped' | 'interrupted';
};

const defaultLeaseSeconds = 20;
const disableAfter = 20;
/** Retry delay of a delivery whose organization uses its whole share. */
const shareExceededRetryMs = 250;

/** Makes one attempt of a delivery: leases it, posts it, records the result (SP-53). The database row is authoritative. */
export class Deliverer {
  private readonly shares: TenantShares;
  private readonly inFlight = new InFlight();
  private readonly interruption = new AbortController();

  constructor(
    private readonly db: Database,
    private readonly client: CallbackClient,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'webhookDeliveries'>,
    private readonly logger: AppLogger,
    private readonly options: DelivererOptions,
  ) {
    this.shares = new TenantShares(options.maxConcurrent);
    // Every attempt in flight adds a listener, and Node warns above ten.
    setMaxListeners(0, this.interruption.signal);
  }

  /**
   * Makes an attempt if one is due. Resolves with the delay until the next one in milliseconds, or null when the
   * delivery is finished.
   * @throws SpooledError 503 when PostgreSQL is unavailable; the delivery stays pending
   */
  async deliver({ id, organizationId }: DeliveryRef): Promise<number | null> {
    if (this.interruption.signal.aborted) return 0;
    if (this.shares.available(organizationId) < 1) return shareExceededRetryMs;
    this.shares.take(organizationId, 1);
    try {
      return await this.inFlight.track(withLogContext({ organizationId }, () => this.attempt(organizationId, id)));
    } finally {
      this.shares.release(organizationId, 1);
    }
  }

  /** For shutdown: attempts that take longer than `graceMs` are aborted and returned without counting. */
  async finish(graceMs: number): Promise<void> {
    const end = setTimeout(() => this.interruption.abort(new Error('The process is shutting down')), graceMs);
    await this.inFlight.idle();
    clearTimeout(end);
  }

  private async attempt(organizationId: string, id: string): Promise<number | null> {
    const leaseSeconds = this.options.leaseSeconds ?? defaultLeaseSeconds;
    const taken = await this.db.withTenant(organizationId, (tx) => claimDelivery(tx, id, leaseSeconds));
    if (taken.kind === 'finished') return null;
    if (taken.kind === 'later') return taken.dueInMs;
    const { delivery } = taken;
    return withLogContext({ jobId: delivery.jobId ?? undefined }, () => this.run(delivery));
  }

  private run(delivery: ClaimedDelivery): Promise<number | null> {
    const attributes = { 'spooled.delivery.id': delivery.id, 'spooled.event': delivery.event };
    return withSpan('webhook deliver', { kind: 'client', parent: delivery.traceparent, attributes }, async (span) => {
      const result = await this.send(delivery);
      span.setAttributes({
        'spooled.delivery.outcome': result.outcome,
        'spooled.delivery.attempt': delivery.attempts + 1,
      });
      await this.record(delivery, result);
      return result.status === 'pending' ? result.waitMs : null;
    });
  }

  private async send(delivery: ClaimedDelivery): Promise<Result> {
    const { target } = delivery;
    if (!target) return dropped(delivery.webhookId ? 'The webhook is disabled' : 'The job no longer exists');
    try {
      const message = deliveryRequest(delivery, target, Date.now());
      const response = await this.client.post(target.url, { ...message, signal: this.interruption.signal });
      const { statusCode, body: responseBody } = response;
      if (!isDelivered(statusCode)) return this.failed(delivery, `HTTP ${statusCode}`, { statusCode, responseBody });
      return { outcome: 'success', status: 'success', statusCode, responseBody, error: null, waitMs: 0, sent: true };
    } catch (error) {
      if (this.interruption.signal.aborted) return interrupted;
      return this.failed(delivery, reasonOf(error), { statusCode: null, responseBody: null });
    }
  }

  private failed(
    { attempts }: ClaimedDelivery,
    error: string,
    response: Pick<Result, 'statusCode' | 'responseBody'>,
  ): Result {
    const waitMs = deliveryWaitMs(attempts + 1, this.options);
    if (waitMs === null) return { ...response, outcome: 'failed', status: 'failed', error, waitMs: 0, sent: true };
    return { ...response, outcome: 'retry', status: 'pending', error, waitMs, sent: true };
  }

  private async record(delivery: ClaimedDelivery, { outcome, ...result }: Result): Promise<void> {
    const { recorded, autoDisabled } = await this.db.withTenant(delivery.organizationId, (tx) =>
      recordAttempt(tx, delivery, { ...result, disableAfter }),
    );
    this.metrics.webhookDeliveries.inc({ outcome });
    const fields = {
      delivery_id: delivery.id,
      webhook_id: delivery.webhookId,
      event: delivery.event,
      attempt: delivery.attempts + 1,
      outcome,
      status_code: result.statusCode,
      error: result.error,
    };
    if (outcome === 'success') this.logger.debug(fields, 'webhook delivered');
    else this.logger.info(fields, 'webhook not delivered');
    if (!recorded) this.logger.warn(fields, 'attempt exceeded its lease; another attempt replaces it');
    if (autoDisabled) this.logger.warn(fields, `webhook disabled after ${disableAfter} consecutive failed deliveries`);
  }
}

const dropped = (error: string): Result => ({
  outcome: 'dropped',
  status: 'failed',
  statusCode: null,
  responseBody: null,
  error,
  waitMs: 0,
  sent: false,
});

const interrupted: Result = { ...dropped('Interrupted'), outcome: 'interrupted', status: 'pending' };
