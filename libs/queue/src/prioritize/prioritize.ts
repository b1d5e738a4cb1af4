import { notFound } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import prioritizeSql from './prioritize.sql';

/** Changes the priority of a waiting job; any other state is 404, as the SDKs expect. */
export const prioritizeJob: SingleStep<'job.prioritize'> = async (tx, { body }) => {
  const [row] = await tx.query<{ old: number; new: number }>(prioritizeSql, [
    tx.organizationId,
    body.jobId,
    body.priority,
    body.queues,
  ]);
  if (!row) throw notFound('Job');
  return { oldPriority: row.old, newPriority: row.new };
};
