import { z } from 'zod';
import { createApiKeyBody, createdApiKey } from './api-keys.js';
import { exactFilter, filter, flagFilter, listPage, textFilter, wholeFilter } from './conventions.js';
import { count, instant, smallJsonObject, text, timestamp } from './fields.js';
import {
  createdOrganization,
  createOrganizationBody,
  organization,
  organizationSettings,
  planLimitsShape,
  updateOrganizationBody,
  usageInfo,
} from './organizations.js';

const planTier = z.enum(['free', 'starter', 'pro', 'enterprise']);

export const listOrganizationsQuery = z.object({
  plan_tier: exactFilter(z.enum([...planTier.options, 'deleted'])),
  search: textFilter(200, 'Part of the name, slug or billing address, in any case'),
  ...listPage(),
  sort_by: z.enum(['created_at', 'updated_at', 'name', 'slug', 'plan_tier']).default('created_at'),
  sort_order: filter(z.enum(['asc', 'desc'])),
});
export type ListOrganizationsQuery = z.infer<typeof listOrganizationsQuery>;

export const listedOrganization = organization
  .pick({ id: true, name: true, slug: true, plan_tier: true, billing_email: true, created_at: true, updated_at: true })
  .extend({
    usage: z.object({ jobs_today: count, active_jobs: count, queues: count, workers: count, api_keys: count }),
  });
export type ListedOrganization = z.infer<typeof listedOrganization>;

/** Sent to a request without a cursor instead of an array. */
export const organizationPage = z
  .object({
    organizations: z.array(listedOrganization),
    total: count,
    limit: count,
    offset: count,
  })
  .meta({ id: 'OrganizationPage' });

const customLimits = smallJsonObject.nullish().meta({ description: 'Limits of the plan by name; null = unlimited.' });

export const adminCreateBody = createOrganizationBody.extend({
  plan_tier: planTier.nullish(),
  settings: organizationSettings.nullish(),
  custom_limits: customLimits,
});
export type AdminCreateBody = z.infer<typeof adminCreateBody>;

/** The organization's fields also at the top level, where one SDK reads them. */
export const adminCreated = organization.extend(createdOrganization.shape).meta({ id: 'AdminCreatedOrganization' });

const stripeText = text(1, 255).nullish();

/** Absent and null fields stay unchanged, except `custom_limits` and `stripe_*`: null resets them. */
export const adminUpdateBody = updateOrganizationBody.extend({
  plan_tier: planTier.nullish(),
  custom_limits: customLimits,
  stripe_customer_id: stripeText,
  stripe_subscription_id: stripeText,
  stripe_subscription_status: stripeText,
  stripe_current_period_end: instant.nullish(),
  stripe_cancel_at_period_end: z.boolean().nullish(),
});
export type AdminUpdateBody = z.infer<typeof adminUpdateBody>;

/** `hard` is the older name of `hard_delete`. */
export const deleteQuery = z.object({ hard_delete: flagFilter(), hard: flagFilter() });
export type DeleteQuery = z.infer<typeof deleteQuery>;

export const organizationDetail = organization
  .extend({ usage_info: usageInfo, api_keys_count: count, total_jobs: count })
  .meta({ id: 'OrganizationDetail' });

export const adminKeyBody = createApiKeyBody;
export type AdminKeyBody = z.infer<typeof adminKeyBody>;

export const adminCreatedKey = createdApiKey.omit({ queues: true }).meta({ id: 'AdminCreatedApiKey' });
export type AdminCreatedKey = z.infer<typeof adminCreatedKey>;

/** Grouped, and again flat as other SDKs read it. */
export const systemStats = z
  .object({
    organizations: z.object({
      total: count,
      by_plan: z.array(z.object({ plan: z.string(), count })),
      created_today: count,
      created_this_week: count,
    }),
    jobs: z.object({
      total_active: count,
      pending: count,
      processing: count,
      completed_24h: count,
      failed_24h: count,
    }),
    workers: z.object({ total: count, healthy: count, degraded: count }),
    system: z.object({ api_version: z.literal('v1'), uptime_seconds: count }),
    total_organizations: count,
    active_organizations: count,
    total_jobs: count,
    total_queues: count,
    total_workers: count,
    total_api_keys: count,
    jobs_today: count,
    jobs_by_status: z.record(z.string(), count),
    organizations_by_plan: z.record(z.string(), count),
  })
  .meta({ id: 'SystemStats' });
export type SystemStats = z.infer<typeof systemStats>;

/** No parameters. */
export const listPlansQuery = z.object({});

export const planList = z.array(
  planLimitsShape.extend({ description: z.string(), limits: planLimitsShape }).meta({ id: 'Plan' }),
);
export type PlanList = z.infer<typeof planList>;

