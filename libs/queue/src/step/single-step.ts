import type { CommandKind, CommandOf, CommandResult } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import type { EffectsBuilder } from './effects.js';

/**
 * Runs one command in a transaction of its own organization; for the kinds that are too rare to batch.
 * @throws SpooledError the command's answer when it is refused; the transaction is undone
 */
export type SingleStep<K extends CommandKind> = (
  tx: TenantTransaction,
  command: CommandOf<K>,
  effects: EffectsBuilder,
) => Promise<CommandResult<K>>;
