import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import { changesKeptSeconds } from './credential-feed.js';
import { deleteOldCredentialChanges as deleteOld } from './delete-old-credential-changes.queries.js';
import { findRevokedSession } from './find-revoked-session.queries.js';
import { revokeSession as revokeSessionSql } from './revoke-session.queries.js';

/** Ends a session of the organization; kept for as long as the youngest of its tokens may live. Safe to repeat. */
export async function revokeSession(tx: TenantTransaction, sessionId: string, seconds: number): Promise<void> {
  await tx.run(revokeSessionSql, { organizationId: tx.organizationId, sessionId, seconds });
}

export async function isSessionRevoked(tx: TenantTransaction, sessionId: string): Promise<boolean> {
  const rows = await tx.run(findRevokedSession, { organizationId: tx.organizationId, sessionId });
  return rows.length > 0;
}

/** Removes what credentials no longer need; returns how many rows of the more numerous kind. */
export async function deleteOldCredentialChanges(tx: SystemTransaction, limit: number): Promise<number> {
  const [row] = await tx.run(deleteOld, { keptSeconds: changesKeptSeconds, limit });
  return row!.deleted;
}
