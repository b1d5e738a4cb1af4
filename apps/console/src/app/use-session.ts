import { useQuery } from '@tanstack/react-query';
import { type Session, sessionQuery } from '../api/session';
import { shellRoute } from './root-route';

/** The session of a screen inside the shell. */
export function useSession(): Session {
  const { session } = shellRoute.useRouteContext();
  // Read again while the page is open, because the role of a key may change.
  return useQuery(sessionQuery).data ?? session;
}
