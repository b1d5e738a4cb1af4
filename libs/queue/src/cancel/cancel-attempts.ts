import type { LeaseRef } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { z } from 'zod';
import { cancelledJobOf } from '../step/answers.js';
import { byOrganization, inGroups } from '../step/batch-step.js';
import type { EffectsBuilder } from '../step/effects.js';
import { recordCancellations } from '../step/record-deliveries.js';
import type { CancelAttemptsV1Record } from './cancel_attempts_v1.queries.js';
import { cancelAttempts as cancelAttemptsSql } from './cancel-jobs.queries.js';

/** A leased job that is cancelled; its row is locked by this transaction. */
export interface CancelledAttempt {
  organizationId: string;
  jobId: string;
  /** What ended the attempt, for the job's history. */
  cause: 'acknowledged' | 'forced' | 'released' | 'timeout' | 'lease_expired' | 'worker_offline';
  /** Becomes the last error of the job. */
  error?: string;
}

const ofOrganization = z.object({ organization: z.string() });

/** Result of `cancel_attempts_v1`. */
const answerSchema = z.object({
  now: z.string(),
  ended: z.array(
    ofOrganization.extend({
      id: z.string(),
      queue: z.string(),
      lease: z.string(),
      worker: z.string(),
      started_at: z.string(),
      traceparent: z.string().nullable(),
      error: z.string().nullable(),
    }),
  ),
  children: z.array(cancelledJobOf),
  freed: z.array(ofOrganization.extend({ queue: z.string() })),
});
type Answer = z.infer<typeof answerSchema>;

/** Cancels jobs with their running attempts, and the jobs that can no longer run without them. */
export async function cancelAttempts(
  tx: Transaction,
  attempts: CancelledAttempt[],
  effects: EffectsBuilder,
): Promise<void> {
  if (attempts.length === 0) return;
  const batch = inGroups(attempts, byOrganization).map(({ first, members }) => ({
    organization: first.organizationId,
    items: members.map(
      ({ command: { jobId: id, cause, error } }) => ({ id, cause, error }) satisfies CancelAttemptsV1Record,
    ),
  }));
  const row = await tx.one(cancelAttemptsSql, { batch: JSON.stringify(batch) });
  const answer = answerSchema.parse(row.answer);
  addEffects(answer, effects);
  await recordCancellations(tx, cancellationsOf(answer), effects);
}

function addEffects({ now: at, ended, children, freed }: Answer, effects: EffectsBuilder): void {
  for (const { id, organization: organizationId, queue, lease: leaseId, ...attempt } of ended) {
    effects.statusChange(organizationId, { id, queue }, { from: 'processing', to: 'cancelled', at });
    const lease: LeaseRef = { organizationId, jobId: id, leaseId };
    effects.leases.ended(lease);
    effects.span({
      name: 'attempt',
      traceparent: attempt.traceparent,
      organizationId,
      jobId: id,
      queueName: queue,
      startTime: attempt.started_at,
      endTime: at,
      workerId: attempt.worker,
      error: attempt.error ?? 'cancelled',
    });
  }
  for (const { id, organization, queue, old } of children) {
    effects.statusChange(organization, { id, queue }, { from: old, to: 'cancelled', at });
  }
  for (const { organization, queue } of freed) effects.wake(organization, queue);
}

const cancellationsOf = ({ ended, children }: Answer) => [
  ...ended.map(({ id: jobId, organization: organizationId, queue: queueName, error: reason }) => {
    return { organizationId, jobId, queueName, oldStatus: 'processing', reason, cascades: false };
  }),
  ...children.map(({ id: jobId, organization: organizationId, queue: queueName, old: oldStatus }) => {
    return { organizationId, jobId, queueName, oldStatus, reason: null, cascades: true };
  }),
];
