import { notFound } from '@spooled/domain';
import type { SingleStep } from '../step/single-step.js';
import { prioritize } from './prioritize.queries.js';

/** Changes the priority of a waiting job; any other state is 404, as the SDKs expect. */
export const prioritizeJob: SingleStep<'job.prioritize'> = async (tx, { body }) => {
  const row = await tx.first(prioritize, { ...body, ids: [body.jobId] });
  if (!row) throw notFound('Job');
  return { oldPriority: row.old, newPriority: row.new };
};
