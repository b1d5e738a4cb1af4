import type { LeaseStore } from '@spooled/contracts';
import { stepLimits } from '@spooled/domain';
import { cancelAttempts } from '../cancel/cancel-attempts.js';
import { presentedLease, runOnLeases } from '../step/renewed-leases.js';
import type { SingleStep } from '../step/single-step.js';
import { stepRefusal } from './step-refusal.js';
import { beginWait } from './steps.queries.js';

/**
 * Puts a job aside until a time or a signal; the place of its worker is free, and no attempt is used. A job that was asked to end is
 * cancelled instead (decision 177).
 */
export const waitInStep =
  (leases?: LeaseStore): SingleStep<'job.wait'> =>
  async (tx, { body }, effects) => {
    const { organizationId } = tx;
    const { jobId, workerId, leaseId, queues: scope, step, waitFor: kind, waitMs } = body;
    const rows = await runOnLeases(leases, {
      run: (renewed) =>
        tx.run(beginWait, {
          ...{ organizationId, jobId, workerId, scope, step, kind, waitMs },
          leaseId: renewed?.get(0) ?? leaseId,
          renewed: renewed !== undefined,
          most: stepLimits.perJob,
        }),
      expired: ([row]) => (row!.why === 'lease' ? [0] : []),
      leaseOf: () => presentedLease(organizationId, body),
    });
    const { why, is_over: isOver, queue_name: queue, lease_id, waiting_at: at, cancel_requested } = rows.at(-1)!;
    if (why !== null) throw stepRefusal(why);
    if (isOver) return { isOver };
    if (cancel_requested) {
      await cancelAttempts(tx, [{ organizationId, jobId, cause: 'released' }], effects);
      return { isOver };
    }
    effects.statusChange(organizationId, { id: jobId, queue }, { from: 'processing', to: 'scheduled', at });
    // Its place counts against the concurrency limit of its queue no more.
    effects.wake(organizationId, queue);
    effects.leases.ended({ organizationId, jobId, leaseId: lease_id });
    return { isOver };
  };
