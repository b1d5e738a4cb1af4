import { conflict } from '@spooled/domain';
import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import type { Organization } from '../generated/client.js';
import { isDuplicate } from '../prisma/model-errors.js';
import type { TenantModels } from '../prisma/tenant-models.js';
import { findTaken } from './find-taken.queries.js';
import { readUsage, type ReadUsageResult } from './read-usage.queries.js';
import { removeOrganization } from './remove-organization.queries.js';

export type { Organization };

/** Usage of each resource, with the names of the API. */
export type { ReadUsageResult as UsageCounts };

/** Absent fields are unchanged; null resets a field. */
export interface OrganizationChanges {
  name?: string;
  plan_tier?: string;
  billing_email?: string;
  /** JSON text. Replaces the settings except the webhook token, which has its own routes. */
  settings?: string;
  webhook_token?: string;
  /** JSON text. */
  custom_limits?: string | null;
  stripe_customer_id?: string | null;
  stripe_subscription_id?: string | null;
  stripe_subscription_status?: string | null;
  stripe_current_period_end?: Date | null;
  stripe_cancel_at_period_end?: boolean | null;
}

export const nameConflict = () => conflict('The slug or the billing e-mail address is already in use');

/** The organization of the transaction; null when it was deleted. */
export const findOrganization = (models: TenantModels): Promise<Organization | null> =>
  models.organization.findUnique({ where: { id: models.organizationId } });

/** The documents of an organization as JSON text: the models would round their numbers. */
export interface OrganizationDocuments {
  settings: string;
  custom_limits: string | null;
}

/** @param hidden members of the settings to leave out */
export async function readOrganizationDocuments(
  models: TenantModels,
  hidden: readonly string[] = [],
): Promise<OrganizationDocuments> {
  const [row] = await models.$queryRaw<OrganizationDocuments[]>`
    SELECT (settings - ${hidden}::text[])::text AS settings, custom_limits::text AS custom_limits
    FROM organizations WHERE id = ${models.organizationId}::uuid`;
  return row ?? { settings: '{}', custom_limits: null };
}

/** @throws SpooledError 409 when another organization has the e-mail address */
export async function changeOrganization(models: TenantModels, changes: OrganizationChanges): Promise<Organization> {
  const { settings, webhook_token, custom_limits, ...plain } = changes;
  const data = { ...plain, updated_at: new Date() };
  try {
    await changeDocuments(models, { settings, webhook_token, custom_limits });
    return await models.organization.update({ where: { id: models.organizationId }, data });
  } catch (error) {
    throw isDuplicate(error) ? nameConflict() : error;
  }
}

async function changeDocuments(
  models: TenantModels,
  { settings, webhook_token, custom_limits }: Pick<OrganizationChanges, 'settings' | 'webhook_token' | 'custom_limits'>,
): Promise<void> {
  const id = models.organizationId;
  if (settings !== undefined) {
    await models.$executeRaw`
      UPDATE organizations SET settings = (${settings}::jsonb - 'webhook_token')
        || CASE WHEN settings ? 'webhook_token' THEN jsonb_build_object('webhook_token', settings -> 'webhook_token') ELSE '{}' END
      WHERE id = ${id}::uuid`;
  }
  if (webhook_token !== undefined) {
    await models.$executeRaw`
      UPDATE organizations SET settings = settings || jsonb_build_object('webhook_token', ${webhook_token}::text)
      WHERE id = ${id}::uuid`;
  }
  if (custom_limits !== undefined) {
    await models.$executeRaw`UPDATE organizations SET custom_limits = ${custom_limits}::jsonb WHERE id = ${id}::uuid`;
  }
}

/**
 * Deletes the organization; rows that grow with use go in the background.
 * @throws SpooledError 409 while jobs, workers or schedules are active
 */
export async function deleteOrganization(tx: TenantTransaction): Promise<void> {
  const usage = await countUsage(tx);
  const busy = (['active_jobs', 'workers', 'schedules'] as const).filter((resource) => usage[resource] > 0);
  if (busy.length > 0) throw conflict(`The organization still has ${busy.join(', ').replaceAll('_', ' ')}`);
  await tx.run(removeOrganization);
}

export async function countUsage(tx: TenantTransaction): Promise<ReadUsageResult> {
  const [row] = await tx.run(readUsage);
  return row!;
}

/** Which of the slugs are in use by any organization, and whether the e-mail address is. */
export async function findNamesInUse(
  database: Database,
  slugs: string[],
  billingEmail: string | null = null,
): Promise<{ slugs: string[]; emailTaken: boolean }> {
  const [row] = await database.asSystem('check names in use', (tx) => tx.run(findTaken, { slugs, billingEmail }));
  return { slugs: row!.slugs, emailTaken: row!.email_taken };
}
