import type { TenantParameters } from '../database/prepared-query.js';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { countBound } from '../explain/explain.js';
import { listJobsInHand as listJobsInHandSql, type ListJobsInHandResult } from './list-jobs-in-hand.queries.js';
import { findWorker as findWorkerSql, type FindWorkerResult } from './find-worker.queries.js';
import {
  findWorkersOfVersion as findWorkersOfVersionSql,
  listWorkerVersions as listWorkerVersionsSql,
  type ListWorkerVersionsResult,
} from './worker-versions.queries.js';
import {
  listWorkers as listWorkersSql,
  type ListWorkersParams,
  type ListWorkersResult,
} from './list-workers.queries.js';

export { listDrainedWorkers } from './drained-workers.queries.js';
export { isWorkerDrained } from './is-worker-drained.queries.js';

const workerStatuses = ['healthy', 'degraded', 'draining', 'offline'] as const;
export type WorkerStatus = (typeof workerStatuses)[number];

export interface WorkerSummaryRow extends ListWorkersResult {
  status: WorkerStatus;
}

export interface WorkerRow extends FindWorkerResult {
  status: WorkerStatus;
}

/** Workers, the latest heartbeat first; `byId`: by id, for pages that are stable while heartbeats arrive. */
export async function listWorkers(
  tx: TenantTransaction,
  filter: TenantParameters<ListWorkersParams>,
): Promise<WorkerSummaryRow[]> {
  const rows = await tx.run(listWorkersSql, filter);
  return rows.map((row) => ({ ...row, status: oneOf(workerStatuses, row.status) }));
}

/** The worker, or undefined when it does not exist in the organization and these queues. */
export async function findWorker(
  tx: TenantTransaction,
  id: string,
  queues: string[] | null,
): Promise<WorkerRow | undefined> {
  const row = await tx.first(findWorkerSql, { id, queues });
  return row && { ...row, status: oneOf(workerStatuses, row.status) };
}

/** A job that a worker holds. */
export type JobInHand = ListJobsInHandResult & { id: string };

const maxInHand = 1_000;

/**
 * The jobs that a worker holds, the oldest attempt first, at most 1,000; undefined when nobody in the organization and these queues
 * has this id.
 */
export async function listJobsInHand(
  tx: TenantTransaction,
  id: string,
  queues: string[] | null,
): Promise<JobInHand[] | undefined> {
  const rows = await tx.run(listJobsInHandSql, { id, queues, limit: maxInHand });
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is JobInHand => row.id !== null);
}

export type WorkerVersionRow = ListWorkerVersionsResult;

/** The versions of the workers that are present, at most 100, the one that registered last first. */
export const listWorkerVersions = (tx: TenantTransaction, queues: string[] | null): Promise<WorkerVersionRow[]> =>
  tx.run(listWorkerVersionsSql, { queues, scanned: countBound });

/** Ids of workers of a version: those that are drained, or those that are present and not drained. */
export async function findWorkersOfVersion(
  tx: TenantTransaction,
  filter: { version: string | null; drained: boolean; queues: string[] | null; limit: number },
): Promise<string[]> {
  const rows = await tx.run(findWorkersOfVersionSql, filter);
  return rows.map(({ id }) => id);
}
