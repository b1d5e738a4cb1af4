import type { CommandOf, JobQuota, QueueScope } from '@spooled/contracts';
import { quotaError, recordAudit, rethrowQuotaError, type TenantTransaction } from '@spooled/data-access';
import { accessDenied, conflict, notFound } from '@spooled/domain';
import { enqueueOne, hasCaps, jobJson } from '../enqueue/enqueue.js';
import { requireReceiver } from '../enqueue/receivers.js';
import type { SingleStep } from '../step/single-step.js';
import {
  addCallbackQueues,
  cancelJobsOfBatch,
  closeBatch as closeBatchSql,
  countOpenBatches,
  createBatch as createBatchSql,
  findBatch,
  type FindBatchResult,
  holdCallbackQueues,
  joinBatch,
  lockOpenBatches,
  shareBatchLock,
} from './batches.queries.js';

type Create = CommandOf<'batch.create'>;
type Add = CommandOf<'batch.add'>;

/**
 * Creates an open batch without jobs.
 * @throws SpooledError 400 for a callback job that its queue does not allow or needs, 429 when it exceeds the plan's open batches, or its
 *   callbacks the plan's jobs or queues
 */
export const createBatch: SingleStep<'batch.create'> = async (tx, command) => {
  const { batch, callbacks, queues, quota, maxOpenBatches } = command.body;
  const queueNames = [...new Set(Object.values(callbacks).map((job) => job.queueName))].sort();
  for (const [name, { queueName, settings = null }] of Object.entries(callbacks)) {
    await requireReceiver(tx, { queueName, settings, path: `${name}.` });
  }
  const created = await tx.run(createBatchSql, {
    ...batch,
    callbacks: callbacksJson(command),
    callbackNames: Object.keys(callbacks),
    callbackQueues: Object.values(callbacks).map((job) => job.queueName),
    queueNames: queueNames.length > 0 ? queueNames : (queues ?? []),
  });
  if (created.length === 0) return { batchId: batch.id };
  if (maxOpenBatches !== null) await requireFewOpen(tx, maxOpenBatches, quota);
  const caps = JSON.stringify(hasCaps(quota) ? quota : {});
  await tx
    .run(addCallbackQueues, { quota: caps, callbacks: Object.keys(callbacks).length, queueNames })
    .catch((error: unknown) => rethrowQuotaError(error, quota));
  await recordAudit(tx, {
    action: 'batch.created',
    targetKind: 'batch',
    targetId: batch.id,
    after: { name: batch.name },
  });
  return { batchId: batch.id };
};

/** @throws SpooledError 429 when there are more open batches than the plan allows, with the new one */
async function requireFewOpen(tx: TenantTransaction, limit: number, plan: JobQuota): Promise<void> {
  const [, [row]] = await Promise.all([tx.run(lockOpenBatches), tx.run(countOpenBatches)]);
  const others = row!.open - 1;
  if (others >= limit) throw quotaError({ resource: 'open_batches', current: others, limit }, plan);
}

/** As `settle_batches_v1` reads them: jobs without ids, and what the server says where they say nothing. */
function callbacksJson(command: Create): string {
  const { callbacks, defaults } = command.body;
  const members = Object.entries(callbacks).map(
    ([name, { id: _, ...job }]) => `"${name}":${jobJson(job, { number: 0, command: 0 }, command)}`,
  );
  members.push(`"max_retries":${defaults.maxRetries}`, `"timeout_seconds":${defaults.timeoutSeconds}`);
  return `{${members.join(',')}}`;
}

/**
 * Adds new jobs to an open batch; none of them if not all of them fit.
 * @throws SpooledError 404, 403 scope, 409 for a batch that is not open or is full, and as a job of its own
 */
