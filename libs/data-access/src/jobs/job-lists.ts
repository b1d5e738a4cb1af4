import type { JobStatus } from '@spooled/domain';
import type { ListPosition } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import { listJobs as listJobsSql, type ListJobsParams, type ListJobsResult } from './list-jobs.queries.js';

export type { ListJobsResult as JobSummaryRow };

/** The sort keys of lists. */
export type JobOrder = 'created_at' | 'updated_at' | 'scheduled_at' | 'priority' | 'status';

/** All conditions hold at once; null = any. */
export interface JobListFilter {
  /** An empty list matches nothing. */
  queues: string[] | null;
  /** Any of them; an empty list matches nothing. */
  statuses: JobStatus[] | null;
  /** Matches a top-level key of an object, an element of an array, or the whole string in `tags`. */
  tag: string | null;
  jobType: string | null;
  /** Start of the id, or part of the queue name or job type, in any case. */
  text: string | null;
  /** RFC 3339; the start is included, the end is not. */
  createdAfter: string | null;
  createdBefore: string | null;
  limit: number;
  offset: number;
  orderBy: JobOrder;
  direction: 'asc' | 'desc';
  /** Only with `orderBy: 'created_at'`. */
  after: ListPosition | null;
}

/**
 * Only `created_at` has an index. Other sort keys apply to this many of the newest matching jobs (ascending: the oldest),
 * so that no request sorts a tenant's whole history.
 */
const maxSortedJobs = 5_000;

type Source = 'records' | 'live' | 'dead_letters';
type LiveStates = Exclude<ListJobsParams['states'], null | void>;
type Outcomes = Exclude<ListJobsParams['outcomes'], null | void>;

const liveStates: Partial<Record<JobStatus, LiveStates>> = {
  pending: ['ready', 'retrying'],
  scheduled: ['scheduled'],
  processing: ['leased'],
};

/** No job has the status `failed`; the query would read a tenant's whole history to find nothing. */
const isReal = (status: JobStatus): boolean => status !== 'failed';

/** A page of summaries: live statuses from `job_queue`, dead letters from `dead_letters`, all others from the records. */
export async function listJobs(tx: TenantTransaction, filter: JobListFilter): Promise<ListJobsResult[]> {
  const from = sourcesOf(filter.statuses?.filter(isReal) ?? null);
  if (from.sources.length === 0 || matchesNothing(filter)) return [];
  const byAge = filter.orderBy === 'created_at';
  const page = byAge ? { limit: filter.limit, offset: filter.offset } : { limit: maxSortedJobs, offset: 0 };
  return tx.run(listJobsSql, {
    organizationId: tx.organizationId,
    ...from,
    queues: filter.queues,
    tag: filter.tag,
    jobType: filter.jobType,
    text: filter.text,
    createdAfter: filter.createdAfter,
    createdBefore: filter.createdBefore,
    afterTime: filter.after?.at ?? null,
    afterId: filter.after?.id ?? null,
    orderBy: filter.orderBy,
    ascending: filter.direction === 'asc',
    fetch: page.limit + page.offset,
    pageLimit: page.limit,
    pageOffset: page.offset,
    limit: filter.limit,
    offset: byAge ? 0 : filter.offset,
  });
}

/** PostgreSQL cannot store U+0000 in any of these texts, and rejects it in a parameter. */
const matchesNothing = ({ tag, jobType, text }: JobListFilter): boolean =>
  [tag, jobType, text].some((one) => one?.includes('\0'));

function sourcesOf(statuses: JobStatus[] | null): {
  sources: Source[];
  states: LiveStates | null;
  outcomes: Outcomes | null;
} {
  if (statuses === null) return { sources: ['records'], states: null, outcomes: null };
  const states = statuses.flatMap((status) => liveStates[status] ?? []);
  const outcomes = statuses.filter((status) => status === 'completed' || status === 'cancelled');
  const sources: Source[] = [];
  if (outcomes.length > 0) sources.push('records');
  if (states.length > 0) sources.push('live');
  if (statuses.includes('deadletter')) sources.push('dead_letters');
  return { sources, states, outcomes };
}
