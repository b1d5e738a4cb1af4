import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf, textOf } from '../../app/search-params';
import { type WorkflowStatus, workflowStatuses } from './workflow-status';

/** Filters of the list, as in the address. */
export interface WorkflowsSearch {
  status?: WorkflowStatus;
  /** A part of the name. */
  name?: string;
}

export const workflowsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'workflows',
  validateSearch: (search: Record<string, unknown>): WorkflowsSearch => ({
    status: oneOf(search.status, workflowStatuses),
    name: textOf(search.name),
  }),
  component: lazyRouteComponent(() => import('./workflows-screen'), 'WorkflowsScreen'),
});

export const workflowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'workflows/$id',
  component: lazyRouteComponent(() => import('./workflow-screen'), 'WorkflowScreen'),
});
