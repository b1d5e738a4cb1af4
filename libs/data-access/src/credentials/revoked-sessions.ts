import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { changesKeptSeconds } from './credential-feed.js';
import deleteOld from './delete-old-credential-changes.sql';

/** Ends a session of the organization; kept for as long as the youngest of its tokens may live. Safe to repeat. */
export async function revokeSession(tx: TenantTransaction, sessionId: string, seconds: number): Promise<void> {
  await tx.query(
    `INSERT INTO revoked_sessions (organization_id, session_id, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))
     ON CONFLICT (organization_id, session_id) DO UPDATE SET expires_at = greatest(revoked_sessions.expires_at, EXCLUDED.expires_at)`,
    [tx.organizationId, sessionId, seconds],
  );
}

export async function isSessionRevoked(tx: TenantTransaction, sessionId: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM revoked_sessions WHERE organization_id = $1 AND session_id = $2', [
    tx.organizationId,
    sessionId,
  ]);
  return rows.length > 0;
}

/** Removes what credentials no longer need; returns how many rows of the more numerous kind. */
export async function deleteOldCredentialChanges(tx: SystemTransaction, limit: number): Promise<number> {
  const [row] = await tx.query<{ deleted: number }>(deleteOld, [changesKeptSeconds, limit]);
  return row!.deleted;
}
