import type { Database } from './database.js';
import { holdsOnlyALock } from './limits.js';
import { keepTransactionOpen, tryAdvisoryLock, stayConnected } from './advisory-lock.queries.js';
import type { SystemTransaction } from './transactions.js';

/** How long PostgreSQL keeps the lock of a process of which it hears nothing. */
const lockIdleMs = 30_000;

/**
 * Runs `work` unless another process is just doing the same; then null. The lock lives and dies with a transaction of its
 * own (a lock of a session would not survive PgBouncer), so `work` must do its writing in other transactions and be safe
 * to repeat: when the lock's connection breaks, somebody else may begin.
 */
export function withAdvisoryLock<T>(
  db: Database,
  name: string,
  work: () => Promise<T>,
  idleMs = lockIdleMs,
): Promise<T | null> {
  const withLock = async (tx: SystemTransaction): Promise<T | null> => {
    // An operator's limit for idle transactions must not end the lock in the middle of long work; a lost connection must.
    const [, rows] = await Promise.all([
      tx.run(keepTransactionOpen, { idleMs: String(idleMs) }),
      tx.run(tryAdvisoryLock, { name: `spooled ${name}` }),
    ]);
    if (!rows[0]?.acquired) return null;
    const sign = setInterval(() => void tx.run(stayConnected).catch(() => undefined), idleMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(sign);
    }
  };
  return db.asSystem(`lock ${name}`, withLock, holdsOnlyALock);
}
