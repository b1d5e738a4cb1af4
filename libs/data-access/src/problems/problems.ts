import type { TenantTransaction } from '../database/transactions.js';
import {
  findRecentCauses as findRecentCausesSql,
  type FindRecentCausesResult,
  findSuspectQueues as findSuspectQueuesSql,
  findSuspectSchedules as findSuspectSchedulesSql,
  type FindSuspectSchedulesResult,
  findSuspectWebhooks as findSuspectWebhooksSql,
  type FindSuspectWebhooksResult,
} from './find-problems.queries.js';

export {
  compareLatencies,
  type CompareLatenciesResult as LatencyCount,
  findLastSample,
  type FindLastSampleResult as LastSampleRow,
} from './find-problems.queries.js';
export type {
  FindRecentCausesResult as RecentCause,
  FindSuspectSchedulesResult as SuspectSchedule,
  FindSuspectWebhooksResult as SuspectWebhook,
};

/** How many of each kind are checked in detail. */
const most = 50;
/** Queues with claimable jobs, and schedules, that are checked. */
export const scannedForProblems = 500;

/**
 * The queues that most likely are stalled or fail, at most 50 of the first 500 with claimable jobs, and how many there are in all.
 * @param queues that the caller may access; null = all
 */
export async function findSuspectQueues(
  tx: TenantTransaction,
  queues: string[] | null,
): Promise<{ names: string[]; total: number; more: boolean }> {
  const rows = await tx.run(findSuspectQueuesSql, { queues, most, scanned: scannedForProblems });
  const names = rows.map(({ queue_name }) => queue_name);
  return { names, total: rows[0]?.total ?? 0, more: rows.some(({ more }) => more) };
}

/** Groups of dead letters whose growth is looked at, and dead letters of the last hour that are counted for it. */
const causes = { most: 50, scanned: 10_000 };

/**
 * The groups with the most dead letters of the last hour, at most 50, and how many each had in the hour before.
 * @param queues that the caller may access; null = all
 */
export async function findRecentCauses(
  tx: TenantTransaction,
  queues: string[] | null,
): Promise<FindRecentCausesResult[]> {
  // The statement takes no queues for all queues.
  if (queues?.length === 0) return [];
  return tx.run(findRecentCausesSql, { scope: queues ?? [], ...causes });
}

/** Schedules that are late or failed at their last run, at most 50 and how many there are. @param queues that the caller may access; null = all */
export function findSuspectSchedules(
  tx: TenantTransaction,
  queues: string[] | null,
): Promise<FindSuspectSchedulesResult[]> {
  return tx.run(findSuspectSchedulesSql, { queues, most, scanned: scannedForProblems });
}

/** Webhooks whose receiver fails, at most 50 and how many there are. `is_near_end`: half of the time until it is disabled has passed. */
export const findSuspectWebhooks = (
  tx: TenantTransaction,
  disableAfterSeconds: number,
): Promise<FindSuspectWebhooksResult[]> => tx.run(findSuspectWebhooksSql, { disableAfterSeconds, most });
