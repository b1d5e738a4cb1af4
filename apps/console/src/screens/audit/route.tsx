import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { type AuditSearch, auditSearchOf } from '../../parts/audit-search';

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch => auditSearchOf(search),
  component: lazyRouteComponent(() => import('./audit-screen'), 'AuditScreen'),
});
