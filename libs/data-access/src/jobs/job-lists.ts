import type { JobStatus } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import { listJobs as listJobsSql, type ListJobsParams, type ListJobsResult } from './list-jobs.queries.js';

export type { ListJobsResult as JobSummaryRow };

/** The sort keys of lists. */
export type JobOrder = 'created_at' | 'updated_at' | 'scheduled_at' | 'priority' | 'status';

/** The last job of the previous page. */
export interface JobCursor {
  createdAt: string;
  id: string;
}

export interface JobListFilter {
  /** null = all queues; an empty list matches nothing. */
  queues: string[] | null;
  status: JobStatus | null;
  /** Matches a top-level key of an object, an element of an array, or the whole string in `tags`. */
  tag: string | null;
  limit: number;
  offset: number;
  orderBy: JobOrder;
  direction: 'asc' | 'desc';
  /** Only with `orderBy: 'created_at'`. */
  after: JobCursor | null;
}

/**
 * Only `created_at` has an index. Other sort keys apply to this many of the newest matching jobs (ascending: the oldest),
 * so that no request sorts a tenant's whole history.
 */
const maxSortedJobs = 5_000;

const liveStates: Partial<Record<JobStatus, NonNullable<ListJobsParams['states']>>> = {
  pending: ['ready', 'retrying'],
  scheduled: ['scheduled'],
  processing: ['leased'],
};

/** A page of summaries: live statuses from `job_queue`, dead letters from `dead_letters`, all others from the records. */
export async function listJobs(tx: TenantTransaction, filter: JobListFilter): Promise<ListJobsResult[]> {
  // No job has the status `failed`; the query would read a tenant's whole history to find nothing.
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
