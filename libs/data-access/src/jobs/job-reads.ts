import type { TenantTransaction } from '../database/transactions.js';
import countJobsSql from './count-jobs.sql';
import findJobStatusesSql from './find-job-statuses.sql';
import findJobSql from './find-job.sql';
import findLeaseSql from './find-lease.sql';
import type { DependencyRow, JobCounts, JobRow, JobStatusRow, LeaseRow } from './job-rows.js';
import listDependenciesSql from './list-dependencies.sql';

type Queues = string[] | null;

/** The job, or undefined when the organization has none by this id in these queues. */
export async function findJob(tx: TenantTransaction, id: string, queues: Queues): Promise<JobRow | undefined> {
  const [row] = await tx.query<JobRow>(findJobSql, [tx.organizationId, id, queues]);
  return row;
}

/** Statuses in the order of `ids`; ids that are unknown or out of scope are left out. */
export function findJobStatuses(tx: TenantTransaction, ids: string[], queues: Queues): Promise<JobStatusRow[]> {
  return tx.query<JobStatusRow>(findJobStatusesSql, [tx.organizationId, ids, queues]);
}

/** The lease on a job that is being processed; also one that has run out and was not yet recovered. */
export async function findLease(tx: TenantTransaction, id: string, queues: Queues): Promise<LeaseRow | undefined> {
  const [row] = await tx.query<LeaseRow>(findLeaseSql, [tx.organizationId, id, queues]);
  return row;
}

/** Jobs by status; finished ones as counted since the organization began. */
export async function countJobs(tx: TenantTransaction, queues: Queues): Promise<JobCounts> {
  const [row] = await tx.query<JobCounts>(countJobsSql, [tx.organizationId, queues]);
  return row!;
}

/** Both directions of the edges at a job. */
export function listDependencies(tx: TenantTransaction, id: string): Promise<DependencyRow[]> {
  return tx.query<DependencyRow>(listDependenciesSql, [tx.organizationId, id]);
}
