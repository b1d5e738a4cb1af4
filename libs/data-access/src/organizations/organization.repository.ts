import { conflict } from '@spooled/domain';
import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import type { Organization, Prisma } from '../generated/client.js';
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
  settings?: Record<string, unknown>;
  custom_limits?: Record<string, unknown> | null;
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

/** Prisma's value for NULL in a JSON column. Imported here, because the client is loaded at first use. */
const databaseNull = async () => (await import('../generated/client.js')).Prisma.DbNull;

/** @throws SpooledError 409 when another organization has the e-mail address */
export async function changeOrganization(models: TenantModels, changes: OrganizationChanges): Promise<Organization> {
  const { settings, custom_limits: limits, ...plain } = changes;
  const data = {
    ...plain,
    ...(settings && { settings: settings as Prisma.InputJsonObject }),
    ...(limits !== undefined && { custom_limits: (limits as Prisma.InputJsonObject) ?? (await databaseNull()) }),
    updated_at: new Date(),
  };
  try {
    return await models.organization.update({ where: { id: models.organizationId }, data });
  } catch (error) {
    throw isDuplicate(error) ? nameConflict() : error;
  }
}

/** Deletes the organization with all its data. @throws SpooledError 409 while jobs, workers or schedules are active */
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
