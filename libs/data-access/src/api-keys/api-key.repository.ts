import type { Role } from '@spooled/domain';
import type { ApiKeyDigests } from '../credentials/api-key-digests.js';
import { lookupOf, newApiKeyText, prefixOf } from '../credentials/api-key-text.js';
import type { ApiKey } from '../generated/client.js';
import { lockResource, newestById, type PageById, type TenantModels } from '../prisma/tenant-models.js';

export type { ApiKey };

/** A key's text and its stored digest. */
export interface ApiKeySecret {
  text: string;
  digest: string;
}

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
  models: TenantModels,
  { name, queues, rateLimit = null, role, expiresAt = null, secret }: NewApiKey,
): Promise<ApiKey> =>
  models.apiKey.create({
    data: {
      organization_id: models.organizationId,
      name,
      key_prefix: prefixOf(secret.text),
      key_digest: secret.digest,
      key_lookup: lookupOf(secret.text),
      queues,
      rate_limit: rateLimit,
      role,
      expires_at: expiresAt,
    },
  });

/** Counts the active keys under a lock that prevents additions until the transaction ends, so that the plan's limit is exact. */
export async function lockAndCountActiveKeys(models: TenantModels): Promise<number> {
  await lockResource(models, 'api_keys');
  return models.apiKey.count({ where: { is_active: true } });
}

/** The keys of the organization, newest first: their ids are made in the order of creation. */
export const listApiKeys = (models: TenantModels, page: PageById): Promise<ApiKey[]> =>
  models.apiKey.findMany({ orderBy: { id: 'desc' }, ...newestById(page) });

/** The id of the organization's first key; null when it has none. */
export async function findFirstKeyId(models: TenantModels): Promise<string | null> {
  const key = await models.apiKey.findFirst({ orderBy: { id: 'asc' }, select: { id: true } });
  return key?.id ?? null;
}

/** The lookup hashes of all keys of the organization, which are their cache keys. */
export async function listKeyLookups(models: TenantModels): Promise<string[]> {
  const keys = await models.apiKey.findMany({ select: { key_lookup: true } });
  return keys.map(({ key_lookup }) => key_lookup);
}

export const findApiKey = (models: TenantModels, id: string): Promise<ApiKey | null> =>
  models.apiKey.findUnique({ where: { id } });

export const changeApiKey = (models: TenantModels, id: string, changes: ApiKeyChanges): Promise<ApiKey> =>
  models.apiKey.update({ where: { id }, data: changes });
