import type { CommandKind, CommandOf, CommandResult } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import type { EffectsBuilder } from './effects.js';

/**
 * Runs one command in a transaction of its organization; for the kinds that are too rare to batch.
 * @throws SpooledError the command's refusal; the transaction is rolled back
 */
export type SingleStep<K extends CommandKind> = (
  tx: TenantTransaction,
  command: CommandOf<K>,
  effects: EffectsBuilder,
) => Promise<CommandResult<K>>;
