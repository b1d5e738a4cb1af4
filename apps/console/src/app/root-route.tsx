import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient, setLongestRefresh } from '../api/query-client';
import { sessionQuery } from '../api/session';
import { NotFoundPage, ErrorPage } from './error-pages';

export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

/** Everything that needs a session: the menu around all screens. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyRouteComponent(() => import('./shell'), 'Shell'),
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { next: location.href } });
    setLongestRefresh(session.refreshMs);
    const isPlatform = /^\/platform(\/|$)/.test(location.pathname);
    if (isPlatform !== (session.kind === 'administrator')) throw redirect({ to: isPlatform ? '/' : '/platform' });
    return { session };
  },
});
