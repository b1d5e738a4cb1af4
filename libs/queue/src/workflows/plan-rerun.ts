import type { TenantTransaction } from '@spooled/data-access';
import { type Rerun, rerunFrom, type RerunStep } from '@spooled/domain';
import { z } from 'zod';
import { findRerunSteps, type FindRerunStepsResult } from './rerun-steps.queries.js';

const outcome = z.enum(['completed', 'failed', 'deadletter', 'cancelled']).nullable();
const parents = z.array(z.object({ id: z.string(), key: z.string(), outcome }));

/**
 * Plans the retry of a workflow from one job: the jobs that run again, or the reason for a refusal.
 * @param workflow an existing one, with its status
 * @param fromJob key or id of a job
 * @returns null if the workflow has no such job
 */
export async function planRerun(
  tx: TenantTransaction,
  workflow: { id: string; status: string },
  fromJob: string,
): Promise<Rerun | null> {
  const steps = (await tx.run(findRerunSteps, { workflowId: workflow.id })).map(toRerunStep);
  const from = steps.find(({ id }) => id === fromJob) ?? steps.find(({ key }) => key === fromJob);
  if (!from) return null;
  return workflow.status === 'cancelled' ? { problem: cancelledWorkflow } : rerunFrom(steps, from);
}

export const cancelledWorkflow = 'A cancelled workflow cannot be retried';

/** A row as the rules of the domain read it. */
const toRerunStep = ({ is_blocked, dependency_mode, ...row }: FindRerunStepsResult): RerunStep => ({
  ...row,
  outcome: outcome.parse(row.outcome),
  isBlocked: is_blocked,
  mode: dependency_mode === 'any' ? 'any' : 'all',
  parents: parents.parse(row.parents),
});
