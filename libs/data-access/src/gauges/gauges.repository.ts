import type { SystemTransaction, Transaction } from '../database/transactions.js';
import refreshGaugesSql from './refresh-gauges.sql';

interface GaugeRow {
  name: string;
  value: number;
}

/** The system's figures by the name of their metric. */
export type SystemGauges = ReadonlyMap<string, number>;

/** Counts anew and keeps the figures. */
export async function refreshGauges(tx: SystemTransaction): Promise<SystemGauges> {
  return byName(await tx.query<GaugeRow>(refreshGaugesSql));
}

/** The figures of the last round; empty when there was none in the last two minutes, for old figures would look true. */
export async function readGauges(tx: Transaction): Promise<SystemGauges> {
  return byName(
    await tx.query<GaugeRow>(`SELECT name, value FROM system_gauges WHERE updated_at > now() - interval '2 minutes'`),
  );
}

const byName = (rows: GaugeRow[]): SystemGauges => new Map(rows.map(({ name, value }) => [name, value]));
