import type { SystemTransaction, Transaction } from '../database/transactions.js';
import { measureQueues as measureQueuesSql, type MeasureQueuesResult } from './measure-queues.queries.js';
import { readGauges as readGaugesSql, type ReadGaugesResult } from './read-gauges.queries.js';
import { refreshGauges as refreshGaugesSql } from './refresh-gauges.queries.js';

/** System-wide values by the name of their metric. */
export type SystemGauges = ReadonlyMap<string, number>;

/** Recomputes and stores the values. */
export async function refreshGauges(tx: SystemTransaction): Promise<SystemGauges> {
  return byName(await tx.run(refreshGaugesSql));
}

/** The stored values; empty when they are older than two minutes. */
export async function readGauges(tx: Transaction): Promise<SystemGauges> {
  return byName(await tx.run(readGaugesSql));
}

/** Depth and age of a queue. */
export type QueueDepth = MeasureQueuesResult;

/** The queues with the most waiting jobs: at most `perOrganization` of each organization and `total` altogether. */
export const measureQueues = (
  tx: SystemTransaction,
  limits: { perOrganization: number; total: number },
): Promise<QueueDepth[]> => tx.run(measureQueuesSql, limits);

const byName = (rows: ReadGaugesResult[]): SystemGauges => new Map(rows.map(({ name, value }) => [name, value]));
