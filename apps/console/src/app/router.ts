import { createRouter } from '@tanstack/react-router';
import { whenActIsRefused } from '../api/client';
import { whenSessionEnds, queryClient } from '../api/query-client';
import { roleNames } from '../parts/roles';
import { toast } from '../ui/toast';
import { findOtherSession, sessionQuery, showSession } from '../api/session';
import { rootRoute, shellRoute } from './root-route';
import { loadFresh } from './load-fresh';
import * as screens from './screens';
import { parseSearch, stringifySearch } from './search-params';

const { loginRoute, ...shellScreens } = screens;

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([loginRoute, shellRoute.addChildren(shellScreens)]),
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

whenActIsRefused(() => void readRole());

/** The page shows what the user may do now, which removes dialogs of other acts with their errors; without a session it is left. */
async function readRole(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  await queryClient.invalidateQueries(sessionQuery);
  const after = queryClient.getQueryData(sessionQuery.queryKey);
  if (before && after && before.role !== after.role) toast.done(`Your role is now: ${roleNames[after.role]}`);
}

async function leaveSession(): Promise<void> {
  if (router.state.location.pathname === '/login') return;
  const other = await findOtherSession().catch(() => null);
  if (other !== null) return loadFor(other);
  const { pathname, href } = router.state.location;
  if (pathname === '/login') return;
  const ended = queryClient.getQueryData(sessionQuery.queryKey);
  queryClient.setQueryData(sessionQuery.queryKey, showSession(null));
  // A provider would otherwise sign the person in to the first organization, which may have a page of the same address.
  const organization = ended?.person ? ended.organization?.id : undefined;
  await router.navigate({ to: '/login', search: { next: href, reason: 'ended', organization } });
}

const otherSessionKey = 'spooled.other-session';

/** Somebody has signed in in another tab: nothing that this page holds may stay. */
function loadFor(other: 'same organization' | 'other'): void {
  sessionStorage.setItem(otherSessionKey, 'yes');
  if (other === 'other') loadFresh(`${router.basepath}/`);
  else window.location.reload();
}

if (sessionStorage.getItem(otherSessionKey) !== null) {
  sessionStorage.removeItem(otherSessionKey);
  toast.done('Another sign-in has replaced the session of this browser, which this page shows now');
}
