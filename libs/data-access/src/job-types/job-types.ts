import { forceIndexPlans } from '../database/force-index-plans.queries.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  listTypesOfQueues,
  sampleJobTypes as sampleJobTypesSql,
  type SampleJobTypesResult,
} from './sample-job-types.queries.js';

/** Jobs that are looked at, of all types together. */
const sampleSize = 10_000;
/** Types that are looked at one by one. Of organizations with more, the newest jobs are looked at, whatever their types. */
const maxTypes = 100;
const maxVersions = 5;

/** Jobs that were created in one twelfth of the period, and what became of them; empty twelfths are left out. */
export interface TypeTrendPart {
  /** 0 = the oldest twelfth. */
  place: number;
  created: number;
  completed: number;
  /** Attempts. */
  failed: number;
}

export interface TypeVersion {
  /** Null: its workers registered none, or are not registered. */
  version: string | null;
  completed: number;
  /** Attempts. */
  failed: number;
  /** 95 of 100 of the completed jobs ran at most that long; null: none completed. */
  run_p95_ms: number | null;
}

/**
 * What became of the jobs of one type (`job_type` '' = none) that were created since `since`, which is later than the beginning of the
 * period if `is_cut`. `failed`: attempts. `wait_ms`: percentiles 50, 95 and 99 of the waits of the `waits` jobs that completed in their
 * first attempt, in milliseconds; `run_ms`: those of the run times of the completed jobs. At most five versions, the most used first.
 */
export interface JobTypeSample extends Omit<SampleJobTypesResult, 'trend' | 'versions' | 'types'> {
  trend: TypeTrendPart[];
  versions: TypeVersion[];
}

/**
 * Job types of the last minutes, from the newest 10,000 jobs at most, those with the most jobs first.
 * @param queues that the caller may access; null = all
 * @returns at most 100 types, and how many there are in the sample
 */
export async function sampleJobTypes(
  tx: TenantTransaction,
  queues: string[] | null,
  minutes: number,
): Promise<{ found: JobTypeSample[]; types: number }> {
  const [, types] = await Promise.all([
    tx.run(forceIndexPlans),
    tx.run(listTypesOfQueues, { queues, most: maxTypes + 1 }),
  ]);
  if (types.length === 0) return { found: [], types: 0 };
  const areFew = types.length <= maxTypes;
  const rows = await tx.run(sampleJobTypesSql, {
    queues,
    minutes,
    queueNames: areFew ? types.map(({ queue_name }) => queue_name) : null,
    jobTypes: areFew ? types.map(({ job_type }) => job_type) : null,
    perType: areFew ? Math.floor(sampleSize / types.length) : sampleSize,
    most: maxTypes,
    versions: maxVersions,
  });
  const found = rows.map(({ trend, versions, types: _, ...row }) => ({
    ...row,
    trend: JSON.parse(trend) as TypeTrendPart[],
    versions: JSON.parse(versions) as TypeVersion[],
  }));
  return { found, types: rows[0]?.types ?? 0 };
}
