import { manualDeliveryLimits } from '@spooled/domain';
import type { TimedPage } from '../database/list-position.js';
import type { TenantParameters } from '../database/prepared-query.js';
import { type Searched, searchTimedPage } from '../database/search-in-parts.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  createOperation as createOperationSql,
  type CreateOperationParams,
  findOperationsEnd,
  listOperations as listOperationsSql,
  type ListOperationsResult,
  lockOperations,
  previewDeadLetters,
  previewDeliveries,
  previewLiveJobs,
  sampleDeadLetters,
  type SampleDeadLettersResult,
  sampleDeliveries,
  type SampleDeliveriesResult,
  sampleLiveJobs,
  type SampleLiveJobsResult,
} from './operations.queries.js';

export {
  cancelOperation,
  listOperationJobs,
  type ListOperationJobsResult as OperationJobRow,
  type ListOperationsResult as OperationRow,
} from './operations.queries.js';

export interface NewOperation extends Omit<TenantParameters<CreateOperationParams>, 'filter' | 'settings' | 'maxOpen'> {
  filter: object;
  settings: object;
}

export interface OperationFilterOptions extends TimedPage {
  /** Queues that the caller may access; null = all. */
  queues: string[] | null;
  kind: string | null;
  state: string | null;
}

/** What an operation would take. */
export interface Preview<Row> {
  /** Up to `maxCounted` + 1. */
  count: number;
  sample: Row[];
}

/** Jobs of an operation are counted up to this many. */
export const maxCounted = 100_000;

/** Undefined: `maxOpen` operations of the organization are in progress. */
export async function createOperation(
  tx: TenantTransaction,
  { filter, settings, ...operation }: NewOperation,
  maxOpen: number,
): Promise<ListOperationsResult | undefined> {
  await tx.run(lockOperations);
  return tx.first(createOperationSql, {
    ...operation,
    filter: JSON.stringify(filter),
    settings: JSON.stringify(settings),
    maxOpen,
  });
}

/**
 * The newest first, searched for in parts.
 * @param tx with `repeatableRead`, because several statements find the page
 */
export function listOperations(
  tx: TenantTransaction,
  { queues, kind, state, ...page }: OperationFilterOptions,
): Promise<Searched<ListOperationsResult>> {
  const isSelective = [queues, kind, state].some((one) => one !== null);
  return searchTimedPage(
    page,
    { isSelective },
    {
      find: (part) => tx.run(listOperationsSql, { id: null, queues, kind, state, ...part }),
      findEnd: (part) => tx.run(findOperationsEnd, part),
    },
  );
}

/** Undefined also for one that may touch more queues than `queues`. */
export async function findOperation(
  tx: TenantTransaction,
  id: string,
  queues: string[] | null,
): Promise<ListOperationsResult | undefined> {
  const one = { id, queues, kind: null, state: null, afterTime: null, afterId: null, limit: 1, offset: 0, rows: 1 };
  return (await tx.run(listOperationsSql, one))[0];
}

/**
 * Counts the dead letters that match, and returns the first `sampled`. `scope`: queues that may be touched; empty = all; `until`: without
 * those that have died later.
 */
export async function previewOfDeadLetters(
  tx: TenantTransaction,
  { scope, filter, until, sampled }: { scope: string[]; filter: object; until: string; sampled: number },
): Promise<Preview<SampleDeadLettersResult>> {
  const selection = { scope, filter: JSON.stringify(filter), until };
  const [[counted], sample] = await Promise.all([
    tx.run(previewDeadLetters, { ...selection, maxCounted }),
    tx.run(sampleDeadLetters, { ...selection, limit: sampled }),
  ]);
  return { count: counted!.count, sample };
}

/** As `previewOfDeadLetters`, for failed deliveries of a webhook. `filter`: as `matching_deliveries_v1` reads it. */
export async function previewOfDeliveries(
  tx: TenantTransaction,
  { filter, sampled }: { filter: object; sampled: number },
): Promise<Preview<SampleDeliveriesResult>> {
  const selection = { filter: JSON.stringify(filter), ...manualDeliveryLimits };
  const [[counted], sample] = await Promise.all([
    tx.run(previewDeliveries, { ...selection, maxCounted }),
    tx.run(sampleDeliveries, { ...selection, limit: sampled }),
  ]);
  return { count: counted!.count, sample };
}

interface LiveSample {
  scope: string[];
  filter: object;
  sampled: number;
  withPayload?: boolean;
}

/**
 * As `previewOfDeadLetters`, for live jobs that no worker holds.
 * @param options `filter`: as `matching_live_jobs_v1` reads it; `withPayload`: read the payloads of the sample
 */
export async function previewOfLiveJobs(
  tx: TenantTransaction,
  { scope, filter, sampled, withPayload = false }: LiveSample,
): Promise<Preview<SampleLiveJobsResult>> {
  const selection = { scope, filter: JSON.stringify(filter) };
  const [[counted], sample] = await Promise.all([
    tx.run(previewLiveJobs, { ...selection, maxCounted }),
    tx.run(sampleLiveJobs, { ...selection, limit: sampled, withPayload }),
  ]);
  return { count: counted!.count, sample };
}
