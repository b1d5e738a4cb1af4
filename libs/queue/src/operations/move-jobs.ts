import { rethrowQuotaError, type TenantTransaction } from '@spooled/data-access';
import { jobQuota, maxDocumentBytesPerStatement, type PlanLimits } from '@spooled/domain';
import { receiverError } from '../enqueue/receivers.js';
import type { EffectsBuilder } from '../step/effects.js';
import {
  addTargetQueue,
  findJobsWithoutReceiver,
  moveJobs as moveJobsSql,
  readTargetQueue,
  requireQueueInPlan,
} from './live-job-operations.queries.js';
import type { ChargedProblem } from './operation.js';
import { type PatchedJob } from './patch-payloads.js';
import { readPayloads } from './patch-payloads.queries.js';

interface Move {
  ids: string[];
  toQueue: string;
  limits: PlanLimits;
  problemOf: ChargedProblem;
}

/**
 * Moves jobs whose live rows the transaction holds to another queue, if new jobs like them could be created there.
 * @returns the jobs that were looked at: fewer than `ids` if their payloads are large; with an error those that stay where they are
 * @throws SpooledError 429 QUOTA_EXCEEDED when the plan does not allow the queue
 */
export async function moveJobs(
  tx: TenantTransaction,
  { ids, toQueue, limits, problemOf }: Move,
  effects: EffectsBuilder,
): Promise<PatchedJob[]> {
  const { organizationId } = tx;
  const jobs = await withProblems(tx, ids, toQueue, problemOf);
  const movable = jobs.filter(({ error }) => error === '').map(({ id }) => id);
  if (movable.length === 0) return jobs;
  const quota = jobQuota(limits);
  if (quota.maxQueues !== null) {
    const plan = { organizationId, maxQueues: quota.maxQueues, queueName: toQueue };
    await tx.run(requireQueueInPlan, plan).catch((error: unknown) => rethrowQuotaError(error, quota));
  }
  await Promise.all([
    tx.run(addTargetQueue, { queueName: toQueue }),
    tx.run(moveJobsSql, { ids: movable, queueName: toQueue }),
  ]);
  effects.wake(organizationId, toQueue);
  return jobs;
}

/** Why each job may not be in a queue; empty if it may. */
async function withProblems(
  tx: TenantTransaction,
  ids: string[],
  queueName: string,
  problemOf: ChargedProblem,
): Promise<PatchedJob[]> {
  const target = await tx.one(readTargetQueue, { queueName });
  if (target.is_deleted) return ids.map((id) => ({ id, error: `queue "${queueName}" is being deleted` }));
  const receivers = await receiverProblems(tx, ids, queueName);
  if (!target.has_contract) return ids.map((id) => ({ id, error: receivers.get(id) ?? '' }));
  const rows = await tx.run(readPayloads, { ids, maxBytes: maxDocumentBytesPerStatement });
  const jobs: PatchedJob[] = [];
  for (const { id, payload: text } of rows) {
    const error = receivers.get(id) ?? (text === null ? 'The job no longer exists' : null);
    const problem = error ?? (await problemOf(tx, queueName, { value: JSON.parse(text!) as unknown, text: text! }));
    jobs.push({ id, error: problem ?? '' });
  }
  return jobs;
}

/** Why jobs may not be in a queue because of who receives them. */
export async function receiverProblems(
  tx: TenantTransaction,
  ids: string[],
  queueName: string,
): Promise<Map<string, string>> {
  const rows = await tx.run(findJobsWithoutReceiver, { ids, queueName });
  return new Map(
    rows.map(({ id, pushed }) => [id, receiverError({ why: 'receiver', number: 0, queue: queueName, pushed }).message]),
  );
}
