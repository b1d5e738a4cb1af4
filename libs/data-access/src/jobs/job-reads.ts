import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { areDependenciesMet as areDependenciesMetSql } from './are-dependencies-met.queries.js';
import { countActiveJobs as countActiveJobsSql } from './count-active-jobs.queries.js';
import { countJobs as countJobsSql, type CountJobsResult } from './count-jobs.queries.js';
import { findJobStatuses as findJobStatusesSql, type FindJobStatusesResult } from './find-job-statuses.queries.js';
import { findJob as findJobSql, type FindJobResult } from './find-job.queries.js';
import { findLeases as findLeasesSql, type FindLeasesResult } from './find-leases.queries.js';
import { findLease as findLeaseSql, type FindLeaseResult } from './find-lease.queries.js';

/** Columns have the names of the API. Timestamps are RFC 3339; `payload` and `result` are JSON text, exactly as stored. */
export type { CountJobsResult as JobCounts, FindJobStatusesResult as JobStatusRow };

const dependencyModes = ['all', 'any'] as const;

export interface JobRow extends FindJobResult {
  dependency_mode: (typeof dependencyModes)[number] | null;
}

type Queues = string[] | null;

/** The job, or undefined when it does not exist in the organization and these queues. */
export async function findJob(tx: TenantTransaction, id: string, queues: Queues): Promise<JobRow | undefined> {
  const row = await tx.first(findJobSql, { id, queues });
  if (!row) return undefined;
  const { dependency_mode: dependencyMode } = row;
  return { ...row, dependency_mode: dependencyMode === null ? null : oneOf(dependencyModes, dependencyMode) };
}

/** Statuses in the order of `ids`; ids that are unknown or out of scope are omitted. */
export function findJobStatuses(
  tx: TenantTransaction,
  ids: string[],
  queues: Queues,
): Promise<FindJobStatusesResult[]> {
  return tx.run(findJobStatusesSql, { ids, queues });
}

/** The lease of a job in progress, also if it has expired and was not yet recovered. */
export const findLease = (tx: TenantTransaction, id: string, queues: Queues): Promise<FindLeaseResult | undefined> =>
  tx.first(findLeaseSql, { id, queues });

/** The leases that these jobs have now, also if they have expired and were not yet recovered. */
export function findLeases(tx: TenantTransaction, ids: string[]): Promise<FindLeasesResult[]> {
  return tx.run(findLeasesSql, { ids });
}

/** Number of jobs by status; finished jobs since the creation of the organization. */
export const countJobs = (tx: TenantTransaction, queues: Queues): Promise<CountJobsResult> =>
  tx.one(countJobsSql, { queues });

/** Number of jobs of these queues that run or could run now. */
export async function countActiveJobs(tx: TenantTransaction, queues: string[]): Promise<number> {
  return (await tx.one(countActiveJobsSql, { queues })).active;
}

/** Whether no parent blocks the job, also if it has ended. */
export async function areDependenciesMet(
  tx: TenantTransaction,
  id: string,
  mode: JobRow['dependency_mode'],
): Promise<boolean> {
  return (await tx.one(areDependenciesMetSql, { id, mode })).met;
}
