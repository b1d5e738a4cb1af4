import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import { auditFilters } from '../../parts/audit-search';
import type { LoadOrder, OrganizationsSearch, PlatformAuditSearch } from '../../app/screens';

const pageSize = 50;
/** Administrators have no live events. */
const refreshMs = 10_000;

const listRoute = 'GET /api/v1/admin/organizations';
type Listed = Extract<ResponseBody<typeof listRoute>, { nextCursor: string | null }>;
export type ListedOrganization = Listed['data'][number];
export type Tenant = ResponseBody<'GET /api/v1/admin/organizations/{id}'>;
export type Plan = ResponseBody<'GET /api/v1/admin/plans'>[number];
export type TopTenant = ResponseBody<'GET /api/v1/admin/tenants/top'>['tenants'][number];
export type IsolationCheck = Row<'GET /api/v1/admin/isolation-checks'>;

const orders = {
  newest: { sortBy: 'created_at', sortOrder: 'desc' },
  oldest: { sortBy: 'created_at', sortOrder: 'asc' },
  name: { sortBy: 'name', sortOrder: 'asc' },
} as const;

export const organizationsQuery = ({ search, plan, sort }: OrganizationsSearch) =>
  pagedQuery(listRoute, {
    queryKey: ['platform', 'organizations', search, plan, sort],
    query: { search, planTier: plan, ...orders[sort ?? 'newest'], limit: pageSize },
    meta: { label: 'Organizations' },
  });

export const tenantQuery = (id: string) =>
  queryOptions({
    queryKey: ['platform', 'organization', id],
    queryFn: ({ signal }) => api.admin.organization(id, { signal }),
    refetchInterval: refreshMs,
    meta: { label: 'The organization' },
  });

export const statsQuery = queryOptions({
  queryKey: ['platform', 'stats'],
  queryFn: ({ signal }) => api.admin.stats({ signal }),
  refetchInterval: refreshMs,
  meta: { label: 'Totals' },
});

export const plansQuery = queryOptions({
  queryKey: ['platform', 'plans'],
  queryFn: ({ signal }) => api.admin.plans({ signal }),
  meta: { label: 'Plans' },
});

export const servicesQuery = queryOptions({
  queryKey: ['platform', 'services'],
  queryFn: ({ signal }) => api.admin.services({ signal }),
  refetchInterval: refreshMs,
  meta: { label: 'Services' },
});

/** The latest check; null before the first one. */
export const isolationQuery = queryOptions({
  queryKey: ['platform', 'isolation'],
  queryFn: async ({ signal }) => (await api.admin.isolationChecks({ limit: 1 }, { signal }))[0] ?? null,
  refetchInterval: refreshMs,
  meta: { label: 'The isolation of tenants' },
});

export const capacityQuery = queryOptions({
  queryKey: ['platform', 'capacity'],
  queryFn: ({ signal }) => api.admin.capacity({ signal }),
  refetchInterval: refreshMs,
  meta: { label: 'Capacity' },
});

/** Minutes over which the load of organizations is averaged. */
export const loadMinutes = 5;

export const topTenantsQuery = (by: LoadOrder) =>
  queryOptions({
    queryKey: ['platform', 'top', by],
    queryFn: ({ signal }) => api.admin.topTenants({ by, minutes: loadMinutes, limit: 10 }, { signal }),
    refetchInterval: refreshMs,
    meta: { label: 'Load of organizations' },
  });

export const platformAuditQuery = (search: PlatformAuditSearch) => {
  const filters = { ...auditFilters(search), organizationId: search.organizationId };
  return pagedQuery('GET /api/v1/admin/audit', {
    queryKey: ['platform', 'audit', filters],
    query: { ...filters, limit: pageSize },
    meta: { label: 'Audit log' },
  });
};
