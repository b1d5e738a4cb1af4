import type { adminSchemas, JsonText, restFields } from '@spooled/contracts';
import type { OrganizationChanges } from '@spooled/data-access';
import { invalidField, limitValues, planFields } from '@spooled/domain';

/** Rejects invalid limits, because a typing error would remove a limit unnoticed. Members that are not limits are kept. */
export function requireValidLimits(limits: Record<string, unknown>): void {
  const valid = limitValues(limits);
  const wrong = planFields.find((name) => name in limits && !(name in valid));
  if (wrong) throw invalidField(`custom_limits.${wrong}`, 'must be a whole number from 0 up, or null for unlimited');
}

/** Limits without members are none. */
export const customLimitsText = (limits: restFields.JsonObject | null | undefined): JsonText | null =>
  limits && Object.keys(limits.value).length > 0 ? limits.text : null;

const withoutUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;

/**
 * The changes of an update request: null resets limits and Stripe fields, and leaves other fields unchanged.
 * @throws SpooledError 400 naming the invalid limit
 */
export function organizationChanges({
  name,
  plan_tier,
  billing_email,
  settings,
  custom_limits,
  ...stripe
}: adminSchemas.AdminUpdateBody): OrganizationChanges {
  if (custom_limits) requireValidLimits(custom_limits.value);
  return withoutUndefined({
    ...stripe,
    name: name ?? undefined,
    plan_tier: plan_tier ?? undefined,
    billing_email: billing_email ?? undefined,
    settings: settings?.text,
    custom_limits: custom_limits === undefined ? undefined : customLimitsText(custom_limits),
  }) as OrganizationChanges;
}
