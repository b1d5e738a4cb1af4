import type { HealthChecks, HealthReport } from '../health/health-checks.js';
import type { AppLogger } from '../log/logger.js';
import type { Scrape } from '../metrics/metrics.js';

/** What a service is given to build itself with. */
export interface ServiceContext<S = unknown, M extends Scrape = Scrape> {
  readonly name: string;
  readonly version: string;
  readonly settings: S;
  readonly logger: AppLogger;
  readonly metrics: M;
  readonly health: HealthChecks;
  /** Aborted when the process begins to stop; for loops and waits that should not begin another round. */
  readonly stopping: AbortSignal;
  /**
   * Registers a part that runs from now on. At the end the parts stop one by one, the last registered first:
   * register stores before the doors that use them.
   */
  onStop(part: string, stop: () => Promise<unknown> | void): void;
  /** Replaces the body of /health and /health/ready, whose shape is the product's matter. */
  answerHealthWith(body: (report: HealthReport) => unknown): void;
}
