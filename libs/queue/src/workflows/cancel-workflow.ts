import { recordAudit } from '@spooled/data-access';
import { conflict } from '@spooled/domain';
import { cancelJobs } from '../cancel/cancel.js';
import type { SingleStep } from '../step/single-step.js';
import { findWorkflowJobs } from './find-workflow-jobs.js';

/**
 * Cancels the waiting jobs of a workflow; processing ones finish. Idempotent.
 * @throws SpooledError 404, 403 scope, 409 for a workflow that has completed or failed
 */
export const cancelWorkflow: SingleStep<'workflow.cancel'> = async (tx, { body }, effects) => {
  const { status, job_ids: ids } = await findWorkflowJobs(tx, body.workflowId, body.queues);
  if (status === 'cancelled') return { cancelledJobs: 0 };
  if (status !== 'pending' && status !== 'running') {
    throw conflict(`Only pending and running workflows can be cancelled: this one has ${status}`);
  }
  const cancelled = await cancelJobs(tx, ids, 'The workflow was cancelled', effects);
  const after = { status: 'cancelled', jobs: cancelled.length };
  const target = { targetKind: 'workflow', targetId: body.workflowId };
  await recordAudit(tx, { action: 'workflow.cancelled', ...target, before: { status }, after });
  effects.workflows.cancel(tx.organizationId, body.workflowId);
  effects.workflowChange(tx.organizationId, body.workflowId, 'cancelled');
  return { cancelledJobs: cancelled.length };
};
