import { conflict, isUuid, notFound } from '@spooled/domain';
import { z } from 'zod';
import { cancelledJob } from '../step/answers.js';
import { addDependencies as addDependenciesSql } from './add-dependencies.queries.js';
import type { SingleStep } from '../step/single-step.js';
import { reportOwnCascade } from '../step/record-deliveries.js';

/** Result of `add_dependencies_v1`. */
const answerSchema = z.union([
  z.object({ why: z.enum(['unknown', 'busy']) }),
  z.object({
    now: z.string(),
    added: z.array(z.string()),
    met: z.boolean(),
    queue: z.string(),
    released: z.boolean(),
    cancelled: z.array(cancelledJob),
  }),
]);

/**
 * Makes a waiting job depend on others (SP-49). Edges to itself, existing edges and edges that would close a cycle are
 * skipped. A parent that has already ended without success cancels the job (SP-50).
 * @throws SpooledError 404 for an unknown job or parent, 409 for a job that is being processed or has ended
 */
export const addDependencies: SingleStep<'job.addDependencies'> = async (tx, { body }, effects) => {
  if (!body.dependsOn.every(isUuid)) throw notFound('Job');
  const row = await tx.one(addDependenciesSql, { ...body, id: body.jobId, parents: body.dependsOn });
  const answer = answerSchema.parse(row.answer);
  if ('why' in answer) {
    throw answer.why === 'unknown'
      ? notFound('Job')
      : conflict('Only pending and scheduled jobs can be made to wait for others');
  }
  const { now, added, met, queue, released, cancelled } = answer;
  if (released) effects.wake(tx.organizationId, queue);
  await reportOwnCascade(tx, cancelled, now, effects);
  return { added, met };
};
