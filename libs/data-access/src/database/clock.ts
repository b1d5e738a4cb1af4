import { readClock as readClockSql } from './read-clock.queries.js';
import type { Transaction } from './transactions.js';

/** The database's time in RFC 3339 with microseconds, comparable with the timestamps of rows. */
export async function readClock(tx: Transaction): Promise<string> {
  return (await tx.one(readClockSql)).now;
}
