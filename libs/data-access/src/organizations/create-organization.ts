import { randomBytes } from 'node:crypto';
import { conflict } from '@spooled/domain';
import { v7 as uuidv7 } from 'uuid';
import { insertApiKey, makeApiKey, type ApiKey } from '../api-keys/api-key.repository.js';
import type { Database } from '../database/database.js';
import { findTakenNames, insertOrganization, type Organization } from './organization.repository.js';

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
  { name, slug, billingEmail = null, planTier = 'free', keyName = 'Initial Admin Key', live }: NewOrganization,
): Promise<{ organization: Organization; apiKey: ApiKey; key: string }> {
  // Asked first, so that a name which is taken does not cost a bcrypt.
  const { slugs, emailTaken } = await findTakenNames(database, [slug], billingEmail);
  if (slugs.length > 0) throw conflict(`The slug "${slug}" is already in use`);
  if (emailTaken) throw conflict('The billing e-mail address is already in use');
  const secret = await makeApiKey({ live });
  return database.withTenantModels(uuidv7(), async (models) => {
    const settings = { webhook_token: newWebhookToken() };
    const row = { name, slug, plan_tier: planTier, billing_email: billingEmail, settings };
    const organization = await insertOrganization(models, row);
    const apiKey = await insertApiKey(models, { name: keyName, queues: [], secret });
    return { organization, apiKey, key: secret.text };
  });
}
