import type { Command, CommandKind, Outcome } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { byOrganization, inGroups } from './batch-step.js';
import { findLoggedOutcomes, logOutcomes as logOutcomesSql } from './command-log.queries.js';
import type { LogOutcomesV1Record } from './log_outcomes_v1.queries.js';

/** How long the results of commands are kept, and the ids of jobs that were deleted this soon after their creation: ten times as long as a command may wait. */
export const commandRetentionSeconds = 600;

/** The part of a command that the log stores. */
type Logged = Pick<Command, 'id' | 'organizationId'>;

/**
 * Outcomes of previous runs of these commands, by command id. The log keeps, for some minutes, commands that cannot
 * tell from other rows whether they have run (`logOutcomes`).
 */
export async function loggedOutcomes(tx: Transaction, commands: Logged[]): Promise<Map<string, Outcome>> {
  if (commands.length === 0) return new Map();
  const batch = inGroups(commands, byOrganization).map(({ first, members }) => ({
    organization: first.organizationId,
    commands: members.map(({ command }) => command.id),
  }));
  const row = await tx.one(findLoggedOutcomes, { batch: JSON.stringify(batch) });
  return new Map(Object.entries(JSON.parse(row.outcomes) as Record<string, Outcome>));
}

/**
 * Logs outcomes in the transaction of their effects.
 * @throws a unique violation (`isTransactionConflict`) when a command has run already: the whole transaction must be
 * rolled back
 */
export async function logOutcomes(
  tx: Transaction,
  ran: readonly { command: Logged; outcome: Outcome<CommandKind> }[],
): Promise<void> {
  if (ran.length === 0) return;
  const parts = inGroups([...ran], ({ command }) => command.organizationId).map(({ first, members }) => ({
    organization: first.command.organizationId,
    commands: members.map(
      ({ command: { command, outcome } }) => ({ id: command.id, outcome }) satisfies LogOutcomesV1Record,
    ),
  }));
  await tx.run(logOutcomesSql, { batch: JSON.stringify(parts) });
}
