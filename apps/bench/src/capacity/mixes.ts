import type { OperationName } from './costs.js';

/** A load to plan for. */
export interface Mix {
  /** What `rates` count. */
  unit: 'requests' | 'jobs';
  /** Per second. */
  rates: readonly number[];
  shares: Partial<Record<OperationName, number>>;
  /** Jobs created and finished per unit. */
  jobs: number;
}

const published = [1_000, 10_000, 100_000];

/** Each job is enqueued, claimed and completed by its own requests; one request in twenty is a list, one a health check. */
export const singles: Mix = {
  unit: 'requests',
  rates: published,
  shares: { enqueue: 0.3, claim: 0.3, complete: 0.3, list: 0.05, health: 0.05 },
  jobs: 0.3,
};

/** 100 jobs in every request: enqueue, claim, completion. */
export const batches: Mix = { unit: 'jobs', rates: published, shares: { cycleRest: 1 }, jobs: 1 };

/** Bulk enqueue, then streams that carry jobs to workers and results back. */
export const streams: Mix = { unit: 'jobs', rates: published, shares: { cycleGrpc: 1 }, jobs: 1 };
