import { recordAudit } from '../audit/audit-log.js';
import { z } from 'zod';
import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import { removeOrganization } from '../organizations/remove-organization.queries.js';
import {
  listOrganizations as listOrganizationsSql,
  type ListOrganizationsResult,
} from './list-organizations.queries.js';
import { readSystemStats as readSystemStatsSql, type ReadSystemStatsResult } from './read-system-stats.queries.js';
import { resetUsage as resetUsageSql } from './reset-usage.queries.js';
import { retireOrganization as retireOrganizationSql } from './retire-organization.queries.js';

export interface OrganizationFilter {
  planTier: string | null;
  /** Part of the name, the slug or the billing address, in any case. */
  search: string | null;
  orderBy: 'created_at' | 'updated_at' | 'name' | 'slug' | 'plan_tier';
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
  /** The last organization of the previous page, with the value it is sorted by; null = the first page, or by `offset`. */
  after: { key: string; id: string } | null;
}

export type OrganizationRow = Omit<ListOrganizationsResult, 'id' | 'total'> & { id: string };

/** Statistics of the whole system; averages in milliseconds over all completed jobs. */
export interface SystemStatsRow extends ReadSystemStatsResult {
  /** Includes deleted organizations under `deleted`. */
  organizations_by_plan: Record<string, number>;
}

const counts = z.record(z.string(), z.number());

const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Whether organizations are sorted by a time; otherwise by a text. */
export const isSortedByTime = (orderBy: OrganizationFilter['orderBy']): boolean =>
  orderBy === 'created_at' || orderBy === 'updated_at';

const sortKey = (orderBy: OrganizationFilter['orderBy'], key: string | null) =>
  isSortedByTime(orderBy) ? { afterTime: key, afterText: null } : { afterTime: null, afterText: key };

/** A page of all organizations, including deleted ones. */
export async function listOrganizations(
  database: Database,
  { planTier, search, orderBy, direction, limit, offset, after }: OrganizationFilter,
): Promise<{ total: number; organizations: OrganizationRow[] }> {
  const rows = await database.asSystem('list organizations', (tx) =>
    tx.run(listOrganizationsSql, {
      planTier,
      pattern: search === null ? null : patternOf(search),
      orderBy,
      ascending: direction === 'asc',
      limit,
      offset,
      ...sortKey(orderBy, after?.key ?? null),
      afterId: after?.id ?? null,
    }),
  );
  const organizations = rows.flatMap(({ total: _, id, ...row }) => (id === null ? [] : [{ ...row, id }]));
  return { total: rows[0]!.total, organizations };
}

export async function readSystemStats(database: Database): Promise<SystemStatsRow> {
  const [row] = await database.asSystem('system stats', (tx) => tx.run(readSystemStatsSql));
  return { ...row!, organizations_by_plan: counts.parse(row!.organizations_by_plan) };
}

/**
 * Marks the organization as deleted and revokes its keys; keeps all other data.
 * @returns the lookup hashes of its keys; null when the organization does not exist
 */
export async function retireOrganization(tx: TenantTransaction): Promise<string[] | null> {
  return (await tx.first(retireOrganizationSql))?.lookups ?? null;
}

/**
 * Deletes the organization, also while jobs are active. Its keys go at once, its other rows in the background.
 * @returns the lookup hashes of its keys; null when the organization does not exist
 */
export async function eraseOrganization(tx: TenantTransaction): Promise<string[] | null> {
  const retired = await retireOrganization(tx);
  if (retired !== null) await tx.run(removeOrganization);
  return retired;
}

/** Resets the number of jobs that the organization has created today. */
export async function resetUsage(tx: TenantTransaction): Promise<void> {
  const row = await tx.one(resetUsageSql);
  const target = { targetKind: 'organization', targetId: tx.organizationId };
  const changes = { before: { jobs_today: row.jobs }, after: { jobs_today: 0 } };
  await recordAudit(tx, { action: 'organization.usage_reset', ...target, ...changes });
}
