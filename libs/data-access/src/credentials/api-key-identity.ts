import type { Database } from '../database/database.js';
import type { ReadPosition } from './known-changes.js';
import { findApiKey } from './find-api-key.queries.js';
import { findKeyLookup } from './find-key-lookup.queries.js';
import { storeKeyDigest } from './store-key-digest.queries.js';

/** Who a valid key speaks for. Shared between processes as JSON; the key's text and its digest are not in it. */
export interface ApiKeyIdentity {
  apiKeyId: string;
  organizationId: string;
  /** SHA-256 of the key's text; names the key's entries in caches and counters. */
  hash: string;
  /** The queues that the key may touch; null = all. */
  queues: string[] | null;
  /** The key's own limit in requests per minute; null = none. */
  rateLimit: number | null;
  /** RFC 3339; null = never. */
  expiresAt: string | null;
  planTier: string;
  customLimits: unknown;
}

/** An identity with which changes it shows already. */
export interface CachedIdentity extends ApiKeyIdentity {
  read: ReadPosition;
}

/** A key's list of queues as a scope: an empty list and `*` mean all of them. */
const scopeOf = (queues: string[]): string[] | null => (queues.length === 0 || queues.includes('*') ? null : queues);

/** The valid key of a lookup digest with what verifies it, or null. */
export async function findIdentity(
  database: Database,
  hash: string,
): Promise<{ identity: CachedIdentity; digest: string | null } | null> {
  const [row] = await database.asSystem('authenticate', (tx) => tx.run(findApiKey, { lookup: hash }));
  if (!row) return null;
  const identity = {
    apiKeyId: row.id,
    organizationId: row.organization_id,
    hash,
    queues: scopeOf(row.queues),
    rateLimit: row.rate_limit,
    expiresAt: row.expires_at,
    planTier: row.plan_tier,
    customLimits: row.custom_limits,
    read: { position: row.position, readAt: row.read_at },
  };
  return { identity, digest: row.key_digest };
}

/** The digest by which a key is found, whatever its state; null when there is no such key. */
export async function findLookup(database: Database, apiKeyId: string): Promise<string | null> {
  const [row] = await database.asSystem('authenticate', (tx) => tx.run(findKeyLookup, { id: apiKeyId }));
  return row?.key_lookup ?? null;
}

/** Stores another digest of a key, unless it has it. */
export async function storeDigest(database: Database, apiKeyId: string, digest: string): Promise<void> {
  await database.asSystem('renew key digest', (tx) => tx.run(storeKeyDigest, { id: apiKeyId, digest }));
}
