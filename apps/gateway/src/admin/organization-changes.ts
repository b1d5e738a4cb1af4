import type { adminSchemas } from '@spooled/contracts';
import type { Organization, OrganizationChanges } from '@spooled/data-access';
import { invalidField, limitValues, planFields } from '@spooled/domain';

/** Rejects invalid limits, because a typing error would remove a limit unnoticed. Members that are not limits are kept. */
function requireValidLimits(limits: Record<string, unknown>): void {
  const valid = limitValues(limits);
  const wrong = planFields.find((name) => name in limits && !(name in valid));
  if (wrong) throw invalidField(`custom_limits.${wrong}`, 'must be a whole number from 0 up, or null for unlimited');
}

const withoutUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;

/**
 * The changes of an update request: null resets limits and Stripe fields, and leaves other fields unchanged.
 * @throws SpooledError 400 naming the invalid limit
 */
export function organizationChanges(
  { name, plan_tier, billing_email, settings, custom_limits, ...stripe }: adminSchemas.AdminUpdateBody,
  before: Organization,
): OrganizationChanges {
  if (custom_limits) requireValidLimits(custom_limits);
  const limits = custom_limits && Object.keys(custom_limits).length > 0 ? custom_limits : null;
  const { webhook_token } = before.settings as Record<string, unknown>;
  const { stripe_current_period_end: end } = stripe;
  return withoutUndefined({
    ...stripe,
    stripe_current_period_end: end ? new Date(end) : end,
    name: name ?? undefined,
    plan_tier: plan_tier ?? undefined,
    billing_email: billing_email ?? undefined,
    // The token has its own routes; replacing the settings must not remove it.
    settings: settings ? { ...settings, webhook_token } : undefined,
    custom_limits: custom_limits === undefined ? undefined : limits,
  }) as OrganizationChanges;
}
