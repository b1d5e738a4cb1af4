import type { Database } from './database.js';
import { asLongAsNeeded } from './limits.js';

/**
 * Runs `work` unless another process is just doing the same; then null. The lock lives and dies with a transaction of its
 * own (a lock of a session would not survive PgBouncer), so `work` must do its writing in other transactions and be safe
 * to repeat: when the lock's connection breaks, somebody else may begin.
 */
export function runAlone<T>(db: Database, name: string, work: () => Promise<T>): Promise<T | null> {
  return db.asSystem(
    `lock ${name}`,
    async (tx) => {
      // An operator's limit for idle transactions must not end the lock in the middle of long work.
      const [, rows] = await Promise.all([
        tx.query(`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`),
        tx.query<{ mine: boolean }>(`SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine`, [
          `spooled ${name}`,
        ]),
      ]);
      return rows[0]?.mine ? work() : null;
    },
    asLongAsNeeded,
  );
}
