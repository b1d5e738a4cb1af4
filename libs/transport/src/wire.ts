import type { Command, Outcome } from '@spooled/contracts';

/** What one stream entry carries, as JSON in its single field. */
interface CommandMessage {
  replyTo: string;
  command: Command;
}

/** Points to an answer that was too large to be published. */
interface StoredOutcome {
  storedAt: string;
}

export type Reply = [commandId: string, outcome: Outcome | StoredOutcome];

export const commandField = 'c';

export const encodeCommand = (replyTo: string, command: Command): string =>
  JSON.stringify({ replyTo, command } satisfies CommandMessage);

/** @throws Error when the text is no command message */
export function decodeCommand(text: string): CommandMessage {
  const message = JSON.parse(text) as Partial<CommandMessage> | null;
  const { replyTo, command } = message ?? {};
  if (typeof replyTo !== 'string' || typeof command?.id !== 'string' || typeof command.kind !== 'string') {
    throw new Error('not a command message');
  }
  return { replyTo, command };
}

export const encodeReply = (...reply: Reply): string => JSON.stringify(reply);

/** Many encoded replies as one message. */
export const joinReplies = (replies: string[]): string => `[${replies.join(',')}]`;

export const decodeReplies = (message: string): Reply[] => JSON.parse(message) as Reply[];

export const isStored = (outcome: Reply[1]): outcome is StoredOutcome => 'storedAt' in outcome;

/** The moment (Redis clock, ms) at which an entry was added. */
export const addedAt = (entryId: string): number => Number(entryId.slice(0, entryId.indexOf('-')));
