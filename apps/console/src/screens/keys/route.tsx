import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route';
import { oneOf } from '../../app/search-params';

/** Without `show`, keys that can be used. */
export interface KeysSearch {
  show?: 'all';
}

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'keys',
  validateSearch: (search: Record<string, unknown>): KeysSearch => ({ show: oneOf(search.show, ['all']) }),
  component: lazyRouteComponent(() => import('./keys-screen'), 'KeysScreen'),
});
