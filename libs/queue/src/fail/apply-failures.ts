import type { Transaction } from '@spooled/data-access';
import { afterFailure, firstCodePoints, partition, retryDelayMs, retryPolicyOf } from '@spooled/domain';
import { z } from 'zod';
import { cancelledJobOf, recordedDeliveries } from '../step/answers.js';
import { cancelAttempts, type CancelledAttempt } from '../cancel/cancel-attempts.js';
import { inGroups } from '../step/batch-step.js';
import type { EffectsBuilder } from '../step/effects.js';
import { reportCascade } from '../step/record-deliveries.js';
import type { ApplyFailuresV1Record } from './apply_failures_v1.queries.js';
import { applyFailures as applyFailuresSql } from './fail-jobs.queries.js';

/** A leased job whose attempt has ended without success; its row is locked by this transaction. */
export interface EndedAttempt {
  organizationId: string;
  jobId: string;
  retryCount: number;
  maxRetries: number;
  /** Of the job and its queue (`retry_settings_v1`); null where there are none, or no backoff. */
  settings: Record<string, unknown> | null;
  error: string;
  /** For the job's history. */
  event: 'failed' | 'timeout' | 'lease_expired' | 'worker_lost';
  /** False: dead letter without further retries. */
  retry: boolean;
  /** True: the job is cancelled, whatever else is said here. */
  cancelRequested: boolean;
  /** False for lost leases and workers, whose jobs are retried at once because nothing shows that the job is at fault. */
  backoff: boolean;
  /** A retry waits at least as long. */
  minDelayMs?: number;
}

export interface DecidedFailure {
  jobId: string;
  willRetry: boolean;
  delayMs: number;
}

/** Result of `apply_failures_v1`. */
const answerSchema = z.object({
  now: z.string(),
  failed: z.array(
    z.object({
      id: z.string(),
      organization: z.string(),
      queue: z.string(),
      attempt: z.number(),
      dead: z.boolean(),
      error: z.string(),
      worker: z.string(),
      started_at: z.string(),
      traceparent: z.string().nullable(),
    }),
  ),
  cancelled: z.array(cancelledJobOf),
  deliveries: recordedDeliveries,
  freed: z.array(z.object({ organization: z.string(), queue: z.string() })),
});

/** Code points of a stored error: the longest that a worker may report. */
const maxErrorLength = 2048;

/** Decides retry, dead letter or cancellation for each attempt and writes it. */
export async function applyFailures(
  tx: Transaction,
  attempts: EndedAttempt[],
  effects: EffectsBuilder,
  random: () => number,
): Promise<DecidedFailure[]> {
  const decided = attempts.map((attempt) => decide(attempt, random));
  const all = attempts.map((attempt, i) => ({ attempt, decision: decided[i]! }));
  // Usually none is cancelled, and one statement writes all. Else each organization is finished before the next one, as in every batch.
  const rounds = attempts.some(({ cancelRequested }) => cancelRequested) ? byOrganization(all) : [all];
  for (const round of rounds) {
    const [cancelled, failed] = partition(round, ({ attempt }) => attempt.cancelRequested);
    await writeFailures(tx, failed, effects);
    const ended = cancelled.map(({ attempt: { organizationId, jobId, event, error } }) => {
      return { organizationId, jobId, cause: causes[event], error: storedError(error) };
    });
    await cancelAttempts(tx, ended, effects);
  }
  return decided;
}

interface Failure {
  attempt: EndedAttempt;
  decision: DecidedFailure;
}

const byOrganization = (failures: Failure[]): Failure[][] =>
  inGroups(failures, ({ attempt }) => attempt.organizationId).map(({ members }) =>
    members.map(({ command }) => command),
  );

/** One statement for all organizations. */
async function writeFailures(tx: Transaction, failures: Failure[], effects: EffectsBuilder): Promise<void> {
  if (failures.length === 0) return;
  const batch = byOrganization(failures).map((own) => ({
    organization: own[0]!.attempt.organizationId,
    items: own.map(({ attempt, decision }) => {
      const delay_ms = decision.willRetry ? decision.delayMs : undefined;
      const { jobId: id, event } = attempt;
      return { id, error: storedError(attempt.error), event, delay_ms } satisfies ApplyFailuresV1Record;
    }),
  }));
  const row = await tx.one(applyFailuresSql, { batch: JSON.stringify(batch) });
  const answer = answerSchema.parse(row.answer);
  addEffects(answer, effects);
  await reportCascade(tx, answer.cancelled, answer.now, effects);
}

/** What ended the attempt of a job that was asked to end. */
const causes = {
  failed: 'acknowledged',
  timeout: 'timeout',
  lease_expired: 'lease_expired',
  worker_lost: 'worker_offline',
} as const satisfies Record<EndedAttempt['event'], CancelledAttempt['cause']>;

function decide(attempt: EndedAttempt, random: () => number): DecidedFailure {
  const { jobId, retryCount, maxRetries, retry, settings, backoff, minDelayMs = 0, cancelRequested } = attempt;
  const willRetry = !cancelRequested && afterFailure({ retryCount, maxRetries, retryWanted: retry }) === 'retry';
  const delayMs = willRetry && backoff ? retryDelayMs(retryPolicyOf(settings), retryCount, random()) : 0;
  return { jobId, willRetry, delayMs: willRetry ? Math.max(delayMs, minDelayMs) : 0 };
}

function addEffects({ now, failed, deliveries, freed }: z.infer<typeof answerSchema>, effects: EffectsBuilder): void {
  for (const { id, organization: org, queue, attempt, dead, error, worker, started_at, traceparent } of failed) {
    effects.event(org, {
      type: 'JobFailed',
      data: { job_id: id, queue_name: queue, error, retry_count: attempt, timestamp: now },
    });
    effects.statusChange(org, { id, queue }, { from: 'processing', to: dead ? 'deadletter' : 'pending', at: now });
    effects.span({
      name: 'attempt',
      traceparent,
      organizationId: org,
      jobId: id,
      queueName: queue,
      startTime: started_at,
      endTime: now,
      workerId: worker,
      error,
    });
  }
  for (const { organization, queue } of freed) effects.wake(organization, queue);
  effects.deliver(deliveries);
}

/** PostgreSQL cannot store NUL in text. */
const storedError = (error: string): string => firstCodePoints(error.replaceAll('\0', ''), maxErrorLength);
