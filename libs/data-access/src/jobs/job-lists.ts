import type { JobStatus } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import { listJobs as listJobsSql, type ListJobsParams, type ListJobsResult } from './list-jobs.queries.js';

export type { ListJobsResult as JobSummaryRow };

/** What lists may be sorted by. */
export type JobOrder = 'created_at' | 'updated_at' | 'scheduled_at' | 'priority' | 'status';

/** The last job of the page before: where the next one begins. */
export interface JobPosition {
  createdAt: string;
  id: string;
}

export interface JobListFilter {
  /** null = all queues; an empty list matches nothing. */
  queues: string[] | null;
  status: JobStatus | null;
  /** Top-level key of an object, or member of an array, or the whole string, in `tags`. */
  tag: string | null;
  limit: number;
  offset: number;
  orderBy: JobOrder;
  direction: 'asc' | 'desc';
  /** Only with `orderBy: 'created_at'`. */
  after: JobPosition | null;
}

/**
 * Sorting by anything but age has no index: it looks at so many of the newest matching jobs (the oldest, ascending) and
 * no more, so that no request sorts a tenant's whole history.
 */
const maxSortedJobs = 5_000;

const liveStates: Partial<Record<JobStatus, NonNullable<ListJobsParams['states']>>> = {
  pending: ['ready', 'retrying'],
  scheduled: ['scheduled'],
  processing: ['leased'],
};

/** A page of summaries: live statuses from the narrow table, dead letters from theirs, everything else from the records. */
export async function listJobs(tx: TenantTransaction, filter: JobListFilter): Promise<ListJobsResult[]> {
  // No move ends in `failed`; looking for it would read a tenant's whole history to find nothing.
  if (filter.status === 'failed') return [];
  const byAge = filter.orderBy === 'created_at';
  return tx.run(listJobsSql, {
    organizationId: tx.organizationId,
    ...sourceOf(filter.status),
    queues: filter.queues,
    tag: filter.tag,
    afterTime: filter.after?.createdAt ?? null,
    afterId: filter.after?.id ?? null,
    orderBy: filter.orderBy,
    ascending: filter.direction === 'asc',
    pageLimit: byAge ? filter.limit : maxSortedJobs,
    pageOffset: byAge ? filter.offset : 0,
    limit: filter.limit,
    offset: byAge ? 0 : filter.offset,
  });
}

function sourceOf(status: JobStatus | null) {
  if (status === 'deadletter') return { source: 'dead_letters', states: null, outcome: null };
  const states = (status && liveStates[status]) ?? null;
  if (states) return { source: 'live', states, outcome: null };
  return { source: 'records', states: null, outcome: status };
}
