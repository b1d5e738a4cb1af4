import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { findJob as findJobSql, type FindJobResult } from './find-job.queries.js';

/** Columns have the names of the API. Timestamps are RFC 3339; `payload` and `result` are JSON text, exactly as stored. */
export { areDependenciesMet } from './are-dependencies-met.queries.js';
export { countActiveJobs } from './count-active-jobs.queries.js';
export { countJobs, type CountJobsResult as JobCounts } from './count-jobs.queries.js';
export { findJobStatuses, type FindJobStatusesResult as JobStatusRow } from './find-job-statuses.queries.js';
export { findLease } from './find-lease.queries.js';
export { findLeases } from './find-leases.queries.js';

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
