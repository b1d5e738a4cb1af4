import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
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

/**
 * Counts the requests in flight of both protocols. One event loop serves all of them, so overload would delay every request, and
 * also the measurement of the command backlog. Requests above HTTP_MAX_IN_FLIGHT are refused before any work is done for them.
 */
@Injectable()
export class InFlightRequests {
  private readonly counts: Record<Protocol, number> = { rest: 0, grpc: 0 };
  private readonly limit: number;
  private unlogged = 0;

  constructor(
    private readonly logger: AppLogger,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
    @Inject(SETTINGS) { HTTP_MAX_IN_FLIGHT }: GatewaySettings,
  ) {
    this.limit = HTTP_MAX_IN_FLIGHT || Infinity;
    for (const protocol of protocols) metrics.requestsShed.inc({ protocol }, 0);
    metrics.onScrape('requestsInFlight', (gauge) => {
      for (const protocol of protocols) gauge.set({ protocol }, this.counts[protocol]);
    });
  }

  get isFull(): boolean {
    return this.counts.rest + this.counts.grpc >= this.limit;
  }

  begin(protocol: Protocol): void {
    this.counts[protocol]++;
  }

  /** Call exactly once for each `begin`. */
  end(protocol: Protocol, requests = 1): void {
    this.counts[protocol] -= requests;
  }

  /** Counts and logs a refusal. @returns the error to respond with */
  refuse(protocol: Protocol): SpooledError {
    this.metrics.requestsShed.inc({ protocol });
    // The log line covers many requests, so it must not have the context of the first one.
    if (this.unlogged++ === 0) resumeLogContext({}, () => setTimeout(() => this.logRefusals(), logIntervalMs).unref());
    return atCapacity;
  }

  private logRefusals(): void {
    this.logger.warn({ refused: this.unlogged, limit: this.limit }, 'server at capacity, requests refused');
    this.unlogged = 0;
  }
}
