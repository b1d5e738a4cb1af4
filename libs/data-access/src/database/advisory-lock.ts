import { systemClock } from '@spooled/clock';
import type { Database } from './database.js';
import { lockHolderLimits } from './limits.js';
import { isAdvisoryLockHeld, keepTransactionOpen, tryAdvisoryLock, stayConnected } from './advisory-lock.queries.js';
import type { SystemTransaction } from './transactions.js';

/** PostgreSQL releases the lock when the connection has sent nothing for this long. */
const lockIdleMs = 30_000;

/** Installations in other schemas of the database have locks of their own. */
const fullName = ({ installation }: Database, name: string): string =>
  [installation.schema === 'public' ? 'spooled' : installation.schema, name].join(' ');

/**
 * Runs `work` while holding the advisory lock `name`; returns null without running it when another process holds the lock.
 * The lock belongs to a separate transaction (PgBouncer does not support session locks), so `work` must write in other
 * transactions and be idempotent: when the lock's connection breaks, another process may start the same work.
 */
export function withAdvisoryLock<T>(
  db: Database,
  name: string,
  work: () => Promise<T>,
  idleMs = lockIdleMs,
): Promise<T | null> {
  const withLock = async (tx: SystemTransaction): Promise<T | null> => {
    // Overrides the server's idle transaction timeout, which could release the lock during long work.
    const [, rows] = await Promise.all([
      tx.run(keepTransactionOpen, { idleMs: String(idleMs) }),
      tx.run(tryAdvisoryLock, { name: fullName(db, name) }),
      // A statement with parameters keeps its snapshot until the next one, and CREATE INDEX CONCURRENTLY waits for the end of
      // transactions with a snapshot: 60 s for each index beside a scheduler.
      tx.run(stayConnected),
    ]);
    if (!rows[0]?.acquired) return null;
    const keepAlive = systemClock.every(idleMs / 3, () => void tx.run(stayConnected).catch(() => undefined));
    try {
      return await work();
    } finally {
      keepAlive.cancel();
    }
  };
  return db.asSystem(`lock ${name}`, withLock, lockHolderLimits);
}

/** Whether a process holds the lock `name` by `withAdvisoryLock`. @throws SpooledError 503 */
export async function isLockHeld(db: Database, name: string): Promise<boolean> {
  const [row] = await db.asSystem(`check ${name}`, (tx) => tx.run(isAdvisoryLockHeld, { name: fullName(db, name) }));
  return row!.held;
}
