import type { SystemTransaction, Transaction } from '../database/transactions.js';
import { readGauges as readGaugesSql, type ReadGaugesResult } from './read-gauges.queries.js';
import { refreshGauges as refreshGaugesSql } from './refresh-gauges.queries.js';

/** The system's figures by the name of their metric. */
export type SystemGauges = ReadonlyMap<string, number>;

/** Counts anew and keeps the figures. */
export async function refreshGauges(tx: SystemTransaction): Promise<SystemGauges> {
  return byName(await tx.run(refreshGaugesSql));
}

/** The figures of the last round; empty when there was none in the last two minutes, for old figures would look true. */
export async function readGauges(tx: Transaction): Promise<SystemGauges> {
  return byName(await tx.run(readGaugesSql));
}

const byName = (rows: ReadGaugesResult[]): SystemGauges => new Map(rows.map(({ name, value }) => [name, value]));
