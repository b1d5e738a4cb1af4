import type { ClaimedJob, Command, CommandResult, Outcome } from '@spooled/contracts';

/** Content of a stream entry, as JSON in its single field: commands that a process sent together. */
interface CommandMessage {
  replyTo: string;
  commands: Command[];
}

/** Refers to a response that was too large to publish. */
interface StoredOutcome {
  storedAt: string;
}

/** The organization is included in responses that grant leases: without a waiting caller, they must be released. */
export type Reply = [commandId: string, outcome: Outcome | StoredOutcome, organizationId?: string];

export const commandField = 'c';

/** Many encoded commands (JSON) as one message. */
export const joinCommands = (replyTo: string, commands: string[]): string =>
  `{"replyTo":${JSON.stringify(replyTo)},"commands":[${commands.join(',')}]}`;

/** @throws Error when the text is not a command message */
export function decodeCommands(text: string): CommandMessage {
  const message = JSON.parse(text) as Partial<CommandMessage> | null;
  const { replyTo, commands } = message ?? {};
  if (typeof replyTo !== 'string' || !Array.isArray(commands) || !commands.every(isCommand)) {
    throw new Error('not a command message');
  }
  for (const command of commands) command.actor ??= null;
  return { replyTo, commands };
}

const isCommand = (command: Partial<Command> | null): command is Command =>
  typeof command?.id === 'string' && typeof command.kind === 'string';

export const encodeReply = (...reply: [string, Reply[1], ...string[]]): string => JSON.stringify(reply);

/** Many encoded replies as one message. */
export const joinReplies = (replies: string[]): string => `[${replies.join(',')}]`;

export const decodeReplies = (message: string): Reply[] => JSON.parse(message) as Reply[];

/** Jobs granted by a claim's outcome; undefined for every other outcome. */
export function grantedJobs(kind: string, outcome: Outcome): ClaimedJob[] | undefined {
  if (kind !== 'job.claim' || !outcome.ok) return undefined;
  const { jobs } = outcome.value as CommandResult<'job.claim'>;
  return jobs.length > 0 ? jobs : undefined;
}

/** Whether the leases were granted by a previous run of the same claim. */
export const isAdopted = (outcome: Outcome): boolean =>
  outcome.ok && (outcome.value as CommandResult<'job.claim'>).adopted === true;

export const isStored = (outcome: Reply[1]): outcome is StoredOutcome => 'storedAt' in outcome;

/** When an entry was added (clock of Redis, ms). */
export const addedAt = (entryId: string): number => Number(entryId.slice(0, entryId.indexOf('-')));
