import type { LeaseStore } from '@spooled/contracts';
import { stepLimits } from '@spooled/domain';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { leaseItem } from '../step/lease-item.js';
import { leaseRowOfEach } from '../step/renewed-leases.js';
import type { RecordStepsV1Record } from './record_steps_v1.queries.js';
import { stepRefusal } from './step-refusal.js';
import { recordSteps } from './steps.queries.js';

/** Keeps results of finished steps, under the lease rules of a renewal. Running it twice changes nothing more. */
export const recordStepBatch =
  (leases?: LeaseStore): BatchStep<'job.recordStep'> =>
  async (tx, commands) => {
    const rows = await leaseRowOfEach(leases, commands, {
      itemOf: ({ body }, number, lease) => {
        const { step: name, result } = body;
        return { ...leaseItem(body, number, lease), name, result: result ?? undefined } satisfies RecordStepsV1Record;
      },
      run: (batch) => tx.run(recordSteps, { batch, most: stepLimits.perJob }),
    });
    return rows.map(({ why, recorded_at: recordedAt }) =>
      why === null ? succeeded<'job.recordStep'>({ recordedAt }) : refused(stepRefusal(why)),
    );
  };
