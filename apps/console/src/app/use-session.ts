import { type Session, sessionQuery } from '../api/session';
import { useQuery } from '@tanstack/react-query';
import { shellRoute } from './root-route';

/** The session of a screen inside the shell. */
export function useSession(): Session {
  const { session } = shellRoute.useRouteContext();
  // Read again while the page is open, because the role of a key may change.
  return useQuery(sessionQuery).data ?? session;
}

/** Why the user may not change things here; null if the user may. The server decides; this only saves an error. */
export const useOperatorRefusal = (): string | null => useRefusal(mayOperate);

/** Why the user may not do what programs do with their own jobs; null if the user may. */
export const useEnqueueRefusal = (): string | null => useRefusal(mayEnqueue);

function useRefusal(may: (session: Session) => boolean): string | null {
  const session = useSession();
  return may(session) ? null : `the role ${session.role} may ${mayEnqueue(session) ? 'not do this' : 'only look'}`;
}

/** What a role may do; the server enforces the same. */
export const mayOperate = ({ role, kind }: Session): boolean =>
  kind === 'organization' && (role === 'admin' || role === 'operator');
export const mayEnqueue = ({ role, kind }: Session): boolean => kind === 'organization' && role !== 'viewer';
