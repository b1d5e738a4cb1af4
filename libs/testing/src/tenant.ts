import { randomUUID } from 'node:crypto';
import { ApiKeyDigests, lookupOf, newApiKeyText, prefixOf } from '@spooled/data-access';
import type { Role } from '@spooled/domain';
import { asSuperuser } from './kept-connections.js';

export interface TestTenant {
  organizationId: string;
  key: string;
  /** Creates another key, for these queues only. */
  keyFor(...queues: string[]): Promise<string>;
  /** Creates another key, for all queues, with this role. */
  keyAs(role: Role): Promise<string>;
}

export interface TestTenantOptions {
  plan?: 'free' | 'starter' | 'pro' | 'enterprise';
  /** Custom limits of the organization, such as `{ max_active_jobs: 1 }`. */
  customLimits?: Record<string, number | null>;
}

/** Creates an organization with a key directly in the database, so that specs do not depend on registration. */
export async function createTenant(superuserUrl: string, options: TestTenantOptions = {}): Promise<TestTenant> {
  const { plan = 'enterprise', customLimits = {} } = options;
  const organizationId = randomUUID();
  // Rates are unlimited unless a spec sets them.
  const limits = { rate_limit_requests_per_second: 100_000, rate_limit_burst: 100_000, ...customLimits };
  await asSuperuser(
    superuserUrl,
    'INSERT INTO organizations (id, name, slug, plan_tier, custom_limits) VALUES ($1, $2, $3, $4, $5)',
    [organizationId, 'Spec', `spec-${organizationId}`, plan, JSON.stringify(limits)],
  );
  const keyFor = (...queues: string[]) => createKey(superuserUrl, organizationId, queues);
  const keyAs = (role: Role) => createKey(superuserUrl, organizationId, [], role);
  return { organizationId, key: await keyFor(), keyFor, keyAs };
}

async function createKey(
  superuserUrl: string,
  organizationId: string,
  queues: string[],
  role: Role = 'admin',
): Promise<string> {
  const key = newApiKeyText({ live: false });
  await asSuperuser(
    superuserUrl,
    `INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup, queues, role)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [organizationId, 'spec', prefixOf(key), new ApiKeyDigests().of(key), lookupOf(key), queues, role],
  );
  return key;
}
