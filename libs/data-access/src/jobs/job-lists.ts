import { type Searched, searchPage } from '../database/search-in-parts.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  type Found,
  isSelective,
  type JobListFilter,
  matchesNothing,
  type Part,
  searchOf,
  type SortedPosition,
} from './job-filter.js';
import { listJobs as listJobsSql, type ListJobsResult, sortJobs } from './list-jobs.queries.js';
import { isByStatus, searchByStatus } from './search-by-status.js';
import { searchRecords } from './search-records.js';
import { filterForTerms, searchTerms } from './search-terms.js';

export type { JobConditions, JobListFilter, JobOrder, SortedPosition } from './job-filter.js';
export type { ListJobsResult as JobSummaryRow };

/** A page of summaries. `sortKeys` of the jobs by id: only in another order than by creation. */
export type JobList = Searched<ListJobsResult> & { sortKeys?: ReadonlyMap<string, number> };

/**
 * Only `created_at` has an index. Other sort keys apply to this many of the newest matching jobs (ascending: the oldest), so that no
 * request sorts a tenant's whole history.
 */
const maxSortedJobs = 5_000;

/**
 * A page of summaries. Filters that no index answers are searched for among a bounded number of rows, so a page may be short; then it says
 * how far the search came. A page with `offset` is complete: it is searched further, and has no rows when that is not enough.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export async function listJobs(tx: TenantTransaction, filter: JobListFilter): Promise<JobList> {
  if (filter.orderBy !== 'created_at') return sortedJobs(tx, filter);
  const part = { offset: filter.offset, isSelective: isSelective(filter) };
  const found = await searchPage(part, async (skip, factor) => {
    const { ids, searchedTo } = await searchJobs(tx, filter, { skip, take: filter.limit, factor });
    return { rows: ids, searchedTo };
  });
  return { rows: await summaries(tx, found.rows), searchedTo: found.searchedTo };
}

/** Finds jobs by the index that fits the filter, among a bounded number of rows. */
async function searchJobs(tx: TenantTransaction, filter: JobListFilter, part: Part): Promise<Found> {
  const { terms } = filter;
  if (terms === null) return searchIndexes(tx, filter, part);
  const withoutTerms = filterForTerms(filter, terms);
  if (withoutTerms) return searchIndexes(tx, withoutTerms, part);
  return searchTerms(tx, { filter, terms, part }, (one, all) => searchIndexes(tx, one, all));
}

async function searchIndexes(tx: TenantTransaction, filter: JobListFilter, part: Part): Promise<Found> {
  const search = searchOf(tx, filter, part);
  if (matchesNothing(filter)) return { ids: [], searchedTo: null };
  return (await isByStatus(search)) ? searchByStatus(search) : searchRecords(search);
}

async function sortedJobs(tx: TenantTransaction, filter: JobListFilter): Promise<JobList> {
  const { organizationId } = tx;
  const { limit, offset, orderBy, direction, afterSorted } = filter;
  const { ids } = await searchJobs(tx, filter, { skip: 0, take: maxSortedJobs, factor: 1 });
  const page = {
    organizationId,
    ids,
    orderBy,
    ascending: direction === 'asc',
    limit,
    offset,
    ...afterParameters(afterSorted),
  };
  const sorted = ids.length > 0 ? await tx.run(sortJobs, page) : [];
  const rows = await summaries(
    tx,
    sorted.map(({ id }) => id),
  );
  return { rows, searchedTo: null, sortKeys: new Map(sorted.map(({ id, key }) => [id, key])) };
}

const afterParameters = (after: SortedPosition | null) => ({
  afterKey: after?.key ?? null,
  afterId: after?.id ?? null,
});

async function summaries(tx: TenantTransaction, ids: string[]): Promise<ListJobsResult[]> {
  return ids.length > 0 ? tx.run(listJobsSql, { ids }) : [];
}
