import { eventually } from './eventually.js';

const waiting = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`;

/**
 * Resolves when exactly `sessions` of a database wait for locks.
 *
 * @param client a superuser outside a transaction, which would see the same sessions for as long as it lasts
 * @param statement part of the statement that waits; empty: any
 */
export const untilLocked = (
  client: { query(text: string, parameters: unknown[]): Promise<{ rows: unknown[] }> },
  sessions = 1,
  statement = '',
): Promise<void> =>
  eventually(async () => {
    const { rows } = await client.query(waiting, [statement]);
    if (rows.length !== sessions) throw new Error(`${rows.length} sessions wait for locks, not ${sessions}`);
  });
