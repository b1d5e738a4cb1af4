import type { QueueScope } from '@spooled/contracts';
import type { TenantTransaction } from '@spooled/data-access';
import { accessDenied, notFound } from '@spooled/domain';
import {
  findWorkflowJobs as findWorkflowJobsSql,
  type FindWorkflowJobsResult,
  lockWorkflow,
} from './find-workflow-jobs.queries.js';

/**
 * A workflow that no other transaction cancels or retries until the end of this one.
 * @throws SpooledError 404; 403 for a key without access to all queues of the workflow
 */
export async function findWorkflowJobs(
  tx: TenantTransaction,
  workflowId: string,
  queues: QueueScope,
): Promise<FindWorkflowJobsResult> {
  await tx.run(lockWorkflow, { id: workflowId });
  const found = await tx.first(findWorkflowJobsSql, { id: workflowId });
  if (!found) throw notFound('Workflow');
  if (queues !== null && !found.queue_names.every((name) => queues.includes(name))) {
    throw accessDenied('This API key has no access to all queues of the workflow');
  }
  return found;
}
