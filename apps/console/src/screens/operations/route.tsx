import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf } from '../../app/search-params';
import { operationKinds, type OperationKind } from '../../parts/operation-names';
import { type OperationState, operationStates } from './operation-state';

/** Filters of the list, as in the address. */
export interface OperationsSearch {
  kind?: OperationKind;
  state?: OperationState;
}

export const operationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'operations',
  validateSearch: (search: Record<string, unknown>): OperationsSearch => ({
    kind: oneOf(search.kind, operationKinds),
    state: oneOf(search.state, operationStates),
  }),
  component: lazyRouteComponent(() => import('./operations-screen'), 'OperationsScreen'),
});

export const operationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'operations/$id',
  component: lazyRouteComponent(() => import('./operation-screen'), 'OperationScreen'),
});
