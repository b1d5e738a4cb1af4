import { useSession } from '../../app/use-session';
import { Badge } from '../../ui/badge';
import { useNow } from '../../ui/clock';
import type { ApiKey } from './queries';

/** A key that expires sooner is pointed out. */
const soonMs = 7 * 86_400_000;

/** Whether a key can be used. */
export const isUsable = ({ isActive, expiresAt }: ApiKey, now: number): boolean =>
  isActive && (expiresAt === null || Date.parse(expiresAt) > now);

export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  const session = useSession();
  if (!apiKey.isActive) {
    return (
      <Badge tone="neutral" icon="slash">
        Revoked
      </Badge>
    );
  }
  if (!isUsable(apiKey, now)) {
    return (
      <Badge tone="danger" icon="clock">
        Expired
      </Badge>
    );
  }
  if (session.apiKey?.id === apiKey.id) {
    return (
      <Badge tone="info" icon="user">
        This session
      </Badge>
    );
  }
  return apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) < now + soonMs ? (
    <Badge tone="warn" icon="clock">
      Expires soon
    </Badge>
  ) : (
    <Badge tone="ok" icon="check">
      Active
    </Badge>
  );
}
