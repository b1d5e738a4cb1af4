import type { Transaction } from './transactions.js';

/** The database's time in RFC 3339, with microseconds: it compares with the times that rows were given. */
export async function readClock(tx: Transaction): Promise<string> {
  const [row] = await tx.query<{ now: string }>('SELECT clock_timestamp() AS now');
  return row!.now;
}
