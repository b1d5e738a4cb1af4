import type { CommandBody } from '@spooled/contracts';
import { recordAudit, type TenantTransaction } from '@spooled/data-access';
import { badRequest, conflict } from '@spooled/domain';
import type { EffectsBuilder } from '../step/effects.js';
import type { SingleStep } from '../step/single-step.js';
import { lockDeadLetters, lockRequeues } from '../retry/requeue-jobs.queries.js';
import { requeueJobs } from '../retry/retry.js';
import { findWorkflowJobs } from './find-workflow-jobs.js';
import { cancelledWorkflow, planRerun } from './plan-rerun.js';

type RetryBody = CommandBody<'workflow.retry'>;

/**
 * Returns every job of a failed workflow that has not completed to pending, blocked while its parents have not
 * completed. Completed jobs are kept. With `fromJob` that job and all that depend on it instead, completed or not, unless the workflow
 * was cancelled.
 * @throws SpooledError 404, 403 scope, 400 for a workflow whose status does not allow it or that has no such job, 409 for a job that
 *   cannot run again now, 429 quota
 */
export const retryWorkflow: SingleStep<'workflow.retry'> = async (tx, { body }, effects) => {
  const { status, job_ids: ids } = await findWorkflowJobs(tx, body.workflowId, body.queues);
  const requeued = body.fromJob
    ? await retryFrom(tx, body.fromJob, { ...body, status, ids }, effects)
    : await retryFailed(tx, body, { status, ids }, effects);
  const after = { jobs: requeued.length, ...(body.fromJob && { from_job: body.fromJob }) };
  const target = { targetKind: 'workflow', targetId: body.workflowId };
  await recordAudit(tx, { action: 'workflow.retried', ...target, before: { status }, after });
  effects.workflowChange(tx.organizationId, body.workflowId, 'retried');
  return { requeuedJobs: requeued.length };
};

async function retryFailed(
  tx: TenantTransaction,
  { quota }: RetryBody,
  { status, ids }: { status: string; ids: string[] },
  effects: EffectsBuilder,
): Promise<string[]> {
  if (status !== 'failed') throw badRequest(`Only failed workflows can be retried: this one is ${status}`);
  const requeued = await requeueJobs(tx, ids, { quota, reason: 'manual', also: ['cancelled'] }, effects);
  if (requeued.length === 0) throw badRequest('The failed workflow has no job left that could run again');
  return requeued;
}

async function retryFrom(
  tx: TenantTransaction,
  fromJob: string,
  { workflowId, quota, status, ids }: RetryBody & { status: string; ids: string[] },
  effects: EffectsBuilder,
): Promise<string[]> {
  if (status === 'cancelled') throw badRequest(cancelledWorkflow);
  await Promise.all([tx.run(lockDeadLetters, { ids }), tx.run(lockRequeues)]);
  const rerun = await planRerun(tx, { id: workflowId, status }, fromJob);
  if (!rerun) throw badRequest('from_job: the workflow has no job with this key or id');
  if ('problem' in rerun) throw conflict(rerun.problem);
  return requeueJobs(tx, rerun.ids, { quota, reason: 'manual', also: ['cancelled', 'completed'] }, effects);
}
