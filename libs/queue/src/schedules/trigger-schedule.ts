import type { CommandOf, QueueScope } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import { accessDenied, notFound } from '@spooled/domain';
import type { EffectsBuilder } from '../step/effects.js';
import type { SingleStep } from '../step/single-step.js';
import { enqueueOne } from '../enqueue/enqueue.js';
import { findRunOfJob } from './find-run-of-job.queries.js';
import { lockSchedule as lockScheduleSql, type LockScheduleResult } from './lock-schedule.queries.js';
import { recordRuns } from './record-runs.js';
import { scheduledJob } from './scheduled-job.js';

type Trigger = CommandOf<'schedule.trigger'>;

/** Runs a schedule now: job, run and webhook deliveries in one transaction. */
export const triggerSchedule: SingleStep<'schedule.trigger'> = async (tx, command, effects) => {
  const { scheduleId, jobId, queues } = command.body;
  const schedule = await lockSchedule(tx, scheduleId, queues);
  // A previous delivery of this command may have run: its engine crashed, or its response was lost.
  const previous = command.redelivered ? await tx.first(findRunOfJob, { scheduleId, jobId }) : null;
  if (previous) return { jobId, triggeredAt: previous.started_at };
  await enqueue(tx, command, schedule, effects);
  const run = { scheduleId, organizationId: tx.organizationId, queueName: schedule.queueName, jobId, error: null };
  await recordRuns(tx, [run], 'manual', effects);
  return { jobId, triggeredAt: schedule.now };
};

/** @throws SpooledError 404; 403 for a queue outside the key's scope */
async function lockSchedule(tx: TenantTransaction, id: string, queues: QueueScope): Promise<LockScheduleResult> {
  const schedule = await tx.first(lockScheduleSql, { id });
  if (!schedule) throw notFound('Schedule');
  if (queues !== null && !queues.includes(schedule.queueName)) {
    throw accessDenied(`This API key has no access to queue "${schedule.queueName}"`);
  }
  return schedule;
}

async function enqueue(
  tx: TenantTransaction,
  { body, traceparent, actor, ...command }: Trigger,
  { now: _, ...fields }: LockScheduleResult,
  effects: EffectsBuilder,
): Promise<void> {
  const job = scheduledJob({ id: body.jobId, ...fields });
  const { maxRetries, timeoutSeconds } = fields;
  const defaults = { maxRetries, timeoutSeconds };
  const { id, organizationId, ttlMs } = command;
  const head = { id, organizationId, ttlMs, traceparent, actor };
  const enqueue = { jobs: [job], quota: body.quota, defaults };
  await enqueueOne(tx, { ...head, kind: 'job.enqueue', body: enqueue }, effects);
}
