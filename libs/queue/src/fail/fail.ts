import type { CommandOf, LeaseStore, Outcome } from '@spooled/contracts';
import { asObject, type BatchTransaction } from '@spooled/data-access';
import { type BatchStep, refused, succeeded } from '../step/batch-step.js';
import { loggedOutcomes, logOutcomes } from '../step/command-log.js';
import type { EffectsBuilder } from '../step/effects.js';
import { leaseItem } from '../step/lease-item.js';
import { refusalError } from '../step/lease-refusal.js';
import { leaseRows } from '../step/renewed-leases.js';
import { applyFailures, type EndedAttempt } from './apply-failures.js';
import { lockFailedJobs, type LockFailedJobsResult } from './fail-jobs.queries.js';
import type { LockFailedJobsV1Record } from './lock_failed_jobs_v1.queries.js';

type Fail = CommandOf<'job.fail'>;

/** Ends attempts that workers report as failed: retry after a backoff, or dead letter (SP-28). */
export const failBatch =
  (random: () => number, leases?: LeaseStore): BatchStep<'job.fail'> =>
  async (tx, commands, effects) => {
    const repeated = commands.filter(({ redelivered }) => redelivered);
    const known = await loggedOutcomes(tx, repeated);
    const fresh = commands.filter(({ id }) => !known.has(id));
    const failed = await failAll(tx, fresh, effects, { random, leases });
    const ended = failed.flatMap((outcome, i) => (outcome.ok ? [{ command: fresh[i]!, outcome }] : []));
    await logOutcomes(tx, ended);
    let next = 0;
    return commands.map(({ id }) => (known.get(id) as Outcome<'job.fail'> | undefined) ?? failed[next++]!);
  };

async function failAll(
  tx: BatchTransaction,
  commands: Fail[],
  effects: EffectsBuilder,
  { random, leases }: { random: () => number; leases?: LeaseStore },
): Promise<Outcome<'job.fail'>[]> {
  const rows = await lockAll(tx, commands, leases);
  const locked = rows.filter((row) => row.why === null);
  const attempts = locked.map((row) => attemptOf(commands[row.command]!, row));
  const decided = await applyFailures(tx, attempts, effects, random);

  const outcomes = new Map<number, Outcome<'job.fail'>>();
  locked.forEach((row, i) => {
    const { willRetry, delayMs } = decided[i]!;
    const nextRetryDelaySecs = willRetry ? Math.ceil(delayMs / 1000) : 0;
    const cancelled = row.cancel_requested ? ({ cancelled: true } as const) : {};
    outcomes.set(row.command, succeeded<'job.fail'>({ willRetry, nextRetryDelaySecs, ...cancelled }));
    const { organizationId } = commands[row.command]!;
    if (row.lease_id) effects.leases.ended({ organizationId, jobId: row.job_id, leaseId: row.lease_id });
  });
  for (const { command, why } of rows) if (why !== null) outcomes.set(command, refused(refusalError(why)));
  return commands.map((_, number) => outcomes.get(number)!);
}

/**
 * Locks the failed jobs; one row per command. Of several that report one attempt the first one has it: the store still has the lease when it
 * is asked for the others.
 */
async function lockAll(tx: BatchTransaction, commands: Fail[], leases?: LeaseStore): Promise<LockFailedJobsResult[]> {
  const rows = await leaseRows(leases, commands, {
    itemOf: ({ body }, number, lease) => leaseItem(body, number, lease) satisfies LockFailedJobsV1Record,
    run: (batch) => tx.run(lockFailedJobs, { batch }),
  });
  const answers = new Map<number, LockFailedJobsResult>();
  const locked = new Set<string>();
  for (const row of rows) {
    if (row.why === null && locked.has(row.job_id)) continue;
    if (row.why === null) locked.add(row.job_id);
    answers.set(row.command, row);
  }
  return [...answers.values()];
}

const attemptOf = ({ organizationId, body }: Fail, row: LockFailedJobsResult): EndedAttempt => ({
  organizationId,
  jobId: row.job_id,
  retryCount: row.retry_count,
  maxRetries: row.max_retries,
  settings: row.settings === null ? null : asObject(row.settings),
  error: body.error,
  event: 'failed',
  retry: body.retry,
  cancelRequested: row.cancel_requested,
  backoff: true,
  minDelayMs: body.minDelayMs,
});
