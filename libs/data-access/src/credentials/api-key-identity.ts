import type { Role } from '@spooled/domain';
import type { Database } from '../database/database.js';
import type { ReadPosition } from './recent-changes.js';
import { findApiKey } from './find-api-key.queries.js';
import { findKeyLookup } from './find-key-lookup.queries.js';
import { storeKeyDigest } from './store-key-digest.queries.js';

/** The organization and limits of a valid key. Cached as JSON in Redis, so it contains neither the key nor its digest. */
export interface ApiKeyIdentity {
  apiKeyId: string;
  name: string;
  organizationId: string;
  /** SHA-256 of the key's text; the key of its entries in caches and counters. */
  hash: string;
  /** The queues that the key may access; null = all. */
  queues: string[] | null;
  /** The key's own limit in requests per minute; null = none. */
  rateLimit: number | null;
  role: Role;
  /** RFC 3339; null = never. */
  expiresAt: string | null;
  planTier: string;
  customLimits: unknown;
}

/** An identity and the position of the read that returned it. */
export interface CachedIdentity extends ApiKeyIdentity {
  read: ReadPosition;
}

/** A key's list of queues as a scope: an empty list and `*` mean all queues. */
const scopeOf = (queues: string[]): string[] | null => (queues.length === 0 || queues.includes('*') ? null : queues);

/** The identity and the stored digest of the valid key with this lookup hash, or null. */
export async function findIdentity(
  database: Database,
  hash: string,
): Promise<{ identity: CachedIdentity; digest: string } | null> {
  const [row] = await database.asSystem('authenticate', (tx) => tx.run(findApiKey, { lookup: hash }));
  if (!row) return null;
  const { digest, queues, position, readAt, ...key } = row;
  // A check constraint of the table allows no other roles.
  const role = row.role as Role;
  return { identity: { ...key, hash, queues: scopeOf(queues), role, read: { position, readAt } }, digest };
}

/** The lookup hash of a key in any state; null when the key does not exist. */
export async function findLookup(database: Database, apiKeyId: string): Promise<string | null> {
  const [row] = await database.asSystem('authenticate', (tx) => tx.run(findKeyLookup, { id: apiKeyId }));
  return row?.key_lookup ?? null;
}

export async function storeDigest(database: Database, apiKeyId: string, digest: string): Promise<void> {
  await database.asSystem('update key digest', (tx) => tx.run(storeKeyDigest, { id: apiKeyId, digest }));
}
