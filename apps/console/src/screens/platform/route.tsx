import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';
import { type AuditSearch, auditSearchOf } from '../../parts/audit-search';

export const loadOrders = ['created', 'completed', 'failed', 'depth'] as const;

export const platformRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform',
  validateSearch: (search: Record<string, unknown>): { by?: (typeof loadOrders)[number] } => ({
    by: oneOf(search.by, loadOrders),
  }),
  component: lazyRouteComponent(() => import('./overview-screen'), 'OverviewScreen'),
});

export const planTiers = ['free', 'starter', 'pro', 'enterprise', 'deleted'] as const;
export const sortings = ['newest', 'oldest', 'name'] as const;

export interface OrganizationsSearch {
  search?: string;
  plan?: (typeof planTiers)[number];
  sort?: (typeof sortings)[number];
}

export const organizationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform/organizations',
  validateSearch: (search: Record<string, unknown>): OrganizationsSearch => ({
    search: textOf(search.search),
    plan: oneOf(search.plan, planTiers),
    sort: oneOf(search.sort, sortings),
  }),
  component: lazyRouteComponent(() => import('./organizations-screen'), 'OrganizationsScreen'),
});

export const tenantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform/organizations/$id',
  component: lazyRouteComponent(() => import('./tenant-screen'), 'TenantScreen'),
});

export const plansRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform/plans',
  component: lazyRouteComponent(() => import('./plans-screen'), 'PlansScreen'),
});

export interface PlatformAuditSearch extends AuditSearch {
  organizationId?: string;
}

export const platformAuditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform/audit',
  validateSearch: (search: Record<string, unknown>): PlatformAuditSearch => ({
    ...auditSearchOf(search),
    organizationId: textOf(search.organizationId),
  }),
  component: lazyRouteComponent(() => import('./platform-audit-screen'), 'PlatformAuditScreen'),
});
