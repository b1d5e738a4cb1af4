import type { apiKeySchemas, organizationSchemas } from '@spooled/contracts';
import type { ApiKey, Organization } from '@spooled/data-access';

/** Secret members of `settings`; only a key for all queues may read them. */
const secretSettings = new Set(['webhook_token', 'github_webhook_secret', 'stripe_webhook_secret']);

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** An organization; without `withSecrets` its settings omit the secrets that verify webhooks. */
export function toOrganizationResponse(
  row: Organization,
  { withSecrets }: { withSecrets: boolean },
): organizationSchemas.Organization {
  const settings = Object.entries(row.settings as Record<string, unknown>);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan_tier: row.plan_tier,
    billing_email: row.billing_email,
    settings: Object.fromEntries(withSecrets ? settings : settings.filter(([name]) => !secretSettings.has(name))),
    custom_limits: row.custom_limits as Record<string, unknown> | null,
    stripe_customer_id: row.stripe_customer_id,
    stripe_subscription_id: row.stripe_subscription_id,
    stripe_subscription_status: row.stripe_subscription_status,
    stripe_current_period_end: iso(row.stripe_current_period_end),
    stripe_cancel_at_period_end: row.stripe_cancel_at_period_end,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export const toOrganizationSummary = (row: Organization): organizationSchemas.OrganizationSummary => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan_tier: row.plan_tier,
  created_at: row.created_at.toISOString(),
});

export const toApiKeyResponse = (row: ApiKey): apiKeySchemas.ApiKeySummary => ({
  id: row.id,
  organization_id: row.organization_id,
  key_prefix: row.key_prefix,
  name: row.name,
  queues: row.queues,
  rate_limit: row.rate_limit,
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
  last_used: iso(row.last_used),
  expires_at: iso(row.expires_at),
});
