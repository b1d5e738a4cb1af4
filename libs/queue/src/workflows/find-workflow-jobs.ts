import type { QueueScope } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import { accessDenied, notFound } from '@spooled/domain';
import { findWorkflowJobs as findWorkflowJobsSql, type FindWorkflowJobsResult } from './find-workflow-jobs.queries.js';

/** @throws SpooledError 404; 403 for a key without access to all queues of the workflow */
export async function findWorkflowJobs(
  tx: TenantTransaction,
  workflowId: string,
  queues: QueueScope,
): Promise<FindWorkflowJobsResult> {
  const found = await tx.first(findWorkflowJobsSql, { id: workflowId });
  if (!found) throw notFound('Workflow');
  if (queues !== null && !found.queue_names.every((name) => queues.includes(name))) {
    throw accessDenied('This API key has no access to all queues of the workflow');
  }
  return found;
}
