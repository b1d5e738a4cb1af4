import { Inject, Injectable } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { type Clock, SpooledError, TenantSlots } from '@spooled/domain';
import { METRICS, type Metrics } from '@spooled/platform';
import { CLOCK } from '@spooled/service';

/** A search takes up to 0.25 s of a core of PostgreSQL. One organization makes one at once. */
const searchesAtOnce = 2;
/** Callers retry later rather than hold a request in flight. */
const longestTurnMs = 5_000;

/** Filters that compare jobs, where indexes do not find them. */
interface Filters {
  search?: unknown;
  q?: unknown;
  tag?: unknown;
}

/**
 * Searches of jobs take turns of organizations (BX-03). Eight at once of one organization made the requests of another ten times slower,
 * because they held the cores of PostgreSQL. A search without a turn in time gets 503.
 */
@Injectable()
export class SearchTurns {
  private readonly slots: TenantSlots;

  constructor(
    @Inject(CLOCK) clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
  ) {
    this.slots = new TenantSlots({
      slots: searchesAtOnce,
      maxWaitMs: longestTurnMs,
      clock,
      refusal: () => this.refusal(),
    });
  }

  /** Runs `read` at once, or if it searches, when the organization has its turn. @throws SpooledError 503 after 5 s */
  run<T>(organizationId: string, { search, q, tag }: Filters, read: () => Promise<T>): Promise<T> {
    return search || q || tag ? this.slots.run(organizationId, read) : read();
  }

  private refusal(): Error {
    this.metrics.requestsShed.inc({ protocol: 'rest', reason: 'searches' });
    return new SpooledError(
      'SERVICE_UNAVAILABLE',
      'Other searches of this organization are still running; retry later',
      {
        retryAfterSeconds: 1,
      },
    );
  }
}
