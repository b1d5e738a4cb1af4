import type { TenantTransaction } from '@spooled/data-access';
import { z } from 'zod';
import {
  deleteDeadLettersOfQueue,
  deleteLiveJobsOfQueue,
  deleteRecordsOfQueue,
  endQueueDeletion,
  openQueue,
} from './deletions.queries.js';
import { hiddenQueue, hide } from '../queues/delete-queue.js';
import { commandRetentionSeconds } from '../step/command-log.js';
import type { OperationStep, StepContext, StepResult } from './operation.js';
import { placeInTime } from './take-dead-letters.js';

/** Between two steps, so that other transactions come in between. */
const pauseMs = 20;

/** What is deleted, in this order: what claims read, what lists of dead letters read, the records. */
const progressSchema = z.object({
  phase: z.enum(['live', 'letters', 'records']),
  /** The record that was looked at last. */
  after: placeInTime,
});
type Progress = z.infer<typeof progressSchema>;

interface Deletion {
  organizationId: string;
  queueName: string;
  deletedUntil: string;
}

/**
 * Deletes the jobs of a queue that were there when its deletion was accepted; jobs that were created later stay. The first step hides
 * them, unless the request has, and deletes the settings.
 */
export const deleteQueueStep: OperationStep = async (tx, operation, context) => {
  const { organizationId } = tx;
  const { queue_name: queueName, created_before: deletedUntil } = operation.filter;
  const deletion = { organizationId, queueName: queueName!, deletedUntil: deletedUntil! };
  if (operation.progress === null) {
    await hide(tx, deletion.queueName, deletion.deletedUntil);
    return running(hiddenQueue);
  }
  const progress = progressSchema.parse(operation.progress);
  if (progress.phase === 'live') return deleteLive(tx, deletion, progress, context);
  if (progress.phase === 'letters') return deleteLetters(tx, deletion, progress, context);
  return deleteRecords(tx, deletion, progress, context);
};

const running = (progress: Progress, processed = 0): StepResult => ({
  added: { processed },
  state: 'running',
  waitMs: pauseMs,
  progress,
});

async function deleteLive(
  tx: TenantTransaction,
  deletion: Deletion,
  progress: Progress,
  { size, effects }: StepContext,
): Promise<StepResult> {
  const { organizationId } = deletion;
  const rows = await tx.run(deleteLiveJobsOfQueue, { ...deletion, limit: size });
  for (const { job_id: jobId, lease_id: leaseId } of rows) {
    if (leaseId !== null) effects.leases.ended({ organizationId, jobId, leaseId });
  }
  // Fewer than a full step may be left over by jobs that ended meanwhile: what remains must not be claimed.
  return running(rows.length > 0 ? progress : { ...progress, phase: 'letters' });
}

async function deleteLetters(
  tx: TenantTransaction,
  deletion: Deletion,
  progress: Progress,
  { size, effects }: StepContext,
): Promise<StepResult> {
  const rows = await tx.run(deleteDeadLettersOfQueue, { ...deletion, limit: size });
  if (rows.length === size) return running(progress);
  await tx.run(openQueue, deletion);
  effects.wake(deletion.organizationId, deletion.queueName);
  return running({ ...progress, phase: 'records' });
}

async function deleteRecords(
  tx: TenantTransaction,
  deletion: Deletion,
  progress: Progress,
  { size, effects }: StepContext,
): Promise<StepResult> {
  const { after } = progress;
  const row = await tx.one(deleteRecordsOfQueue, {
    ...deletion,
    afterTime: after.time,
    afterId: after.id,
    limit: size,
    rememberedSeconds: commandRetentionSeconds,
  });
  const { seen, deleted, last_time: time, last_id: id } = row;
  row.member_ids.forEach((job, i) => effects.workflows.member(deletion.organizationId, row.workflow_ids[i]!, job));
  if (seen === size) return running({ ...progress, after: { time: time!, id: id! } }, deleted);
  await tx.run(endQueueDeletion, deletion);
  return { added: { processed: deleted }, state: 'completed', waitMs: null };
}
