import type { ClaimedJob, Command, CommandResult, Outcome } from '@spooled/contracts';

/** What one stream entry carries, as JSON in its single field: commands that a process sent at the same moment. */
interface CommandMessage {
  replyTo: string;
  commands: Command[];
}

/** Points to an answer that was too large to be published. */
interface StoredOutcome {
  storedAt: string;
}

/** The organization comes with answers that grant leases: who does not wait for them any more has to give them back. */
export type Reply = [commandId: string, outcome: Outcome | StoredOutcome, organizationId?: string];

export const commandField = 'c';

/** Many encoded commands (JSON) as one message. */
export const joinCommands = (replyTo: string, commands: string[]): string =>
  `{"replyTo":${JSON.stringify(replyTo)},"commands":[${commands.join(',')}]}`;

/** @throws Error when the text is no command message */
export function decodeCommands(text: string): CommandMessage {
  const message = JSON.parse(text) as Partial<CommandMessage> | null;
  const { replyTo, commands } = message ?? {};
  if (typeof replyTo !== 'string' || !Array.isArray(commands) || !commands.every(isCommand)) {
    throw new Error('not a command message');
  }
  return { replyTo, commands };
}

const isCommand = (command: Partial<Command> | null): command is Command =>
  typeof command?.id === 'string' && typeof command.kind === 'string';

export const encodeReply = (...reply: [string, Reply[1], ...string[]]): string => JSON.stringify(reply);

/** Many encoded replies as one message. */
export const joinReplies = (replies: string[]): string => `[${replies.join(',')}]`;

export const decodeReplies = (message: string): Reply[] => JSON.parse(message) as Reply[];

/** Leases that a claim's answer grants; undefined for every other answer. */
export function grantedJobs(kind: string, outcome: Outcome): ClaimedJob[] | undefined {
  if (kind !== 'job.claim' || !outcome.ok) return undefined;
  const { jobs } = outcome.value as CommandResult<'job.claim'>;
  return jobs.length > 0 ? jobs : undefined;
}

/** Whether the leases of a claim's answer had been granted by an earlier run of the same claim. */
export const isAdopted = (outcome: Outcome): boolean =>
  outcome.ok && (outcome.value as CommandResult<'job.claim'>).adopted === true;

export const isStored = (outcome: Reply[1]): outcome is StoredOutcome => 'storedAt' in outcome;

/** The moment (Redis clock, ms) at which an entry was added. */
export const addedAt = (entryId: string): number => Number(entryId.slice(0, entryId.indexOf('-')));
