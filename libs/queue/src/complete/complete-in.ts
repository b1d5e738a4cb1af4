import type { CommandOf } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { type Durations, type Effects, EffectsBuilder } from '../step/effects.js';
import { completeBatch } from './complete.js';

/** What to publish when the transaction has committed. */
export interface CommittedCompletion {
  effects: Effects;
  durations: Durations;
}

/**
 * Completes a job in a transaction that the caller ends (BX-18), without group commit. Until then the row of the job is locked, so that
 * nobody else can end the attempt: the lease that is checked here still holds at the commit.
 * @throws SpooledError 404, 409 when the lease is lost; the transaction remains usable
 */
export async function completeIn(
  tx: BatchTransaction,
  command: CommandOf<'job.complete'>,
): Promise<CommittedCompletion> {
  const builder = new EffectsBuilder(false);
  const [outcome] = await completeBatch()(tx, [command], builder);
  if (!outcome!.ok) throw SpooledError.fromShape(outcome!.error);
  await builder.updateWorkflows(tx);
  return { effects: builder.build(), durations: builder.durations };
}
