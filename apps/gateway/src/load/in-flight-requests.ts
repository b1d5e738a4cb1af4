import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { AppLogger, METRICS, resumeLogContext, SETTINGS, type Metrics } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';

export type Door = 'rest' | 'grpc';

const secondsUntilNextTry = 1;
/** How often the log says at most that callers were refused. */
const sayEveryMs = 1_000;
const tooMany = new SpooledError('SERVICE_UNAVAILABLE', 'Too many requests are under way here; try again', {
  retryAfterSeconds: secondsUntilNextTry,
});

/**
 * Counts what both doors are working on. One event loop serves it all, so that what is let in beyond its means makes everything
 * late, also the news that commands wait too long: the doors refuse what comes above HTTP_MAX_IN_FLIGHT before they spend
 * anything on it.
 */
@Injectable()
export class RequestsUnderWay {
  private readonly counts: Record<Door, number> = { rest: 0, grpc: 0 };
  private readonly limit: number;
  private unsaid = 0;

  constructor(
    private readonly logger: AppLogger,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
    @Inject(SETTINGS) { HTTP_MAX_IN_FLIGHT }: GatewaySettings,
  ) {
    this.limit = HTTP_MAX_IN_FLIGHT || Infinity;
    metrics.onScrape('requestsUnderWay', (gauge) => {
      for (const door of ['rest', 'grpc'] as const) gauge.set({ door }, this.counts[door]);
    });
  }

  get isFull(): boolean {
    return this.counts.rest + this.counts.grpc >= this.limit;
  }

  begin(door: Door): void {
    this.counts[door]++;
  }

  /** Exactly once for each that began. */
  end(door: Door, requests = 1): void {
    this.counts[door] -= requests;
  }

  /** Counts a refusal. @returns what to answer; nothing else needs to be logged about it */
  refuse(door: Door): SpooledError {
    this.metrics.requestsShed.inc({ door });
    // The line is about many requests, so it must not carry the ids of the one that came first.
    if (this.unsaid++ === 0) resumeLogContext({}, () => setTimeout(() => this.say(), sayEveryMs).unref());
    return tooMany;
  }

  private say(): void {
    this.logger.warn({ refused: this.unsaid, limit: this.limit }, 'refused requests: too many are under way');
    this.unsaid = 0;
  }
}
