import { randomUUID } from 'node:crypto';
import { lookupOf, newApiKeyText, prefixOf } from '@spooled/data-access';
import bcrypt from 'bcrypt';
import type pg from 'pg';
import type { Door } from '../load/closed-loop.js';
import type { BenchStack } from './bench-stack.js';

export interface Tenant extends Door {
  organizationId: string;
}

/** The least that bcrypt knows: how long the first use of a thousand keys takes is not what is measured. */
const bcryptCost = 4;

/** Organizations with a key each, written past every door. */
export async function createTenants(
  stack: BenchStack,
  count: number,
  plan: 'free' | 'enterprise' = 'enterprise',
): Promise<Tenant[]> {
  const made = await Promise.all(
    Array.from({ length: count }, async () => {
      const apiKey = newApiKeyText({ live: false });
      const hash = await bcrypt.hash(apiKey, bcryptCost);
      return { organizationId: randomUUID(), apiKey, prefix: prefixOf(apiKey), lookup: lookupOf(apiKey), hash };
    }),
  );
  await write(stack.superuser, plan, made);
  return made.map(({ organizationId, apiKey }) => ({ organizationId, apiKey, baseUrl: stack.baseUrl }));
}

async function write(superuser: pg.Pool, plan: string, made: object[]): Promise<void> {
  await superuser.query(
    `WITH made AS (
       SELECT * FROM json_to_recordset($1::json)
         AS x("organizationId" uuid, prefix text, lookup text, hash text)
     ), organization AS (
       INSERT INTO organizations (id, name, slug, plan_tier)
       SELECT "organizationId", 'Bench', 'bench-' || "organizationId", $2 FROM made
     )
     INSERT INTO api_keys (organization_id, name, key_prefix, key_hash, key_lookup, queues)
     SELECT "organizationId", 'bench', prefix, hash, lookup, '{}' FROM made`,
    [JSON.stringify(made), plan],
  );
}
