import { randomUUID } from 'node:crypto';
import { ApiKeyDigests, lookupOf, newApiKeyText, prefixOf } from '@spooled/data-access';
import type pg from 'pg';
import type { Endpoint } from '../load/closed-loop.js';
import type { BenchStack } from './bench-stack.js';

export interface Tenant extends Endpoint {
  organizationId: string;
}

/** Inserts organizations with one key each, without the API. */
export async function createTenants(
  stack: BenchStack,
  count: number,
  plan: 'free' | 'enterprise' = 'enterprise',
  /** Limits in place of those of the plan. */
  customLimits: object = {},
): Promise<Tenant[]> {
  const digests = new ApiKeyDigests();
  const tenants = Array.from({ length: count }, () => {
    const apiKey = newApiKeyText({ live: false });
    const [prefix, lookup, digest] = [prefixOf(apiKey), lookupOf(apiKey), digests.of(apiKey)];
    return { organizationId: randomUUID(), apiKey, prefix, lookup, digest };
  });
  await write(stack.superuser, { plan, customLimits }, tenants);
  return tenants.map(({ organizationId, apiKey }) => ({ organizationId, apiKey, baseUrl: stack.baseUrl }));
}

async function write(
  superuser: pg.Pool,
  { plan, customLimits }: { plan: string; customLimits: object },
  tenants: object[],
): Promise<void> {
  await superuser.query(
    `WITH tenant AS (
       SELECT * FROM json_to_recordset($1::json)
         AS x("organizationId" uuid, prefix text, lookup text, digest text)
     ), organization AS (
       INSERT INTO organizations (id, name, slug, plan_tier, custom_limits)
       SELECT "organizationId", 'Bench', 'bench-' || "organizationId", $2, $3::jsonb FROM tenant
     )
     INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup, queues)
     SELECT "organizationId", 'bench', prefix, digest, lookup, '{}' FROM tenant`,
    [JSON.stringify(tenants), plan, JSON.stringify(customLimits)],
  );
}
