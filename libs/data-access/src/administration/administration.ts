import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import removeOrganization from '../organizations/remove-organization.sql';
import listOrganizationsSql from './list-organizations.sql';
import readSystemStatsSql from './read-system-stats.sql';
import retireOrganizationSql from './retire-organization.sql';

export interface OrganizationFilter {
  planTier: string | null;
  /** Part of the name, the slug or the billing address, in any case. */
  search: string | null;
  orderBy: 'created_at' | 'updated_at' | 'name' | 'slug' | 'plan_tier';
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export interface OrganizationRow {
  id: string;
  name: string;
  slug: string;
  plan_tier: string;
  billing_email: string | null;
  created_at: string;
  updated_at: string;
  jobs_today: number;
  active_jobs: number;
  queues: number;
  workers: number;
  api_keys: number;
}

/** The whole system in figures; averages in milliseconds over all jobs that completed. */
export interface SystemStatsRow {
  /** Deleted organizations stand under `deleted`. */
  organizations_by_plan: Record<string, number>;
  organizations_today: number;
  organizations_this_week: number;
  pending: number;
  scheduled: number;
  processing: number;
  created: number;
  completed: number;
  deadlettered: number;
  cancelled: number;
  avg_wait_ms: number;
  avg_run_ms: number;
  completed_24h: number;
  failed_24h: number;
  dead_letters: number;
  jobs_today: number;
  workers: number;
  workers_healthy: number;
  workers_degraded: number;
  workers_idle: number;
  queues: number;
  queues_paused: number;
  api_keys: number;
}

const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A page of all organizations, deleted ones included. */
export async function listOrganizations(
  database: Database,
  { planTier, search, orderBy, direction, limit, offset }: OrganizationFilter,
): Promise<{ total: number; organizations: OrganizationRow[] }> {
  const sql = listOrganizationsSql
    .replaceAll('{column}', orderBy)
    .replaceAll('{direction}', direction === 'asc' ? 'ASC' : 'DESC');
  const rows = await database.asSystem('list organizations', (tx) =>
    tx.query<{ total: number } & (OrganizationRow | { id: null })>(sql, [
      planTier,
      search === null ? null : patternOf(search),
      limit,
      offset,
    ]),
  );
  const organizations = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as OrganizationRow]));
  return { total: rows[0]!.total, organizations };
}

export async function readSystemStats(database: Database): Promise<SystemStatsRow> {
  const [row] = await database.asSystem('system stats', (tx) =>
    tx.query<SystemStatsRow & Record<string, unknown>>(readSystemStatsSql),
  );
  return row!;
}

/**
 * Marks the organization as deleted and revokes its keys; everything else stays as it is.
 * @returns the digests of its keys; null when there is no such organization
 */
export async function retireOrganization(tx: TenantTransaction): Promise<string[] | null> {
  const [row] = await tx.query<{ lookups: string[] }>(retireOrganizationSql);
  return row?.lookups ?? null;
}

/**
 * Removes the organization with everything it owns, also while it is busy.
 * @returns the digests of its keys; null when there is no such organization
 */
export async function eraseOrganization(tx: TenantTransaction): Promise<string[] | null> {
  const retired = await retireOrganization(tx);
  if (retired !== null) await tx.query(removeOrganization);
  return retired;
}

/** Lets the organization create jobs as if it had created none today. */
export async function resetUsage(tx: TenantTransaction): Promise<void> {
  await tx.query(`DELETE FROM usage_counters WHERE day = (now() AT TIME ZONE 'UTC')::date`);
}
