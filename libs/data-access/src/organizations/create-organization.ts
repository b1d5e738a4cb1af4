import { randomBytes } from 'node:crypto';
import { conflict } from '@spooled/domain';
import { v7 as uuidv7 } from 'uuid';
import { makeApiKey, type ApiKey } from '../api-keys/api-key.repository.js';
import { ApiKeyDigests } from '../credentials/api-key-digests.js';
import { lookupOf, prefixOf } from '../credentials/api-key-text.js';
import type { Database } from '../database/database.js';
import { isDuplicate } from '../database/database-errors.js';
import { insertOrganization } from './insert-organization.queries.js';
import {
  findNamesInUse,
  nameConflict,
  type Organization,
  type OrganizationDocuments,
} from './organization.repository.js';

export interface NewOrganization {
  name: string;
  slug: string;
  billingEmail?: string | null;
  /** Default `free`. */
  planTier?: string;
  /** JSON text of an object; a webhook token is added. */
  settings?: string;
  /** JSON text of an object; null = the plan's limits. */
  customLimits?: string | null;
  /** Name of the first API key. */
  keyName?: string;
  /** Whether keys begin with `sk_live_` instead of `sk_test_`. */
  live: boolean;
  /** Default: without a pepper, which every gateway accepts. */
  digests?: ApiKeyDigests;
}

export interface CreatedOrganization {
  organization: Organization;
  documents: OrganizationDocuments;
  apiKey: Pick<ApiKey, 'id' | 'name' | 'created_at'>;
  /** The text of the API key. */
  key: string;
}

/** A token that verifies custom webhooks; every organization is created with one. */
export const newWebhookToken = (): string => `whk_${randomBytes(24).toString('base64url')}`;

/**
 * Creates an organization with its first API key, for all queues.
 * @returns the key's text, which is not stored
 * @throws SpooledError 409 when another organization has the slug or the e-mail address
 */
export async function createOrganization(
  database: Database,
  {
    name,
    slug,
    billingEmail = null,
    planTier = 'free',
    settings = '{}',
    customLimits = null,
    keyName = 'Initial Admin Key',
    live,
    digests = new ApiKeyDigests(),
  }: NewOrganization,
): Promise<CreatedOrganization> {
  await requireFreeNames(database, slug, billingEmail);
  const secret = makeApiKey({ live, digests });
  const id = uuidv7();
  const rows = await database
    .withTenant(id, (tx) =>
      tx.run(insertOrganization, {
        id,
        name,
        slug,
        planTier,
        billingEmail,
        settings,
        webhookToken: newWebhookToken(),
        customLimits,
        keyName,
        keyPrefix: prefixOf(secret.text),
        keyDigest: secret.digest,
        keyLookup: lookupOf(secret.text),
      }),
    )
    .catch((error: unknown) => {
      throw isDuplicate(error) ? nameConflict() : error;
    });
  const { settings: stored, custom_limits, key_id, key_name, key_created_at, ...organization } = rows[0]!;
  const apiKey = { id: key_id, name: key_name, created_at: key_created_at };
  return { organization, documents: { settings: stored, custom_limits }, apiKey, key: secret.text };
}

/** @throws SpooledError 409 when another organization has the slug or the e-mail address */
async function requireFreeNames(database: Database, slug: string, billingEmail: string | null): Promise<void> {
  const { slugs, emailTaken } = await findNamesInUse(database, [slug], billingEmail);
  if (slugs.length > 0) throw conflict(`The slug "${slug}" is already in use`);
  if (emailTaken) throw conflict('The billing e-mail address is already in use');
}
