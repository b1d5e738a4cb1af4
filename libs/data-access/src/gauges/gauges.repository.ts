import type { SystemTransaction, Transaction } from '../database/transactions.js';
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

const byName = (rows: ReadGaugesResult[]): SystemGauges => new Map(rows.map(({ name, value }) => [name, value]));
