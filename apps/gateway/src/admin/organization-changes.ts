import type { adminSchemas } from '@spooled/contracts';
import type { Organization, OrganizationChanges } from '@spooled/data-access';
import { invalidField, limitValues, planFields } from '@spooled/domain';

/** A typing error here would lift or drop a limit unnoticed. Members that are no limits are kept as they are. */
function requireSensible(limits: Record<string, unknown>): void {
  const understood = limitValues(limits);
  const wrong = planFields.find((name) => name in limits && !(name in understood));
  if (wrong) throw invalidField(`custom_limits.${wrong}`, 'must be a whole number from 0 up, or null for unlimited');
}

const withoutUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;

/**
 * What a request of the administrator changes: null resets limits and what Stripe knows, and leaves the rest as it is.
 * @throws SpooledError 400 naming a limit that makes no sense
 */
export function organizationChanges(
  { name, plan_tier, billing_email, settings, custom_limits, ...stripe }: adminSchemas.AdminUpdateBody,
  before: Organization,
): OrganizationChanges {
  if (custom_limits) requireSensible(custom_limits);
  const limits = custom_limits && Object.keys(custom_limits).length > 0 ? custom_limits : null;
  const { webhook_token } = before.settings as Record<string, unknown>;
  const { stripe_current_period_end: end } = stripe;
  return withoutUndefined({
    ...stripe,
    stripe_current_period_end: end ? new Date(end) : end,
    name: name ?? undefined,
    plan_tier: plan_tier ?? undefined,
    billing_email: billing_email ?? undefined,
    // The token has its own routes: replacing the settings must not take it away.
    settings: settings ? { ...settings, webhook_token } : undefined,
    custom_limits: custom_limits === undefined ? undefined : limits,
  }) as OrganizationChanges;
}
