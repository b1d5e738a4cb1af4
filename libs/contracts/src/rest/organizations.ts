import { standardSecretProblem } from '@spooled/domain';
import { z } from 'zod';
import { requestLimits } from '../limits.js';
import { listPage } from './conventions.js';
import { atMost, nullableTimestamp, smallJsonObject, text, timestamp } from './fields.js';

/** Slugs have rules beyond their characters; see `slugProblem`. */
const slug = atMost(200);
export const billingEmail = atMost(320).email({ error: 'must be an e-mail address' });

export const createOrganizationBody = z.object({
  name: text(3, 100),
  slug,
  billing_email: billingEmail.nullish(),
});
export type CreateOrganizationBody = z.infer<typeof createOrganizationBody>;

const signingSecrets = ['github_webhook_secret', 'stripe_webhook_secret'] as const;
const signingSecret = z.union([text(0, 255), z.array(text(1, 255)).min(1).max(2)]).nullish();

const standardSecret = z.union([z.string(), z.array(z.string()).min(1).max(2)]).nullish();

/** Why it is neither a secret of Standard Webhooks nor a list of two; null if it is. */
function standardProblem(given: unknown): string | null {
  const { success, data } = standardSecret.safeParse(given);
  if (!success) return 'must be a text, or a list of one or two while it changes';
  return (data == null ? [] : [data].flat()).map(standardSecretProblem).find((problem) => problem !== null) ?? null;
}

/** Settings of an organization. Those that the services read are checked; all others are the caller's own. */
export const organizationSettings = smallJsonObject.check(({ value, issues }) => {
  for (const name of signingSecrets) {
    const given = (value.value as Record<string, unknown>)[name];
    if (signingSecret.safeParse(given).success) continue;
    const message = 'must be a text of at most 255 characters, or a list of one or two while it changes';
    issues.push({ code: 'custom', input: null, path: [name], message });
  }
  const standard = (value.value as Record<string, unknown>).standard_webhook_secret;
  const problem = standard === '' ? null : standardProblem(standard);
  if (problem) issues.push({ code: 'custom', input: null, path: ['standard_webhook_secret'], message: problem });
});

/** Absent and null fields stay unchanged. */
export const updateOrganizationBody = z.object({
  name: text(3, 100).nullish(),
  billing_email: billingEmail.nullish(),
  settings: organizationSettings.nullish(),
});
export type UpdateOrganizationBody = z.infer<typeof updateOrganizationBody>;

export const generateSlugBody = z.object({ name: text(1, 200) });
export const checkSlugQuery = z.object({ slug: atMost(requestLimits.pathParameterLength) });

export const subscription = {
  stripe_subscription_id: z.string().nullable(),
  stripe_subscription_status: z.string().nullable(),
  stripe_current_period_end: nullableTimestamp,
  stripe_cancel_at_period_end: z.boolean().nullable(),
};

export const organization = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    plan_tier: z.string(),
    billing_email: z.string().nullable(),
    settings: z.record(z.string(), z.unknown()),
    custom_limits: z.record(z.string(), z.unknown()).nullable(),
    stripe_customer_id: z.string().nullable(),
    ...subscription,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof organization>;

export const organizationSummary = organization
  .pick({ id: true, name: true, slug: true, plan_tier: true, created_at: true })
  .meta({ id: 'OrganizationSummary' });
export type OrganizationSummary = z.infer<typeof organizationSummary>;

export const listOwnOrganizationsQuery = z.object(listPage());
export type ListOwnOrganizationsQuery = z.infer<typeof listOwnOrganizationsQuery>;

export const createdOrganization = z
  .object({
    organization,
    api_key: z.object({ id: z.uuid(), key: z.string(), name: z.string(), created_at: timestamp }),
  })
  .meta({ id: 'CreatedOrganization' });

export const slugCheck = z
  .object({
    slug: z.string(),
    available: z.boolean(),
    valid: z.boolean(),
    error: z.string().optional(),
    suggestion: z.string().optional(),
  })
  .meta({ id: 'SlugCheck' });
export type SlugCheck = z.infer<typeof slugCheck>;

export const generatedSlug = z.object({ slug: z.string() }).meta({ id: 'GeneratedSlug' });

export const listMembersQuery = z.object(listPage({ limit: 100 }));
export type ListMembersQuery = z.infer<typeof listMembersQuery>;

export const member = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.enum(['owner', 'member']),
    joined_at: timestamp,
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof member>;

export const webhookToken = z
  .object({ webhook_token: z.string(), token: z.string(), webhook_url: z.string() })
  .meta({ id: 'WebhookToken' });
export type WebhookToken = z.infer<typeof webhookToken>;

const cap = z.int().nullable();
export const planLimitsShape = z
  .object({
    tier: z.string(),
    display_name: z.string(),
    max_jobs_per_day: cap,
    max_active_jobs: cap,
    max_queues: cap,
    max_workers: cap,
    max_api_keys: cap,
    max_schedules: cap,
    max_workflows: cap,
    max_open_batches: cap,
    max_webhooks: cap,
    max_push_calls: cap,
    max_payload_size_bytes: z.int(),
    rate_limit_requests_per_second: z.int(),
    rate_limit_burst: z.int(),
    job_retention_days: z.int(),
    history_retention_days: z.int(),
    dead_letter_retention_days: z.int(),
  })
  .meta({ id: 'PlanLimits', description: 'null = unlimited' });

const usageItem = z
  .object({
    current: z.int(),
    limit: cap,
    percentage: z.number().nullable(),
    is_disabled: z.boolean(),
  })
  .meta({ id: 'UsageItem' });

export const usageInfo = z
  .object({
    plan: z.string(),
    plan_display_name: z.string(),
    limits: planLimitsShape,
    usage: z.object({
      jobs_today: usageItem,
      active_jobs: usageItem,
      queues: usageItem,
      workers: usageItem,
      api_keys: usageItem,
      schedules: usageItem,
      workflows: usageItem,
      open_batches: usageItem,
      webhooks: usageItem,
    }),
    warnings: z.array(
      z.object({ resource: z.string(), message: z.string(), severity: z.enum(['warning', 'critical']) }),
    ),
  })
  .meta({ id: 'UsageInfo' });
export type UsageInfo = z.infer<typeof usageInfo>;
