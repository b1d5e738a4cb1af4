import { type apiKeySchemas, type organizationSchemas, rawJson } from '@spooled/contracts';
import type { ApiKey, CreatedOrganization, Organization, OrganizationDocuments } from '@spooled/data-access';
import type { Role } from '@spooled/domain';
import { iso } from '../http/times.js';

const plainOrganization = (
  row: Organization,
): Omit<organizationSchemas.Organization, 'settings' | 'custom_limits'> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan_tier: row.plan_tier,
  billing_email: row.billing_email,
  stripe_customer_id: row.stripe_customer_id,
  stripe_subscription_id: row.stripe_subscription_id,
  stripe_subscription_status: row.stripe_subscription_status,
  stripe_current_period_end: iso(row.stripe_current_period_end),
  stripe_cancel_at_period_end: row.stripe_cancel_at_period_end,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/**
 * An organization as JSON text; its documents are copied as stored, without parsing.
 * @param more further members
 */
export const toOrganizationResponse = (
  row: Organization,
  { settings, custom_limits }: OrganizationDocuments,
  more: object = {},
): string => rawJson({ ...plainOrganization(row), ...more }, { settings, custom_limits });

/** The response to a registration. @param repeated also has the organization's fields at the top level, where one SDK reads them */
export function toCreatedOrganizationResponse(
  { organization, documents, apiKey, key }: CreatedOrganization,
  { repeated }: { repeated: boolean },
): string {
  const api_key = { id: apiKey.id, key, name: apiKey.name, created_at: iso(apiKey.created_at) };
  const nested = toOrganizationResponse(organization, documents);
  if (!repeated) return rawJson({ api_key }, { organization: nested });
  return `${toOrganizationResponse(organization, documents, { api_key }).slice(0, -1)},"organization":${nested}}`;
}

export const toOrganizationSummary = (row: Organization): organizationSchemas.OrganizationSummary => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan_tier: row.plan_tier,
  created_at: iso(row.created_at),
});

export const toApiKeyResponse = (row: ApiKey): apiKeySchemas.ApiKeySummary => ({
  id: row.id,
  organization_id: row.organization_id,
  key_prefix: row.key_prefix,
  name: row.name,
  queues: row.queues,
  rate_limit: row.rate_limit,
  role: row.role as Role,
  is_active: row.is_active,
  created_at: iso(row.created_at),
  last_used: iso(row.last_used),
  expires_at: iso(row.expires_at),
});
