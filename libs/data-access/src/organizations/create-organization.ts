import { randomBytes } from 'node:crypto';
import { conflict } from '@spooled/domain';
import { v7 as uuidv7 } from 'uuid';
import { makeApiKey, type ApiKey } from '../api-keys/api-key.repository.js';
import { ApiKeyDigests } from '../credentials/api-key-digests.js';
import { lookupOf, prefixOf } from '../credentials/api-key-text.js';
import type { Database } from '../database/database.js';
import { isDuplicate } from '../prisma/model-errors.js';
import { insertOrganization, type InsertOrganizationResult } from './insert-organization.queries.js';
import { findNamesInUse, nameConflict, type Organization } from './organization.repository.js';

export interface NewOrganization {
  name: string;
  slug: string;
  billingEmail?: string | null;
  /** Default `free`. */
  planTier?: string;
  /** Name of the first API key. */
  keyName?: string;
  /** Whether keys begin with `sk_live_` instead of `sk_test_`. */
  live: boolean;
  /** Default: without a pepper, which every gateway accepts. */
  digests?: ApiKeyDigests;
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
    keyName = 'Initial Admin Key',
    live,
    digests = new ApiKeyDigests(),
  }: NewOrganization,
): Promise<{ organization: Organization; apiKey: ApiKey; key: string }> {
  const { slugs, emailTaken } = await findNamesInUse(database, [slug], billingEmail);
  if (slugs.length > 0) throw conflict(`The slug "${slug}" is already in use`);
  if (emailTaken) throw conflict('The billing e-mail address is already in use');
  const secret = makeApiKey({ live, digests });
  const settings = { webhook_token: newWebhookToken() };
  const id = uuidv7();
  const rows = await database
    .withTenant(id, (tx) =>
      tx.run(insertOrganization, {
        id,
        name,
        slug,
        planTier,
        billingEmail,
        settings: JSON.stringify(settings),
        keyName,
        keyPrefix: prefixOf(secret.text),
        keyDigest: secret.digest,
        keyLookup: lookupOf(secret.text),
      }),
    )
    .catch((error: unknown) => {
      throw isDuplicate(error) ? nameConflict() : error;
    });
  return { organization: { ...organizationOf(rows[0]!), settings }, apiKey: apiKeyOf(rows[0]!), key: secret.text };
}

/** The inserted row as a model. */
const organizationOf = (row: InsertOrganizationResult): Omit<Organization, 'settings'> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan_tier: row.plan_tier,
  billing_email: row.billing_email,
  custom_limits: null,
  stripe_customer_id: null,
  stripe_subscription_id: null,
  stripe_subscription_status: null,
  stripe_current_period_end: null,
  stripe_cancel_at_period_end: null,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
});

const apiKeyOf = (row: InsertOrganizationResult): ApiKey => ({
  id: row.key_id,
  organization_id: row.id,
  name: row.key_name,
  key_prefix: row.key_prefix,
  key_hash: row.key_hash,
  key_digest: row.key_digest,
  key_lookup: row.key_lookup,
  queues: row.queues,
  rate_limit: row.rate_limit,
  is_active: row.is_active,
  created_at: new Date(row.key_created_at),
  last_used: null,
  expires_at: null,
});
