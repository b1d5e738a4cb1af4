import { type ActorText, auditedKinds, type CommandBody, type CommandKind, type CommandOf } from '@spooled/contracts';
import { callerContext } from '@spooled/data-access';
import { newId } from '@spooled/platform';

export interface CommandOptions {
  /** How long the caller waits for the result; an older command is dropped. */
  ttlMs: number;
  /** W3C trace context of the caller. */
  traceparent?: string | null;
}

/** On whose behalf a command runs. Every `Principal` is one. */
export interface Caller {
  organizationId: string;
  actor: ActorText;
  /** The key that it uses, also in a session. */
  apiKeyId?: string;
}

export const newCommand = <K extends CommandKind>(
  kind: K,
  { organizationId, actor }: Caller,
  body: CommandBody<K>,
  { ttlMs, traceparent = null }: CommandOptions,
): CommandOf<K> =>
  ({ id: newId(), kind, organizationId, ttlMs, traceparent, actor, ...originOf(kind), body }) as CommandOf<K>;

function originOf(kind: CommandKind): Pick<CommandOf<CommandKind>, 'origin'> {
  const caller = auditedKinds.has(kind) ? callerContext.getStore() : undefined;
  return caller ? { origin: { address: caller.address, userAgent: caller.userAgent } } : {};
}
