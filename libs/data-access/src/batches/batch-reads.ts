import { maxDocumentBytesPerStatement } from '@spooled/domain';
import { pageParameters, type TimedPage } from '../database/list-position.js';
import { type Searched, searchTimedPage } from '../database/search-in-parts.js';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  findBatchesEnd,
  listBatches as listBatchesSql,
  type ListBatchesResult,
  listBatchJobs as listBatchJobsSql,
  type ListBatchJobsResult,
} from './batch-reads.queries.js';

export type { ListBatchJobsResult as BatchJobRow };

export const batchStatuses = ['open', 'closed', 'completed', 'cancelled'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export interface BatchRow extends ListBatchesResult {
  status: BatchStatus;
}

export interface BatchListFilter extends TimedPage {
  /** Only batches that have queues, and no others; null = all. */
  queues: string[] | null;
  /** Any of them; null = any. */
  statuses: BatchStatus[] | null;
}

/**
 * Batches, newest first, searched for in parts.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export function listBatches(
  tx: TenantTransaction,
  { queues, statuses, ...page }: BatchListFilter,
): Promise<Searched<BatchRow>> {
  return searchTimedPage(
    page,
    { isSelective: queues !== null || statuses !== null },
    {
      find: async (part) => (await tx.run(listBatchesSql, { ...part, id: null, queues, statuses })).map(withStatus),
      findEnd: (part) => tx.run(findBatchesEnd, part),
    },
  );
}

/** The batch, or undefined when it does not exist in the organization. */
export async function findBatch(tx: TenantTransaction, id: string): Promise<BatchRow | undefined> {
  const page = pageParameters({ limit: 1, offset: 0, after: null });
  const row = await tx.first(listBatchesSql, { id, queues: null, statuses: null, rows: 1, ...page });
  return row && withStatus(row);
}

const withStatus = (row: ListBatchesResult): BatchRow => ({ ...row, status: oneOf(batchStatuses, row.status) });

/** How jobs of a batch are counted, by their outcomes. */
const outcomesOf = {
  unfinished: [],
  succeeded: ['completed'],
  failed: ['failed', 'deadletter'],
  cancelled: ['cancelled'],
} as const;
export type BatchJobStatus = keyof typeof outcomesOf;
export const batchJobStatuses = Object.keys(outcomesOf) as BatchJobStatus[];

export interface BatchJobsFilter {
  statuses: BatchJobStatus[] | null;
  /** Id of the last job of the previous page. */
  after: string | null;
  limit: number;
  offset: number;
}

/** Jobs of a batch in the order of their creation; results of later jobs are omitted once the others have 8 MiB. */
export function listBatchJobs(
  tx: TenantTransaction,
  batchId: string,
  { statuses, ...page }: BatchJobsFilter,
): Promise<ListBatchJobsResult[]> {
  const wanted = statuses ?? batchJobStatuses;
  return tx.run(listBatchJobsSql, {
    ...page,
    batchId,
    outcomes: wanted.flatMap((status) => outcomesOf[status]),
    unfinished: wanted.includes('unfinished'),
    maxBytes: maxDocumentBytesPerStatement,
  });
}
