import { mayOperate } from '../api/session';
import { useSession } from './use-session';

/** Why the user may not change things here; null if the user may. The server decides; this only saves an error. */
export function useOperatorRefusal(): string | null {
  const session = useSession();
  return mayOperate(session) ? null : `the role ${session.role} may only look`;
}
