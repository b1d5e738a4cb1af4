import type { Stack } from '@spooled/testing';
import type pg from 'pg';

/** Quantities that must not grow, by name. */
export type Sample = Record<string, number>;

/** These outlive a tenant, and go when they are old. */
const keptTables = ['audit_log', 'operations', 'credential_changes'];

const databaseFigures = `
  SELECT (SELECT sum(n_dead_tup)::int FROM pg_stat_user_tables) AS "dead tuples",
    (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
    round((pg_database_size(current_database()) - sum(pg_total_relation_size(kept))) / 1e6, 1)::float8 AS "database MB"
  FROM unnest($1::regclass[]) AS kept`;

/** Memory of each process, and figures of the database. */
export async function takeSample(stack: Stack, superuser: pg.Client): Promise<Sample> {
  const sample: Sample = {};
  for (const service of stack.services)
    for (const [index] of stack.metricsUrls(service).entries())
      sample[`${service} ${index} MB`] = await residentMegabytes(stack, service, index);
  const { rows } = await superuser.query<Sample>(databaseFigures, [keptTables]);
  return { ...sample, ...rows[0] };
}

async function residentMegabytes(stack: Stack, service: Stack['services'][number], index: number): Promise<number> {
  const found = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(await stack.metrics(service, index));
  return Math.round(Number(found?.[1]) / 1e6);
}
