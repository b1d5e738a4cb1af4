import { randomBytes } from 'node:crypto';
import { ApiKeyAuthenticator, createOrganization, CredentialFeed, Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { environment } from './service-plan.js';

export interface FirstOrganization {
  organizationId: string;
  apiKey: string;
}

/**
 * The organization whose key the launcher prints (enterprise plan). The stored one if its key is still valid,
 * otherwise a new one: the database may have been replaced, or the key revoked.
 */
export async function ensureFirstOrganization(
  urls: { app: string; system: string },
  kept: Partial<FirstOrganization>,
): Promise<FirstOrganization> {
  const database = new Database({
    appUrl: urls.app,
    systemUrl: urls.system,
    applicationName: 'spooled launcher',
    maxConnections: 2,
    minConnections: 0,
    acquireTimeoutMs: 10_000,
    // A machine that has just started everything is busy.
    queryTimeoutMs: 20_000,
    // A broken connection also fails the query that uses it, which reports the error.
    onError: () => undefined,
  });
  try {
    return (await recall(database, kept.apiKey)) ?? (await create(database, 'local'));
  } finally {
    await database.close();
  }
}

async function recall(database: Database, apiKey?: string): Promise<FirstOrganization | null> {
  if (!apiKey) return null;
  try {
    const authenticator = new ApiKeyAuthenticator(database, new CredentialFeed(database));
    const { organizationId } = await authenticator.authenticate(apiKey);
    return { organizationId, apiKey };
  } catch (error) {
    if (error instanceof SpooledError && error.status === 401) return null;
    throw error;
  }
}

async function create(database: Database, slug: string): Promise<FirstOrganization> {
  const live = environment === 'production';
  try {
    const made = await createOrganization(database, { name: 'Local', slug, planTier: 'enterprise', live });
    return { organizationId: made.organization.id, apiKey: made.key };
  } catch (error) {
    const isTaken = error instanceof SpooledError && error.status === 409 && slug === 'local';
    if (!isTaken) throw error;
    return create(database, `local-${randomBytes(3).toString('hex')}`);
  }
}
