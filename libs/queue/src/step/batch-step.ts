import type { CommandKind, CommandOf, Outcome } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import type { SpooledError } from '@spooled/domain';
import type { EffectsBuilder } from './effects.js';

/** Runs all commands of one kind inside the batch's transaction; outcome i belongs to command i. `full`: it is for the next transaction. */
export type BatchStep<K extends CommandKind> = (
  tx: BatchTransaction,
  commands: CommandOf<K>[],
  effects: EffectsBuilder,
) => Promise<(Outcome<K> | 'full')[]>;

/**
 * Groups numbered commands by a key, sorted by key. Every batch processes organizations in the same order, so that two
 * batches never deadlock.
 */
export function inGroups<T>(
  commands: T[],
  keyOf: (command: T) => string,
): { first: T; members: { command: T; number: number }[] }[] {
  const numbered = commands.map((command, number) => ({ command, number }));
  const groups = Map.groupBy(numbered, ({ command }) => keyOf(command));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => ({ first: members[0]!.command, members }));
}

export const byOrganization = (command: { organizationId: string }): string => command.organizationId;

export const succeeded = <K extends CommandKind>(value: Extract<Outcome<K>, { ok: true }>['value']): Outcome<K> =>
  ({ ok: true, value }) as Outcome<K>;

export const refused = (error: SpooledError): Outcome & { ok: false } => ({ ok: false, error: error.toShape() });
