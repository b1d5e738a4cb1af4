import { isApiKeyText, lookupOf } from '../credentials/api-key-text.js';
import type { Database } from '../database/database.js';
import {
  findRefusedKey,
  lockRefusedKey,
  recordRefusedLogin as recordRefusedLoginSql,
} from './refused-logins.queries.js';

/**
 * Records in the audit log that a login with a revoked or expired key was refused (BX-21): once per hour for each key, so that a flood of
 * attempts does not fill the log. A text that is no organization's key is not recorded, because it belongs in no organization's log.
 * @throws SpooledError 503 when PostgreSQL is unavailable
 */
export async function recordRefusedLogin(database: Database, apiKey: string): Promise<void> {
  if (!isApiKeyText(apiKey)) return;
  const find = { lookup: lookupOf(apiKey) };
  const [key] = await database.asSystem('find a refused key', (tx) => tx.run(findRefusedKey, find));
  if (!key) return;
  const { id: keyId, organization_id: organizationId, reason } = key;
  await database.withTenant(organizationId, async (tx) => {
    const lock = await tx.one(lockRefusedKey, { keyId });
    if (lock.locked) await tx.run(recordRefusedLoginSql, { keyId, reason });
  });
}
