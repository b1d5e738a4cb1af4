import type { CommandBody, CommandKind, CommandOf } from '@spooled/contracts';
import { newId } from '@spooled/platform';

export interface CommandOptions {
  /** How long the caller waits for the result; an older command is dropped. */
  ttlMs: number;
  /** W3C trace context of the caller. */
  traceparent?: string | null;
}

/** A command with a new id. */
export const newCommand = <K extends CommandKind>(
  kind: K,
  organizationId: string,
  body: CommandBody<K>,
  { ttlMs, traceparent = null }: CommandOptions,
): CommandOf<K> => ({ id: newId(), kind, organizationId, ttlMs, traceparent, body }) as CommandOf<K>;
