import { systemClock } from '@spooled/clock';
import type { DeliveryDispatcher, DeliveryRef, ProductMetrics } from '@spooled/contracts';
import {
  recordAttempt,
  claimDelivery,
  type AttemptRecord,
  type Database,
  type ClaimedDelivery,
} from '@spooled/data-access';
import {
  type Clock,
  deliveryWaitMs,
  firstDeliveryAttempts,
  holdAfterFailures,
  InFlight,
  isDelivered,
  type DeliveryRetryRule,
} from '@spooled/domain';
import { withLogContext, withSpan, type AppLogger, type Metrics } from '@spooled/platform';
import { CallCapacity, Displacement } from '../callback/call-capacity.js';
import type { CallbackClient, CallbackResponse } from '../callback/callback-client.js';
import { reasonOf } from '../callback/callback-error.js';
import { entryOfError, entryOfResponse } from './attempt-entry.js';
import { deliveryRequest } from './delivery-request.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

export interface DelivererOptions extends DeliveryRetryRule {
  /** How long a webhook may fail before it is disabled. */
  disableAfterSeconds: number;
  /** Concurrent attempts, shared by organizations: one alone gets half of them. */
  maxConcurrent: number;
  /** Bytes of payloads of attempts in flight, shared likewise. */
  maxBytes: number;
  /** Default: the system's. */
  clock?: Clock;
  /** From [0, 1), for jitter; default Math.random. */
  random?: () => number;
  /** Lease of a delivery: longer than an attempt may take. */
  leaseSeconds?: number;
}

type Result = Omit<AttemptRecord, 'isLate' | 'disableAfterSeconds' | 'holdAfter'> & {
  outcome: 'success' | 'retry' | 'failed' | 'dropped' | 'interrupted' | 'displaced';
};

const defaultLeaseSeconds = 20;
/** Retry delay of an attempt that another organization has displaced. */
const displacedRetryMs = 1_000;
/** Deliveries that wait longer leave Redis: the sweep finds them in PostgreSQL. */
const longestQueuedWaitMs = 60_000;
/** About 10 MB of ids. The sweep finds those beyond, a thousand a second. */
const waitingLimits = { maxPerOrganization: 10_000, maxTotal: 100_000 };

/** Makes one attempt of a delivery: leases it, posts it, records the result (SP-53). The database row is authoritative. */
export class Deliverer {
  private readonly capacity: CallCapacity;
  private readonly inFlight = new InFlight();
  private readonly clock: Clock;
  private readonly waiting = new WaitingDeliveries(waitingLimits);
  private stopping = false;
  private interrupted = false;

  constructor(
    private readonly db: Database,
    private readonly client: CallbackClient,
    /** For attempts that are due later. */
    private readonly dispatcher: DeliveryDispatcher,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'webhookDeliveries'>,
    private readonly logger: AppLogger,
    private readonly options: DelivererOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    this.capacity = new CallCapacity({
      maxCalls: options.maxConcurrent,
      maxBytes: options.maxBytes,
      clock: this.clock,
      waiting: () => this.waiting.organizations(),
      onDisplaced: (figures) =>
        logger.warn(
          figures,
          'deliveries were displaced for organizations without any: OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES or replicas are too few',
        ),
    });
  }

  /** Attempts in flight. */
  get running(): number {
    return this.capacity.inUse;
  }

  /**
   * Makes an attempt if one is due. Resolves with the delay until the next one in milliseconds, or null when the
   * delivery is finished or held, waits for more than a minute, or waits for a place of its organization.
   * @throws SpooledError 503 when PostgreSQL is unavailable; the delivery stays pending
   */
  async deliver({ id, organizationId }: DeliveryRef): Promise<number | null> {
    if (this.interrupted) return 0;
    if (this.capacity.available(organizationId) < 1) return this.wait({ id, organizationId });
    this.capacity.reserve(organizationId, 1);
    try {
      return await this.inFlight.track(withLogContext({ organizationId }, () => this.attempt(organizationId, id)));
    } finally {
      this.capacity.reserve(organizationId, -1);
      this.deliverWaiting();
    }
  }

  /** Whether a delivery waits for a place in this process, or so many of its organization do that it cannot. */
  isWaiting(delivery: DeliveryRef): boolean {
    return this.waiting.covers(delivery);
  }

  /** For shutdown: attempts that take longer than `graceMs` are aborted and returned without counting. */
  async finish(graceMs: number): Promise<void> {
    this.stopping = true;
    this.capacity.close();
    this.dispatcher.dispatch(this.waiting.takeAll());
    const end = this.clock.after(graceMs, () => {
      this.interrupted = true;
      this.capacity.abortAll();
    });
    await this.inFlight.idle();
    end.cancel();
  }

