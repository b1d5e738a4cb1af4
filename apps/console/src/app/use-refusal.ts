import { mayEnqueue, mayOperate, type Session } from '../api/session';
import { useSession } from './use-session';

/** Why the user may not change things here; null if the user may. The server decides; this only saves an error. */
export const useOperatorRefusal = (): string | null => useRefusal(mayOperate);

/** Why the user may not do what programs do with their own jobs; null if the user may. */
export const useEnqueueRefusal = (): string | null => useRefusal(mayEnqueue);

function useRefusal(may: (session: Session) => boolean): string | null {
  const session = useSession();
  return may(session) ? null : `the role ${session.role} may ${mayEnqueue(session) ? 'not do this' : 'only look'}`;
}
