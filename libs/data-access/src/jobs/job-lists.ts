import type { JobStatus } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import type { JobSummaryRow } from './job-rows.js';
import listJobsSql from './list-jobs.sql';
import pageOfDeadLetters from './page-of-dead-letters.sql';
import pageOfLiveJobs from './page-of-live-jobs.sql';
import pageOfRecords from './page-of-records.sql';

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

const liveStates: Partial<Record<JobStatus, string[]>> = {
  pending: ['ready', 'retrying'],
  scheduled: ['scheduled'],
  processing: ['leased'],
};

/** A page of summaries: live statuses from the narrow table, dead letters from theirs, everything else from the records. */
export async function listJobs(tx: TenantTransaction, filter: JobListFilter): Promise<JobSummaryRow[]> {
  // No move ends in `failed`; looking for it would read a tenant's whole history to find nothing.
  if (filter.status === 'failed') return [];
  const byAge = filter.orderBy === 'created_at';
  const source = pageSource(filter.status);
  return tx.query<JobSummaryRow>(statement(source.page, filter), [
    tx.organizationId,
    filter.queues,
    filter.tag,
    byAge ? filter.limit : maxSortedJobs,
    byAge ? filter.offset : 0,
    filter.after?.createdAt ?? null,
    filter.after?.id ?? null,
    filter.limit,
    byAge ? 0 : filter.offset,
    ...source.parameters,
  ]);
}

function pageSource(status: JobStatus | null): { page: string; parameters: unknown[] } {
  if (status === 'deadletter') return { page: pageOfDeadLetters, parameters: [] };
  const states = status && liveStates[status];
  if (states) return { page: pageOfLiveJobs, parameters: [states] };
  return { page: pageOfRecords, parameters: [status] };
}

const statements = new Map<string, string>();

/** The texts are few and fixed; nothing of a request enters them but choices from closed lists. */
function statement(page: string, { orderBy, direction }: JobListFilter): string {
  const key = `${orderBy} ${direction} ${page}`;
  const known = statements.get(key);
  if (known) return known;
  const made = listJobsSql
    .replaceAll('{page}', page)
    .replaceAll('{column}', orderBy)
    .replaceAll('{direction}', direction === 'asc' ? 'ASC' : 'DESC')
    .replaceAll('{beyond}', direction === 'asc' ? '>' : '<');
  statements.set(key, made);
  return made;
}
