import { randomBytes } from 'node:crypto';
import { conflict } from '@spooled/domain';
import { v7 as uuidv7 } from 'uuid';
import { makeApiKey, type ApiKey } from '../api-keys/api-key.repository.js';
import { ApiKeyDigests } from '../credentials/api-key-digests.js';
import { lookupOf, prefixOf } from '../credentials/api-key-text.js';
import type { Database } from '../database/database.js';
import { isDuplicate } from '../prisma/model-errors.js';
import insertOrganization from './insert-organization.sql';
import { findTakenNames, nameTaken, type Organization } from './organization.repository.js';

export interface NewOrganization {
  name: string;
  slug: string;
  billingEmail?: string | null;
  /** Default `free`. */
  planTier?: string;
  /** Name of the first API key. */
  keyName?: string;
  /** Whether keys begin with `sk_live_` rather than `sk_test_`. */
  live: boolean;
  /** Default: without a pepper, which any gateway accepts. */
  digests?: ApiKeyDigests;
}

/** Rows as JSON: nothing else that is a date can be set when they have just been made. */
interface Made extends Record<string, unknown> {
  organization: Omit<Organization, 'created_at' | 'updated_at'> & { created_at: string; updated_at: string };
  api_key: Omit<ApiKey, 'created_at'> & { created_at: string };
}

/** What verifies custom webhooks of an organization; every one is born with it. */
export const newWebhookToken = (): string => `whk_${randomBytes(24).toString('base64url')}`;

/**
 * Creates an organization with its first API key, which is for all queues.
 * @returns the key's text, which cannot be read again
 * @throws SpooledError 409 when another organization has the slug or the e-mail address
 */
export async function createOrganization(
  database: Database,
  {
    name,
    slug,
    billingEmail = null,
    planTier = 'free',
    keyName = 'Initial Admin Key',
    live,
    digests = new ApiKeyDigests(),
  }: NewOrganization,
): Promise<{ organization: Organization; apiKey: ApiKey; key: string }> {
  const { slugs, emailTaken } = await findTakenNames(database, [slug], billingEmail);
  if (slugs.length > 0) throw conflict(`The slug "${slug}" is already in use`);
  if (emailTaken) throw conflict('The billing e-mail address is already in use');
  const secret = makeApiKey({ live, digests });
  const settings = JSON.stringify({ webhook_token: newWebhookToken() });
  const id = uuidv7();
  const row = [id, name, slug, planTier, billingEmail, settings];
  const keyRow = [keyName, prefixOf(secret.text), secret.digest, lookupOf(secret.text)];
  const rows = await database
    .withTenant(id, (tx) => tx.query<Made>(insertOrganization, [...row, ...keyRow]))
    .catch((error: unknown) => {
      throw isDuplicate(error) ? nameTaken() : error;
    });
  const { organization, api_key: apiKey } = rows[0]!;
  const { created_at, updated_at } = organization;
  return {
    organization: { ...organization, created_at: new Date(created_at), updated_at: new Date(updated_at) },
    apiKey: { ...apiKey, created_at: new Date(apiKey.created_at) },
    key: secret.text,
  };
}
