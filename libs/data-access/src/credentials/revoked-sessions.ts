import type { SystemTransaction } from '../database/transactions.js';
import { changeRetentionSeconds } from './credential-feed.js';
import { deleteOldCredentialChanges as deleteOld } from './delete-old-credential-changes.queries.js';

export { findRevokedSession } from './find-revoked-session.queries.js';
/** For `seconds`, at least the lifetime of its newest token. Idempotent. */
export { revokeSession } from './revoke-session.queries.js';

/** Deletes expired changes, revoked sessions, and logins and sessions of the console, up to `limit` of each; returns the largest count. */
export async function deleteOldCredentialChanges(tx: SystemTransaction, limit: number): Promise<number> {
  return (await tx.one(deleteOld, { keptSeconds: changeRetentionSeconds, limit })).deleted;
}
