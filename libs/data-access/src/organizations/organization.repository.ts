import { conflict, secretOrganizationSettings } from '@spooled/domain';
import type { Database } from '../database/database.js';
import type { TenantTransaction } from '../database/transactions.js';
import { isDuplicate } from '../database/database-errors.js';
import { findTaken } from './find-taken.queries.js';
import {
  changeOrganization as changeOrganizationSql,
  findOrganization as findOrganizationSql,
  type FindOrganizationResult,
  readOrganizationDocuments as readOrganizationDocumentsSql,
  type ReadOrganizationDocumentsResult,
} from './organizations.queries.js';
import { readUsage } from './read-usage.queries.js';
import { removeOrganization } from './remove-organization.queries.js';

/** Usage of each resource, with the names of the API. */
export { readUsage, type ReadUsageResult as UsageCounts } from './read-usage.queries.js';
/** An organization without its documents. */
export type { FindOrganizationResult as Organization };

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
  stripe_current_period_end?: string | null;
  stripe_cancel_at_period_end?: boolean | null;
}

export const nameConflict = () => conflict('The slug or the billing e-mail address is already in use');

/** The organization of the transaction; null when it was deleted. */
export async function findOrganization(tx: TenantTransaction): Promise<FindOrganizationResult | null> {
  return (await tx.first(findOrganizationSql)) ?? null;
}

/** The documents of an organization as JSON text. */
export type { ReadOrganizationDocumentsResult as OrganizationDocuments };

/** @param withSecrets false hides secret settings, and receivers, as the audit log does */
export async function readOrganizationDocuments(
  tx: TenantTransaction,
  { withSecrets }: { withSecrets: boolean } = { withSecrets: true },
): Promise<ReadOrganizationDocumentsResult> {
  const hidden = [...secretOrganizationSettings];
  const scope = { hidden, withSecrets };
  const row = await tx.first(readOrganizationDocumentsSql, scope);
  return row ?? { settings: '{}', custom_limits: null };
}

/** The organization must exist. @throws SpooledError 409 when another organization has the e-mail address */
export async function changeOrganization(
  tx: TenantTransaction,
  { settings, webhook_token, custom_limits, ...plain }: OrganizationChanges,
): Promise<FindOrganizationResult> {
  const changed = tx.run(changeOrganizationSql, {
    changes: JSON.stringify(plain),
    settings: settings ?? null,
    webhookToken: webhook_token ?? null,
    setsCustomLimits: custom_limits !== undefined,
    customLimits: custom_limits ?? null,
  });
  const [organization] = await changed.catch((error: unknown) => {
    throw isDuplicate(error) ? nameConflict() : error;
  });
  return organization!;
}

/**
 * Deletes the organization; rows that grow with use go in the background.
 * @throws SpooledError 409 while jobs, workers or schedules are active
 */
export async function deleteOrganization(tx: TenantTransaction): Promise<void> {
  const usage = await tx.one(readUsage);
  const busy = (['active_jobs', 'workers', 'schedules'] as const).filter((resource) => usage[resource] > 0);
  if (busy.length > 0) throw conflict(`The organization still has ${busy.join(', ').replaceAll('_', ' ')}`);
  await tx.run(removeOrganization);
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
