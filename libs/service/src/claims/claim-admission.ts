import type { QueueRates, RatedClaim } from '../limits/queue-rates.js';

/** Who claims, from where. */
export interface Claimant {
  organizationId: string;
  queueName: string;
  /** Null for push queues, which no worker serves. */
  workerId: string | null;
}

/** Workers that were told to drain. */
export interface DrainCheck {
  has(organizationId: string, workerId: string): Promise<boolean>;
}

/** The result of a claim. */
export interface AdmittedClaim<T> extends RatedClaim<T> {
  /** The worker was told to drain, so that it gets no jobs: wake-ups are for others. */
  isDraining?: boolean;
}

/**
 * Decides for claims of every kind how many jobs they may have, in this order:
 *
 * 1. a worker that was told to drain gets none, from what this process last read of it;
 * 2. the rate of the queue grants tokens, in Redis, or in PostgreSQL without it;
 * 3. `claim` asks `claim_jobs_v1`, which knows pauses and counts the concurrency of the queue under its lock, where alone that is exact.
 *
 * Tokens that the third step does not use are returned.
 */
export class ClaimAdmission {
  /** @param drained null where no worker can be told to drain */
  constructor(
    private readonly rates: Pick<QueueRates, 'claim'>,
    private readonly drained: DrainCheck | null,
  ) {}

  /** Calls `claim` with as many of `wanted` jobs as are allowed, and not at all if that is 0. */
  async claim<T>(
    { organizationId, queueName, workerId }: Claimant,
    wanted: number,
    claim: (limit: number) => Promise<T[]>,
  ): Promise<AdmittedClaim<T>> {
    if (workerId !== null && (await this.drained?.has(organizationId, workerId))) {
      return { jobs: [], retryInMs: 0, isDraining: true };
    }
    return this.rates.claim(organizationId, queueName, wanted, claim);
  }
}
