import type { CommandOf, Outcome } from '@spooled/contracts';
import { type BatchStep, byOrganization, inGroups, refused, succeeded } from '../engine/batch-step.js';
import { type RefusalReason, refusalError } from '../engine/lease-refusal.js';
import { applyFailures, type EndedAttempt } from './apply-failures.js';

interface LockedRow {
  command: number;
  why: RefusalReason | null;
  job_id: string;
  retry_count: number;
  max_retries: number;
  settings: Record<string, unknown> | null;
}

/** Ends attempts that workers report as failed: another try after a backoff, or the dead letters (SP-28). */
export const failBatch =
  (random: () => number): BatchStep<'job.fail'> =>
  async (tx, commands, effects) => {
    const parts = inGroups(commands, byOrganization).map(({ first, members }) => ({
      org: first.organizationId,
      items: members.map(({ command, number }) => itemOf(command, number)),
    }));
    const rows = await tx.query<LockedRow>('SELECT * FROM lock_failed_jobs_v1($1)', [JSON.stringify(parts)]);
    const locked = rows.filter((row) => row.why === null);
    const attempts = locked.map((row) => attemptOf(commands[row.command]!, row));
    const decided = await applyFailures(tx, attempts, effects, random);

    const outcomes = new Map<number, Outcome<'job.fail'>>();
    locked.forEach((row, i) => {
      const { willRetry, delayMs } = decided[i]!;
      const nextRetryDelaySecs = willRetry ? Math.ceil(delayMs / 1000) : 0;
      outcomes.set(row.command, succeeded<'job.fail'>({ willRetry, nextRetryDelaySecs }));
    });
    for (const { command, why } of rows) if (why !== null) outcomes.set(command, refused(refusalError(why)));
    return commands.map((_, number) => outcomes.get(number)!);
  };

const itemOf = ({ body }: CommandOf<'job.fail'>, number: number) => ({
  c: number,
  id: body.jobId,
  w: body.workerId,
  l: body.leaseId ?? undefined,
  s: body.queues ?? undefined,
});

const attemptOf = ({ organizationId, body }: CommandOf<'job.fail'>, row: LockedRow): EndedAttempt => ({
  organizationId,
  jobId: row.job_id,
  retryCount: row.retry_count,
  maxRetries: row.max_retries,
  settings: row.settings,
  error: body.error,
  event: 'failed',
  retry: body.retry,
  backoff: true,
});
