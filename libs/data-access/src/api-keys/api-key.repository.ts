import type { Role } from '@spooled/domain';
import type { ApiKeyDigests } from '../credentials/api-key-digests.js';
import { lookupOf, newApiKeyText, prefixOf } from '../credentials/api-key-text.js';
import { lockResource } from '../database/lock-resource.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  changeApiKey as changeApiKeySql,
  type FindApiKeyResult,
  findSignInIdentity as findSignInIdentitySql,
  insertApiKey as insertApiKeySql,
  insertSignInIdentity,
  listKeyLookups as listKeyLookupsSql,
} from './api-keys.queries.js';

export {
  countActiveKeys,
  findApiKey,
  type FindApiKeyResult as ApiKey,
  findFirstKey,
  hasAdministrator,
  listApiKeys,
} from './api-keys.queries.js';

/** A key's text and its stored digest. */
export interface ApiKeySecret {
  text: string;
  digest: string;
}

/** Shown in place of a key's beginning: this row identifies the people of one role, and no key has its lookup hash. */
const signInPrefix = 'sign-in';

export interface NewApiKey {
  name: string;
  /** Empty = all queues. */
  queues: string[];
  rateLimit?: number | null;
  role: Role;
  expiresAt?: Date | null;
  secret: ApiKeySecret;
}

export interface ApiKeyChanges {
  name?: string;
  queues?: string[];
  rate_limit?: number;
  role?: Role;
  is_active?: boolean;
}

/** Generates a key (SP-70). */
export function makeApiKey({ live, digests }: { live: boolean; digests: ApiKeyDigests }): ApiKeySecret {
  const text = newApiKeyText({ live });
  return { text, digest: digests.of(text) };
}

export const insertApiKey = (
  tx: TenantTransaction,
  { name, queues, rateLimit = null, role, expiresAt = null, secret }: NewApiKey,
): Promise<FindApiKeyResult> =>
  tx.one(insertApiKeySql, {
    name,
    prefix: prefixOf(secret.text),
    digest: secret.digest,
    lookup: lookupOf(secret.text),
    queues,
    rateLimit,
    role,
    expiresAt: expiresAt?.toISOString() ?? null,
  });

/** Other changes of the organization's keys wait until the transaction ends, so that counts of them stay exact. */
export const lockApiKeys = (tx: TenantTransaction): Promise<void> => lockResource(tx, 'api_keys');

/** The lookup hashes of all keys of the organization, which are their cache keys. */
export async function listKeyLookups(tx: TenantTransaction): Promise<string[]> {
  const keys = await tx.run(listKeyLookupsSql);
  return keys.map(({ key_lookup }) => key_lookup);
}

/** The key must exist. */
export async function changeApiKey(
  tx: TenantTransaction,
  id: string,
  changes: ApiKeyChanges,
): Promise<FindApiKeyResult> {
  const changed = { id, changes: JSON.stringify(changes) };
  return tx.one(changeApiKeySql, changed);
}

export const isSignInIdentity = ({ key_prefix }: Pick<FindApiKeyResult, 'key_prefix'>): boolean =>
  key_prefix === signInPrefix;

/**
 * The key-like row by which people with this role are authenticated in the organization, created at the first sign-in. It has the
 * limits and the revocation of keys, but no text that could be presented.
 * @returns its id; null when the organization has deactivated it
 */
export async function ensureSignInIdentity(tx: TenantTransaction, role: Role): Promise<string | null> {
  const { organizationId } = tx;
  // Not the form of a key's text, so no key has this hash.
  const identity = { organizationId, role, lookup: lookupOf(`${signInPrefix} ${organizationId} ${role}`) };
  await tx.run(insertSignInIdentity, { ...identity, name: `People signed in as ${role}` });
  return (await tx.first(findSignInIdentitySql, identity))?.id ?? null;
}
