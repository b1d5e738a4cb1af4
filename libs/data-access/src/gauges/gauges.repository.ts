import type { SystemTransaction, Transaction } from '../database/transactions.js';
import { measureQueues as measureQueuesSql, type MeasureQueuesResult } from './measure-queues.queries.js';
import { readGauges as readGaugesSql, type ReadGaugesResult } from './read-gauges.queries.js';
import { refreshGauges as refreshGaugesSql } from './refresh-gauges.queries.js';

/** System-wide values by the name of their metric. */
export type SystemGauges = ReadonlyMap<string, number>;

/** What is known of all tenants together. */
export type LiveJobs = Pick<MeasureQueuesResult, 'pending' | 'processing' | 'max_age_seconds'>;

/** Depth and age of a queue. */
export interface QueueDepth extends LiveJobs {
  organization: string;
  queue: string;
}

/** Stores the values, and counts the workers. */
export async function refreshGauges(tx: SystemTransaction, jobs: LiveJobs): Promise<SystemGauges> {
  const { pending, processing, max_age_seconds: maxAgeSeconds } = jobs;
  return byName(await tx.run(refreshGaugesSql, { pending, processing, maxAgeSeconds }));
}

/** The stored values; empty when they are older than two minutes. */
export async function readGauges(tx: Transaction): Promise<SystemGauges> {
  return byName(await tx.run(readGaugesSql));
}

/** All live jobs, and the queues with the most waiting ones: at most `perOrganization` of each organization and `total` altogether. */
export async function measureQueues(
  tx: SystemTransaction,
  limits: { perOrganization: number; total: number },
): Promise<{ all: LiveJobs; queues: QueueDepth[] }> {
  const [all, ...queues] = await tx.run(measureQueuesSql, limits);
  return { all: all!, queues: queues as QueueDepth[] };
}

const byName = (rows: ReadGaugesResult[]): SystemGauges => new Map(rows.map(({ name, value }) => [name, value]));
