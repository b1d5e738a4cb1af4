import { createRouter } from '@tanstack/react-router';
import { whenSessionEnds, queryClient } from '../api/query-client';
import { sessionQuery } from '../api/session';
import { shellRoute, rootRoute } from './root-route';
import { screens } from './screens';
import { loginRoute } from '../screens/login/route';
import { parseSearch, stringifySearch } from './search-params';

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([loginRoute, shellRoute.addChildren(screens)]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingMs: 300,
  // The screen of another job, queue … starts from its initial state: what was revealed or typed on the last one is forgotten.
  defaultRemountDeps: ({ params }) => params,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

whenSessionEnds(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/login') return;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: '/login', search: { next: href, reason: 'ended' } });
});
