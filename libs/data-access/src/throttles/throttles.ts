import type { ThrottleTarget } from '@spooled/domain';
import type { TenantTransaction } from '../database/transactions.js';
import {
  countCreatedBySecond,
  createThrottle as createThrottleSql,
  deleteThrottle as deleteThrottleSql,
  listThrottles as listThrottlesSql,
  type ListThrottlesResult,
  readThrottleBounds as readThrottleBoundsSql,
  type ReadThrottleBoundsResult,
} from './throttles.queries.js';

export type { ListThrottlesResult as ThrottleRow };

/** New jobs that are looked at for a preview. */
const sampleSize = 20_000;

/** Jobs of the last minutes that a throttle would have counted. */
export interface CreatedBySecond {
  since: string;
  until: string;
  /** Whether the period is shorter than asked for, because more jobs were created than are looked at. */
  isCut: boolean;
  /** By second of the period. */
  counts: { second: number; jobs: number }[];
}

/** Those that hold, the newest first. `queues`: that the caller may access; null = all. */
export const listThrottles = (tx: TenantTransaction, queues: string[] | null): Promise<ListThrottlesResult[]> =>
  tx.run(listThrottlesSql, { queues });

export const readThrottleBounds = (tx: TenantTransaction, apiKeyId: string | null): Promise<ReadThrottleBoundsResult> =>
  tx.one(readThrottleBoundsSql, { apiKeyId });

/** @returns its id */
export async function createThrottle(
  tx: TenantTransaction,
  throttle: ThrottleTarget & { perSecond: number; seconds: number; createdBy: string },
): Promise<string> {
  return (await tx.one(createThrottleSql, throttle)).id;
}

/** False: none of this id holds in these queues. */
export async function deleteThrottle(tx: TenantTransaction, id: string, queues: string[] | null): Promise<boolean> {
  return (await tx.run(deleteThrottleSql, { id, queues })).length > 0;
}

/** From the newest 20,000 jobs of the organization at most. */
export async function sampleCreated(
  tx: TenantTransaction,
  target: ThrottleTarget,
  minutes: number,
): Promise<CreatedBySecond> {
  const row = await tx.one(countCreatedBySecond, { ...target, minutes, most: sampleSize });
  const { since, until, is_cut: isCut, counts } = row;
  return { since, until, isCut, counts: JSON.parse(counts) as CreatedBySecond['counts'] };
}
