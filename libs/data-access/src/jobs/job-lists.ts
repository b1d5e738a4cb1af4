import type { ListPosition } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import { type Found, isSelective, type JobListFilter, matchesNothing, type Part, searchOf } from './job-filter.js';
import { listJobs as listJobsSql, type ListJobsResult, sortJobs } from './list-jobs.queries.js';
import { isByStatus, searchByStatus } from './search-by-status.js';
import { searchRecords } from './search-records.js';

export type { JobListFilter, JobOrder } from './job-filter.js';
export type { ListJobsResult as JobSummaryRow };

/** A page of summaries. */
export interface JobList {
  rows: ListJobsResult[];
  /** Where the search ended before the page was full: more jobs may follow after this position. Null when it went to the end. */
  searchedTo: ListPosition | null;
}

/**
 * Only `created_at` has an index. Other sort keys apply to this many of the newest matching jobs (ascending: the oldest), so that no
 * request sorts a tenant's whole history.
 */
const maxSortedJobs = 5_000;
/** How much further pages by `offset` are searched: they cost what they pass over, as in every list. */
const searchFactorOfOffsets = 12;

/**
 * A page of summaries. Filters that no index answers are searched for among a bounded number of rows, so a page may be short; then it says
 * how far the search came. A page with `offset` is complete: it is searched further, and has no rows when that is not enough.
 * @param tx of one snapshot (`oneSnapshot`), because several statements find the page
 */
export async function listJobs(tx: TenantTransaction, filter: JobListFilter): Promise<JobList> {
  if (filter.orderBy !== 'created_at') return sortedJobs(tx, filter);
  const found = await findPage(tx, filter);
  return { rows: await summaries(tx, found.ids), searchedTo: found.searchedTo };
}

async function findPage(tx: TenantTransaction, filter: JobListFilter): Promise<Found> {
  const { limit: take, offset: skip } = filter;
  if (skip === 0) return searchJobs(tx, filter, { skip, take, factor: 1 });
  if (isSelective(filter)) {
    // A caller that was given a short first page continues after the end of its search. Counting from the start would pass over jobs.
    const first = await searchJobs(tx, filter, { skip: 0, take, factor: 1 });
    if (first.searchedTo) return { ids: [], searchedTo: first.searchedTo };
  }
  const found = await searchJobs(tx, filter, { skip, take, factor: searchFactorOfOffsets });
  return found.searchedTo ? { ids: [], searchedTo: found.searchedTo } : found;
}

/** Finds jobs by the index that fits the filter, among a bounded number of rows. */
async function searchJobs(tx: TenantTransaction, filter: JobListFilter, part: Part): Promise<Found> {
  const search = searchOf(tx, filter, part);
  if (matchesNothing(filter)) return { ids: [], searchedTo: null };
  return (await isByStatus(search)) ? searchByStatus(search) : searchRecords(search);
}

async function sortedJobs(tx: TenantTransaction, filter: JobListFilter): Promise<JobList> {
  const { organizationId } = tx;
  const { limit, offset, orderBy, direction } = filter;
  const { ids } = await searchJobs(tx, filter, { skip: 0, take: maxSortedJobs, factor: 1 });
  const page = { organizationId, ids, orderBy, ascending: direction === 'asc', limit, offset };
  const sorted = ids.length > 0 ? await tx.run(sortJobs, page) : [];
  const rows = await summaries(
    tx,
    sorted.map(({ id }) => id),
  );
  return { rows, searchedTo: null };
}

async function summaries(tx: TenantTransaction, ids: string[]): Promise<ListJobsResult[]> {
  return ids.length > 0 ? tx.run(listJobsSql, { organizationId: tx.organizationId, ids }) : [];
}
