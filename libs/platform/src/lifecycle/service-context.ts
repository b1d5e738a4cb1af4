import type { HealthChecks, HealthReport } from '../health/health-checks.js';
import type { AppLogger } from '../log/logger.js';
import type { Scrape } from '../metrics/metrics.js';

/** Settings, logger, metrics and lifecycle of a service. */
export interface ServiceContext<S = unknown, M extends Scrape = Scrape> {
  readonly name: string;
  readonly version: string;
  readonly settings: S;
  readonly logger: AppLogger;
  readonly metrics: M;
  readonly health: HealthChecks;
  /** Aborted at the start of the shutdown; for loops and waits that should end. */
  readonly stopping: AbortSignal;
  /**
   * Registers a started part. Parts are stopped one by one, the last registered first: register stores before the servers that use
   * them.
   */
  onStop(part: string, stop: () => Promise<unknown> | void): void;
  /** Sets the body of /health and /health/ready. */
  answerHealthWith(body: (report: HealthReport) => unknown): void;
}
