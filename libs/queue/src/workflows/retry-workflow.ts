import { badRequest } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import { reviveJobs } from '../retry/retry.js';
import { findWorkflowJobs } from './find-workflow-jobs.js';

/**
 * Returns every job of a failed workflow that has not completed to pending, blocked while its parents have not
 * completed. Completed jobs are kept.
 * @throws SpooledError 404, 403 scope, 400 unless the workflow has failed, 429 quota
 */
export const retryWorkflow: SingleStep<'workflow.retry'> = async (tx, { body }, effects) => {
  const { status, job_ids: ids } = await findWorkflowJobs(tx, body.workflowId, body.queues);
  if (status !== 'failed') throw badRequest(`Only failed workflows can be retried: this one is ${status}`);
  // Concurrent retries serialize inside; the second finds no ended job left.
  const revived = await reviveJobs(tx, ids, { quota: body.quota, reason: 'manual', withCancelled: true }, effects);
  if (revived.length === 0) throw badRequest('The failed workflow has no job left that could run again');
  effects.workflowChange(tx.organizationId, body.workflowId, 'retried');
  return { revivedJobs: revived.length };
};
