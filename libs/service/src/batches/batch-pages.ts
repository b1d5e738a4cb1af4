import type { batchSchemas } from '@spooled/contracts';
import {
  type BatchJobRow,
  type BatchRow,
  type Database,
  listBatches,
  listBatchJobs,
  repeatableRead,
  type TenantTransaction,
} from '@spooled/data-access';
import { idOnly } from '../lists/cursor.js';
import { byCreation, pageOf, pageOfSearch, rowsOf, searchedRowsOf, type Page } from '../lists/list-page.js';

/**
 * Batches, newest first.
 * @param queues only batches whose queues are all among these; null = all
 * @throws SpooledError 400 for an invalid cursor
 */
export async function batchPage(
  database: Database,
  { organizationId, queues }: { organizationId: string; queues: string[] | null },
  query: batchSchemas.ListBatchesQuery,
): Promise<Page<BatchRow>> {
  const filter = { queues, statuses: query.status ?? null, ...searchedRowsOf(query) };
  const find = (tx: TenantTransaction) => listBatches(tx, filter);
  return pageOfSearch(await database.withTenant(organizationId, find, repeatableRead), query, byCreation);
}

/** Jobs of a batch in the order of their creation. @throws SpooledError 400 for an invalid cursor */
export async function batchJobPage(
  tx: TenantTransaction,
  batchId: string,
  query: batchSchemas.ListBatchJobsQuery,
): Promise<Page<BatchJobRow>> {
  const { cursor = query.after, ...others } = query;
  const page = { ...others, cursor };
  const filter = {
    statuses: query.status ?? null,
    ...rowsOf(page),
    after: idOnly(cursor, query.cursor === undefined ? 'after' : 'cursor'),
  };
  return pageOf(await listBatchJobs(tx, batchId, filter), page, (job) => [job.id]);
}
