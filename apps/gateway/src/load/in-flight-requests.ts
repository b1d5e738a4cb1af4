import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { AppLogger, METRICS, resumeLogContext, SETTINGS, type Metrics } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';

export type Protocol = 'rest' | 'grpc';

const retryAfterSeconds = 1;
/** How often the log says at most that callers were refused. */
const logIntervalMs = 1_000;
const tooMany = new SpooledError('SERVICE_UNAVAILABLE', 'Server is at capacity; retry later', {
  retryAfterSeconds,
});

/**
 * Counts what both protocols are working on. One event loop serves it all, so that what is let in beyond its means makes everything
 * late, also the news that commands wait too long: the protocols refuse what comes above HTTP_MAX_IN_FLIGHT before they spend
 * anything on it.
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
    metrics.onScrape('requestsInFlight', (gauge) => {
      for (const protocol of ['rest', 'grpc'] as const) gauge.set({ protocol }, this.counts[protocol]);
    });
  }

  get isFull(): boolean {
    return this.counts.rest + this.counts.grpc >= this.limit;
  }

  begin(protocol: Protocol): void {
    this.counts[protocol]++;
  }

  /** Exactly once for each that began. */
  end(protocol: Protocol, requests = 1): void {
    this.counts[protocol] -= requests;
  }

  /** Counts a refusal. @returns what to answer; nothing else needs to be logged about it */
  refuse(protocol: Protocol): SpooledError {
    this.metrics.requestsShed.inc({ protocol });
    // The line is about many requests, so it must not carry the ids of the one that came first.
    if (this.unlogged++ === 0) resumeLogContext({}, () => setTimeout(() => this.logRefusals(), logIntervalMs).unref());
    return tooMany;
  }

  private logRefusals(): void {
    this.logger.warn({ refused: this.unlogged, limit: this.limit }, 'server at capacity, requests refused');
    this.unlogged = 0;
  }
}
