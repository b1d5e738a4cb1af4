import type { TenantTransaction } from '../database/transactions.js';
import {
  compareFailures as compareFailuresSql,
  type CompareFailuresResult,
  compareLatencies as compareLatenciesSql,
  type CompareLatenciesResult,
  findLastSample as findLastSampleSql,
  type FindLastSampleResult,
  findSuspectQueues as findSuspectQueuesSql,
  findSuspectSchedules as findSuspectSchedulesSql,
  type FindSuspectSchedulesResult,
  findSuspectWebhooks as findSuspectWebhooksSql,
  type FindSuspectWebhooksResult,
} from './find-problems.queries.js';

export type {
  CompareFailuresResult as FailureComparison,
  CompareLatenciesResult as LatencyCount,
  FindLastSampleResult as LastSampleRow,
  FindSuspectSchedulesResult as SuspectSchedule,
  FindSuspectWebhooksResult as SuspectWebhook,
};

/** How many of each kind are checked in detail. */
const most = 20;
/** Queues with claimable jobs, and schedules, that are checked. */
export const scannedForProblems = 500;

/**
 * The queues that most likely are stalled or fail, at most 20 of the first 500 with claimable jobs.
 * @param queues that the caller may access; null = all
 */
export async function findSuspectQueues(
  tx: TenantTransaction,
  queues: string[] | null,
): Promise<{ names: string[]; more: boolean }> {
  const { organizationId } = tx;
  const rows = await tx.run(findSuspectQueuesSql, { organizationId, queues, most, scanned: scannedForProblems });
  return { names: rows.map(({ queue_name }) => queue_name), more: rows.some(({ more }) => more) };
}

/** How attempts ended in this hour and the one before, and in the day before those; of queues with any. */
export const compareFailures = (tx: TenantTransaction, queues: string[]): Promise<CompareFailuresResult[]> =>
  tx.run(compareFailuresSql, { organizationId: tx.organizationId, queues });

/** Busy queues whose latencies are compared. */
const mostCompared = 50;

/**
 * How many jobs waited and ran how long in the last ten minutes and in the day before, of the 50 busiest queues: one row for each bucket
 * of a histogram.
 * @param queues that the caller may access; null = all
 */
export const compareLatencies = (tx: TenantTransaction, queues: string[] | null): Promise<CompareLatenciesResult[]> =>
  tx.run(compareLatenciesSql, { organizationId: tx.organizationId, queues, most: mostCompared });

/** Schedules that are late or failed at their last run, at most 20. @param queues that the caller may access; null = all */
export function findSuspectSchedules(
  tx: TenantTransaction,
  queues: string[] | null,
): Promise<FindSuspectSchedulesResult[]> {
  const { organizationId } = tx;
  return tx.run(findSuspectSchedulesSql, { organizationId, queues, most, scanned: scannedForProblems });
}

/** Webhooks whose receiver fails, at most 20. `is_near_end`: half of the time until it is disabled has passed. */
export const findSuspectWebhooks = (
  tx: TenantTransaction,
  disableAfterSeconds: number,
): Promise<FindSuspectWebhooksResult[]> =>
  tx.run(findSuspectWebhooksSql, { organizationId: tx.organizationId, disableAfterSeconds, most });

/** The last sample of the series, which shows whether a scheduler runs. */
export async function findLastSample(tx: TenantTransaction): Promise<FindLastSampleResult> {
  const [row] = await tx.run(findLastSampleSql);
  return row!;
}
