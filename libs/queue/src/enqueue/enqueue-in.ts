import type { CommandOf, CommandResult } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { type Effects, EffectsBuilder } from '../step/effects.js';
import { enqueueOne } from './enqueue.js';

/**
 * Enqueues jobs in a transaction that the caller ends (BX-18), without group commit. Until then the advisory lock of the organization
 * is held if its plan has caps.
 * @returns the result, and what to publish once the caller has committed
 * @throws SpooledError 400 parent or receiver, 429 quota; the transaction remains usable
 */
export async function enqueueIn(
  tx: Transaction,
  command: CommandOf<'job.enqueue'>,
): Promise<{ result: CommandResult<'job.enqueue'>; effects: Effects }> {
  const builder = new EffectsBuilder();
  const result = await enqueueOne(tx, command, builder);
  await builder.updateWorkflows(tx);
  return { result, effects: builder.build() };
}
