import { createRouter } from '@tanstack/react-router';
import { whenSessionEnds, queryClient } from '../api/query-client';
import { toast } from '../ui/toast';
import { findOtherSession, sessionQuery, showSession } from '../api/session';
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

let leaving: Promise<void> | undefined;
whenSessionEnds(() => void (leaving ??= leaveSession().finally(() => (leaving = undefined))));

async function leaveSession(): Promise<void> {
  if (router.state.location.pathname === '/login') return;
  const other = await findOtherSession().catch(() => null);
  if (other !== null) return loadFor(other);
  const { pathname, href } = router.state.location;
  if (pathname === '/login') return;
  queryClient.setQueryData(sessionQuery.queryKey, showSession(null));
  await router.navigate({ to: '/login', search: { next: href, reason: 'ended' } });
}

const otherSessionKey = 'spooled.other-session';

/** Somebody has signed in in another tab: nothing that this page holds may stay. */
function loadFor(other: 'same organization' | 'other'): void {
  sessionStorage.setItem(otherSessionKey, 'yes');
  if (other === 'other') window.location.assign(`${router.basepath}/`);
  else window.location.reload();
}

if (sessionStorage.getItem(otherSessionKey) !== null) {
  sessionStorage.removeItem(otherSessionKey);
  toast.done('Another sign-in has replaced the session of this browser, which this page shows now');
}
