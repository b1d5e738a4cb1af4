import { type StepKind, stepKinds } from '@spooled/domain';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import { listJobSteps as listJobStepsSql, type ListJobStepsResult } from './list-job-steps.queries.js';

/** A step of a job. `result` is JSON text, exactly as stored. */
export interface JobStepRow extends ListJobStepsResult {
  kind: StepKind;
}

/** The steps of a job in the order in which they began; none when the job is not in the organization and these queues. */
export async function listJobSteps(tx: TenantTransaction, id: string, queues: string[] | null): Promise<JobStepRow[]> {
  const rows = await tx.run(listJobStepsSql, { id, queues });
  return rows.map((row) => ({ ...row, kind: oneOf(stepKinds, row.kind) }));
}