export const addToBatch: SingleStep<'batch.add'> = async (tx, command, effects) => {
  const { batchId: id, jobs, maxJobs, queues } = command.body;
  requireOpen(await requireBatch(tx, id, queues));
  const result = await enqueueOne(tx, enqueueOf(command), effects);
  // A child of a job that has failed ends at once.
  const alone = jobs.some((job) => job.parentJobId !== null);
  await tx.run(shareBatchLock, { id, alone });
  const joined = await tx.run(joinBatch, {
    id,
    jobIds: result.jobs.filter(({ created }) => created).map(({ jobId }) => jobId),
    queueNames: [...new Set(jobs.map(({ queueName }) => queueName))],
    maxJobs,
  });
  if (joined.length > 0) return result;
  const batch = await requireBatch(tx, id, queues);
  requireOpen(batch);
  throw conflict(`A batch has at most ${maxJobs} jobs: this one has ${batch.total_jobs}`);
};

const enqueueOf = ({ body, ...command }: Add): CommandOf<'job.enqueue'> => {
  const { jobs, quota, defaults, batchId } = body;
  return { ...command, kind: 'job.enqueue', body: { jobs, quota, defaults, batchId } };
};

/** Lets a batch end: at once if its jobs have ended. Idempotent. @throws SpooledError 404, 403 scope, 409 for a cancelled batch */
export const closeBatch: SingleStep<'batch.close'> = async (tx, { body }, effects) => {
  const { batchId: id, queues } = body;
  const { status } = await lockBatch(tx, id, queues);
  if (status === 'cancelled') throw conflict('The batch was cancelled');
  if (status !== 'open') return { closed: false };
  await tx.run(closeBatchSql, { id, status: 'closed' });
  const target = { targetKind: 'batch', targetId: id };
  await recordAudit(tx, { action: 'batch.closed', ...target, before: { status }, after: { status: 'closed' } });
  effects.workflows.workflow(tx.organizationId, id);
  return { closed: true };
};

/**
 * Cancels the waiting jobs of a batch in the background; running ones finish. Idempotent.
 * @throws SpooledError 404, 403 scope, 409 for a batch that has completed
 */
export const cancelBatch: SingleStep<'batch.cancel'> = async (tx, { body }, effects) => {
  const { batchId: id, queues } = body;
  const { status } = await lockBatch(tx, id, queues);
  if (status === 'completed') throw conflict('Only batches that have not completed can be cancelled');
  if (status === 'cancelled') return { cancelled: false };
  await tx.run(closeBatchSql, { id, status: 'cancelled' });
  await tx.run(cancelJobsOfBatch, { id, queues: queues ?? [] });
  const target = { targetKind: 'batch', targetId: id };
  await recordAudit(tx, { action: 'batch.cancelled', ...target, before: { status }, after: { status: 'cancelled' } });
  effects.workflows.workflow(tx.organizationId, id);
  return { cancelled: true };
};

/** The batch under the lock that no transaction shares: its status is committed, and what counts later sees the new one. */
async function lockBatch(tx: TenantTransaction, id: string, queues: QueueScope): Promise<FindBatchResult> {
  await requireBatch(tx, id, queues);
  await tx.run(holdCallbackQueues, { id });
  await tx.run(shareBatchLock, { id, alone: true });
  return requireBatch(tx, id, queues);
}

/** @throws SpooledError 404; 403 for a batch with a queue outside the key's scope, and for one without queues, which are of unscoped keys */
async function requireBatch(tx: TenantTransaction, id: string, queues: QueueScope): Promise<FindBatchResult> {
  const batch = await tx.first(findBatch, { id });
  if (!batch) throw notFound('Batch');
  const other = queues && batch.queue_names.find((name) => !queues.includes(name));
  if (other) throw accessDenied(`This API key has no access to queue "${other}"`);
  if (queues && batch.queue_names.length === 0)
    throw accessDenied('This API key has no access to a batch without queues');
  return batch;
}

function requireOpen({ status }: FindBatchResult): void {
  if (status !== 'open') throw conflict(`Jobs can be added to an open batch only: this one is ${status}`);
}
