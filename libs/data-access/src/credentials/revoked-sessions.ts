import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { changeRetentionSeconds } from './credential-feed.js';
import { deleteOldCredentialChanges as deleteOld } from './delete-old-credential-changes.queries.js';
import { findRevokedSession } from './find-revoked-session.queries.js';

/** For `seconds`, at least the lifetime of its newest token. Idempotent. */
export { revokeSession } from './revoke-session.queries.js';

export async function isSessionRevoked(tx: TenantTransaction, sessionId: string): Promise<boolean> {
  const rows = await tx.run(findRevokedSession, { sessionId });
  return rows.length > 0;
}

/** Deletes expired changes, revoked sessions, and logins and sessions of the console, up to `limit` of each; returns the largest count. */
export async function deleteOldCredentialChanges(tx: SystemTransaction, limit: number): Promise<number> {
  return (await tx.one(deleteOld, { keptSeconds: changeRetentionSeconds, limit })).deleted;
}
