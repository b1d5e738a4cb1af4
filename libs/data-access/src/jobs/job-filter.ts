import type { JobSearch, JobStatus } from '@spooled/domain';
import type { ListPosition } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import type { CountLiveParams } from './list-jobs-by-status.queries.js';
import type { ListRecordsParams } from './list-records.queries.js';

/** The sort keys of lists. */
export type JobOrder = 'created_at' | 'updated_at' | 'scheduled_at' | 'priority' | 'status';

/** The terms of a search that no index answers, named as `job_meets_terms_v1` reads them. */
export type JobTerms = Omit<JobSearch, 'createdAfter' | 'createdBefore'>;

/** All hold at once; null = any. */
export interface JobConditions {
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
  terms: JobTerms | null;
}

/** Which jobs a list shows. */
export interface JobListFilter extends JobConditions {
  limit: number;
  offset: number;
  orderBy: JobOrder;
  direction: 'asc' | 'desc';
  /** Only with `orderBy: 'created_at'`. */
  after: ListPosition | null;
  /** Only with another `orderBy`. */
  afterSorted: SortedPosition | null;
}

/** A place in a list that is sorted by something else than creation: a key of `sortJobs`, and the id of its job. */
export interface SortedPosition {
  key: number;
  id: string;
}

/** What is searched for: `take` jobs after the first `skip`. */
export interface Part {
  skip: number;
  take: number;
  /** How many times the usual number of rows may be read. */
  factor: number;
}

export interface Found {
  /** In the order of creation that the filter asks for. */
  ids: string[];
  /** Where the search ended before it had found what was asked for; null = at the last job. */
  searchedTo: ListPosition | null;
}

export type LiveStates = CountLiveParams['states'];
type Outcomes = Exclude<ListRecordsParams['outcomes'], null | void>;

/** A filter as the statements of a search take it. */
export interface Search {
  tx: TenantTransaction;
  part: Part;
  parameters: ReturnType<typeof parametersOf>;
  /** Null = any status; both empty = none. */
  status: { outcomes: Outcomes; states: LiveStates } | null;
}

const liveStates: Partial<Record<JobStatus, LiveStates>> = {
  pending: ['ready', 'retrying'],
  scheduled: ['scheduled'],
  processing: ['leased'],
};

/** Statuses of jobs that have ended. No job has the status `failed`. */
const isOutcome = (status: JobStatus): boolean =>
  status === 'completed' || status === 'cancelled' || status === 'deadletter';

export const searchOf = (tx: TenantTransaction, filter: JobListFilter, part: Part): Search => ({
  tx,
  part,
  parameters: parametersOf(tx, filter, part),
  status: filter.statuses && {
    outcomes: filter.statuses.filter(isOutcome) as Outcomes,
    states: filter.statuses.flatMap((status) => liveStates[status] ?? []),
  },
});

function parametersOf({ organizationId }: TenantTransaction, filter: JobListFilter, { skip, take }: Part) {
  const { queues, tag, jobType, text, createdAfter, createdBefore, after, direction } = filter;
  const range = { createdAfter, createdBefore, afterTime: after?.at ?? null, afterId: after?.id ?? null };
  // A queue that is named twice would be read twice.
  const each = queues && [...new Set(queues)];
  return { organizationId, queues: each, tag, jobType, text, ...range, ascending: direction === 'asc', skip, take };
}

/** The parameters of the last job that a search may read; null = it may read all. */
export const endParameters = (end: ListPosition | null) => ({ endTime: end?.at ?? null, endId: end?.id ?? null });

/** Whether a job may be left out for another reason than its age. */
export const isSelective = ({ queues, statuses, tag, jobType, text, terms }: JobListFilter): boolean =>
  [queues, statuses, tag, jobType, text, terms].some((one) => one !== null);

/** PostgreSQL cannot store U+0000 in any of these texts, and rejects it in a parameter. */
export const matchesNothing = ({ queues, statuses, tag, jobType, text }: JobListFilter): boolean =>
  queues?.length === 0 || statuses?.length === 0 || [tag, jobType, text].some((one) => one?.includes('\0'));
