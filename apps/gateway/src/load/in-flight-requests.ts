import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { type ShareOwner, SpooledError, TenantShares } from '@spooled/domain';
import { AppLogger, METRICS, resumeLogContext, SETTINGS, type Metrics } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';

const protocols = ['rest', 'grpc'] as const;
export type Protocol = (typeof protocols)[number];

const retryAfterSeconds = 1;
/** Minimum time between log lines about refused requests. */
const logIntervalMs = 1_000;
const atCapacity = new SpooledError('SERVICE_UNAVAILABLE', 'Server is at capacity; retry later', {
  retryAfterSeconds,
});

/** Why a request was refused: all capacity is in use, or its organization has its share of it. */
const reasons = ['capacity', 'share'] as const;

/**
 * Counts the requests in flight of both protocols. One event loop serves all of them, so overload would delay every request, and
 * also the measurement of the command backlog. Requests above HTTP_MAX_IN_FLIGHT, or above the share of their organization (BX-03),
 * are refused before any work is done for them.
 */
@Injectable()
export class InFlightRequests {
  private readonly counts: Record<Protocol, number> = { rest: 0, grpc: 0 };
  private readonly limit: number;
  private readonly shares: TenantShares;
  private readonly unlogged = { capacity: 0, share: 0 };

  constructor(
    private readonly logger: AppLogger,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
    @Inject(SETTINGS) { HTTP_MAX_IN_FLIGHT }: GatewaySettings,
  ) {
    this.limit = HTTP_MAX_IN_FLIGHT || Infinity;
    this.shares = new TenantShares(this.limit);
    for (const protocol of protocols) for (const reason of reasons) metrics.requestsShed.inc({ protocol, reason }, 0);
    metrics.onScrape('requestsInFlight', (gauge) => {
      for (const protocol of protocols) gauge.set({ protocol }, this.counts[protocol]);
    });
  }

  get isFull(): boolean {
    return this.shares.free < 1;
  }

  /** Whether the owner may have one more request in flight. */
  hasCapacity({ name, weight }: ShareOwner): boolean {
    return this.shares.available(name, weight) >= 1;
  }

  /** Counts a request. @returns ends it; further calls do nothing */
  begin(protocol: Protocol, { name }: ShareOwner): () => void {
    this.counts[protocol]++;
    this.shares.take(name, 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.counts[protocol]--;
      this.shares.release(name, 1);
    };
  }

  /** Counts and logs a refusal. @returns the error to respond with */
  refuse(protocol: Protocol): SpooledError {
    const reason = this.isFull ? 'capacity' : 'share';
    this.metrics.requestsShed.inc({ protocol, reason });
    // The log line covers many requests, so it must not have the context of the first one.
    if (this.unlogged.capacity + this.unlogged.share === 0) {
      resumeLogContext({}, () => setTimeout(() => this.logRefusals(), logIntervalMs).unref());
    }
    this.unlogged[reason]++;
    return atCapacity;
  }

  private logRefusals(): void {
    const { capacity, share } = this.unlogged;
    const fields = { refused: capacity + share, beyond_share: share, limit: this.limit };
    this.logger.warn(fields, 'server at capacity, requests refused');
    this.unlogged.capacity = this.unlogged.share = 0;
  }
}
