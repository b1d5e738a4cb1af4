import { randomUUID } from 'node:crypto';
import { ApiKeyDigests, lookupOf, newApiKeyText, prefixOf } from '@spooled/data-access';
import type pg from 'pg';
import type { Protocol } from '../load/closed-loop.js';
import type { BenchStack } from './bench-stack.js';

export interface Tenant extends Protocol {
  organizationId: string;
}

/** Organizations with a key each, written past every door. */
export async function createTenants(
  stack: BenchStack,
  count: number,
  plan: 'free' | 'enterprise' = 'enterprise',
): Promise<Tenant[]> {
  const digests = new ApiKeyDigests();
  const made = Array.from({ length: count }, () => {
    const apiKey = newApiKeyText({ live: false });
    const [prefix, lookup, digest] = [prefixOf(apiKey), lookupOf(apiKey), digests.of(apiKey)];
    return { organizationId: randomUUID(), apiKey, prefix, lookup, digest };
  });
  await write(stack.superuser, plan, made);
  return made.map(({ organizationId, apiKey }) => ({ organizationId, apiKey, baseUrl: stack.baseUrl }));
}

async function write(superuser: pg.Pool, plan: string, made: object[]): Promise<void> {
  await superuser.query(
    `WITH made AS (
       SELECT * FROM json_to_recordset($1::json)
         AS x("organizationId" uuid, prefix text, lookup text, digest text)
     ), organization AS (
       INSERT INTO organizations (id, name, slug, plan_tier)
       SELECT "organizationId", 'Bench', 'bench-' || "organizationId", $2 FROM made
     )
     INSERT INTO api_keys (organization_id, name, key_prefix, key_hash, key_digest, key_lookup, queues)
     SELECT "organizationId", 'bench', prefix, '', digest, lookup, '{}' FROM made`,
    [JSON.stringify(made), plan],
  );
}