  /** BullMQ would hand out a delivery that has no place again and again, before those of others. */
  private wait(delivery: DeliveryRef): number | null {
    if (this.stopping) return 0;
    this.waiting.add(delivery);
    this.capacity.displaceLater();
    return null;
  }

  private deliverWaiting(): void {
    while (!this.stopping && !this.capacity.isFull) {
      const next = this.waiting.next((organizationId) => this.capacity.available(organizationId) >= 1);
      if (!next) return;
      // Its place is taken at once, so the loop ends.
      void this.deliver(next).then(
        (dueInMs) => dueInMs !== null && this.dispatcher.dispatch([next]),
        (err: unknown) => this.leaveToSweep(err),
      );
    }
  }

  /** The others would fail as well. */
  private leaveToSweep(err: unknown): void {
    const deliveries = 1 + this.waiting.takeAll().length;
    this.logger.warn({ err, deliveries }, 'delivery attempt failed; the sweep will find the deliveries that wait');
  }

  private async attempt(organizationId: string, id: string): Promise<number | null> {
    const leaseSeconds = this.options.leaseSeconds ?? defaultLeaseSeconds;
    const taken = await this.db.withTenant(organizationId, (tx) => claimDelivery(tx, id, leaseSeconds));
    if (taken.kind === 'finished' || taken.kind === 'held') return null;
    if (taken.kind === 'later') return queuedWait(taken.dueInMs);
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
      return queuedWait(result.waitMs);
    });
  }

  private async send(delivery: ClaimedDelivery): Promise<Result> {
    const { target } = delivery;
    if (!target) return dropped('The webhook is disabled');
    const message = deliveryRequest(delivery, target, this.clock.now());
    const call = this.capacity.begin(delivery.organizationId, message.body);
    const { signal } = call;
    const startedAt = this.clock.monotonic();
    const latency = () => Math.round(this.clock.monotonic() - startedAt);
    try {
      return this.answered(delivery, await this.client.post(target.url, { ...message, signal }), latency());
    } catch (error) {
      if (signal.reason instanceof Displacement) return { ...displaced, status: delivery.status };
      if (signal.aborted) return { ...interrupted, status: delivery.status };
      const entry = entryOfError(error, latency());
      return this.failed(delivery, { statusCode: null, responseBody: null, error: reasonOf(error), entry });
    } finally {
      this.capacity.end(call);
    }
  }

  private answered(delivery: ClaimedDelivery, response: CallbackResponse, latencyMs: number): Result {
    const { statusCode, body: responseBody } = response;
    const error = isDelivered(statusCode) ? null : `HTTP ${statusCode}`;
    const entry = entryOfResponse(response, error, latencyMs);
    if (error !== null) return this.failed(delivery, { statusCode, responseBody, error, entry });
    return { outcome: 'success', status: 'success', statusCode, responseBody, error, entry, waitMs: null, sent: true };
  }

  private failed(
    { attempts, retrySeconds, ...delivery }: ClaimedDelivery,
    response: Pick<Result, 'statusCode' | 'responseBody' | 'error' | 'entry'>,
  ): Result {
    const made = attempts + 1;
    const rule = { ...this.options, retrySeconds: retrySeconds ?? this.options.retrySeconds };
    const waitMs = deliveryWaitMs({ ...delivery, attempts: made }, rule, (this.options.random ?? Math.random)());
    const status = waitMs === null || made >= firstDeliveryAttempts ? 'failed' : 'pending';
    return { ...response, outcome: waitMs === null ? 'failed' : 'retry', status, waitMs, sent: true };
  }

  private async record(delivery: ClaimedDelivery, { outcome, ...result }: Result): Promise<void> {
    const { recorded, autoDisabled } = await this.db.withTenant(delivery.organizationId, (tx) =>
      recordAttempt(tx, delivery, {
        ...result,
        isLate: result.status !== 'pending',
        disableAfterSeconds: this.options.disableAfterSeconds,
        holdAfter: holdAfterFailures,
      }),
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
    if (autoDisabled)
      this.logger.warn(fields, 'webhook disabled: it has failed for OUTGOING_WEBHOOK_DISABLE_AFTER_SECS');
  }
}

const dropped = (error: string): Result => ({
  outcome: 'dropped',
  status: 'failed',
  statusCode: null,
  responseBody: null,
  error,
  entry: null,
  waitMs: null,
  sent: false,
});

const interrupted: Result = { ...dropped('Interrupted'), outcome: 'interrupted', waitMs: 0 };
const displaced: Result = { ...interrupted, outcome: 'displaced', waitMs: displacedRetryMs };

/** The wait of a delivery that stays in Redis. */
const queuedWait = (waitMs: number | null): number | null =>
  waitMs === null || waitMs > longestQueuedWaitMs ? null : waitMs;