/** `GET /api/v1/metrics`, for an older SDK: figures of the whole system; `system` is about the answering process. */
export const metricsSummary = z
  .object({
    jobs: z.object({
      total_created: count,
      total_completed: count,
      total_failed: count,
      avg_wait_time_ms: z.number(),
      avg_processing_ms: z.number(),
    }),
    workers: z.object({ total_registered: count, total_active: count, total_idle: count }),
    queues: z.object({ total_queues: count, total_paused: count, total_pending: count, total_processing: count }),
    system: z.object({
      uptime_seconds: count,
      requests_per_sec: z.number(),
      error_rate: z.number(),
      avg_latency_ms: z.number(),
    }),
  })
  .meta({ id: 'MetricsSummary' });
export type MetricsSummary = z.infer<typeof metricsSummary>;

export const serviceNames = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime'] as const;

/** No parameters. */
export const listServicesQuery = z.object({});

export const serviceList = z.object({
  services: z.array(
    z.object({
      service: z.string(),
      alive: count.meta({ description: 'Processes that have reported in the last 45 seconds' }),
      versions: z
        .array(z.string())
        .meta({ description: 'Of the processes that are alive; more than one during an update' }),
      processes: z.array(
        z.object({
          id: z.uuid(),
          host: z.string(),
          version: z.string(),
          started_at: timestamp,
          last_seen: timestamp,
          is_alive: z.boolean(),
        }),
      ),
    }),
  ),
  dependencies: z.object({
    database: z.boolean(),
    redis: z.boolean().nullable().meta({ description: 'Null in a deployment without Redis' }),
  }),
  latest_isolation_check: z
    .object({ passed: z.boolean(), finished_at: timestamp })
    .nullable()
    .meta({ description: 'The latest that found something or read every table; null before one' }),
});
export type ServiceList = z.infer<typeof serviceList>;

const topOrders = ['created', 'completed', 'failed', 'depth'] as const;

export const topTenantsQuery = z.object({
  by: exactFilter(z.enum(topOrders)).meta({ description: 'Absent = created' }),
  minutes: wholeFilter(1, 60).meta({ description: 'Full minutes before now; absent = 5' }),
  limit: wholeFilter(1, 100).meta({ description: 'Absent = 20' }),
});
export type TopTenantsQuery = z.infer<typeof topTenantsQuery>;

export const topTenants = z.object({
  by: z.enum(topOrders),
  minutes: count,
  tenants: z.array(
    z.object({
      organization_id: z.uuid(),
      name: z.string(),
      plan_tier: z.string(),
      created_per_second: z
        .number()
        .min(0)
        .meta({ description: 'Of the time that was sampled, as are the other rates' }),
      completed_per_second: z.number().min(0),
      failed_per_second: z.number().min(0).meta({ description: 'Failed attempts' }),
      pending: count,
      processing: count,
    }),
  ),
});
export type TopTenants = z.infer<typeof topTenants>;

/** No parameters. */
export const capacityQuery = z.object({});

export const capacity = z.object({
  limits: z.array(
    z.object({
      name: z.string().meta({ description: 'Such as `postgresql_connections`' }),
      used: z.number().min(0),
      limit: z.number().min(0).nullable().meta({ description: 'Null: none is set, or none is known' }),
      share: z.number().min(0).nullable(),
      unit: z.enum(['connections', 'transactions', 'bytes']),
    }),
  ),
  jobs: z.object({
    created_per_second: z.number().min(0).nullable(),
    completed_per_second: z.number().min(0).nullable(),
    seconds: count.meta({ description: 'Of the last ten minutes, that were sampled; 0 = the rates are unknown' }),
  }),
  not_checked: z.array(z.string()),
  checked_at: timestamp,
});
export type Capacity = z.infer<typeof capacity>;

export const listIsolationChecksQuery = z.object(listPage());
export type ListIsolationChecksQuery = z.infer<typeof listIsolationChecksQuery>;

export const isolationCheck = z
  .object({
    id: z.uuid(),
    started_at: timestamp,
    finished_at: timestamp,
    version: z.string().meta({ description: 'Of the service that checked' }),
    passed: z.boolean().meta({ description: 'Whether there are no findings' }),
    tables_checked: count,
    findings: z
      .array(z.object({ table: z.string().nullable(), problem: z.string() }))
      .meta({ description: 'What is wrong; `table` is null for what concerns a role, a view or a function' }),
    tables_not_checked: z
      .array(z.string())
      .meta({ description: 'Tables that were locked, or for which there was no time' }),
  })
  .meta({ id: 'IsolationCheck' });
export type IsolationCheck = z.infer<typeof isolationCheck>;
