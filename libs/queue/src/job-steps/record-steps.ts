import type { CommandOf, LeaseStore } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { stepLimits } from '@spooled/domain';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { expiredIn } from '../step/lease-refusal.js';
import { leaseParts, presentedLease, type RenewedLeases, runOnLeases } from '../step/renewed-leases.js';
import type { RecordStepsV1Record } from './record_steps_v1.queries.js';
import { stepRefusal } from './step-refusal.js';
import { recordSteps, type RecordStepsResult } from './steps.queries.js';

type Recording = CommandOf<'job.recordStep'>;

/** Keeps results of finished steps, under the lease rules of a renewal. Running it twice changes nothing more. */
export const recordStepBatch =
  (leases?: LeaseStore): BatchStep<'job.recordStep'> =>
  async (tx, commands) => {
    const found = await runOnLeases<RecordStepsResult>(leases, {
      run: (renewed) => recordRows(tx, commands, renewed),
      expired: expiredIn,
      leaseOf: (number) => presentedLease(commands[number]!.organizationId, commands[number]!.body),
    });
    const rows = new Map(found.map((row) => [row.command, row]));
    return commands.map((_, number) => {
      const { why, recorded_at: recordedAt } = rows.get(number)!;
      return why === null ? succeeded<'job.recordStep'>({ recordedAt }) : refused(stepRefusal(why));
    });
  };

function recordRows(
  tx: BatchTransaction,
  commands: Recording[],
  renewed?: RenewedLeases,
): Promise<RecordStepsResult[]> {
  const parts = leaseParts(commands, renewed, ({ body }, number, lease) => {
    const { step: name, result } = body;
    return { ...leaseItem(body, number, lease), name, result: result ?? undefined } satisfies RecordStepsV1Record;
  });
  return tx.run(recordSteps, { batch: JSON.stringify(parts), most: stepLimits.perJob });
}
