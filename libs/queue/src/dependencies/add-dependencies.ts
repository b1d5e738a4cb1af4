import { conflict, isUuid, notFound } from '@spooled/domain';
import type { CancelledJob } from '../cancel/cancel.js';
import type { SingleStep } from '../step/single-step.js';
import { recordCancellations } from '../step/record-deliveries.js';

interface Added {
  why?: 'unknown' | 'busy';
  now: string;
  added: string[];
  met: boolean;
  queue: string;
  released: boolean;
  cancelled: CancelledJob[];
}

/**
 * Makes a waiting job depend on others (SP-49). Edges to itself, existing edges and edges that would close a cycle are
 * skipped. A parent that has already ended without success cancels the job (SP-50).
 * @throws SpooledError 404 for an unknown job or parent, 409 for a job that is being processed or has ended
 */
export const addDependencies: SingleStep<'job.depend'> = async (tx, { body }, effects) => {
  if (!body.dependsOn.every(isUuid)) throw notFound('Job');
  const [row] = await tx.query<{ answer: Added }>('SELECT add_dependencies_v1($1, $2, $3, $4, $5) AS answer', [
    tx.organizationId,
    body.jobId,
    body.dependsOn,
    body.mode,
    body.queues,
  ]);
  const { why, now, added, met, queue, released, cancelled } = row!.answer;
  if (why === 'unknown') throw notFound('Job');
  if (why === 'busy') throw conflict('Only pending and scheduled jobs can be made to wait for others');
  if (released) effects.wake(tx.organizationId, queue);
  for (const job of cancelled) {
    effects.statusChange(tx.organizationId, job, { from: job.old, to: 'cancelled', at: now });
  }
  const cascade = cancelled.map(({ id: jobId, queue: queueName, old: oldStatus }) => ({
    organizationId: tx.organizationId,
    jobId,
    queueName,
    oldStatus,
    reason: 'cascade',
  }));
  await recordCancellations(tx, cascade, effects);
  return { added, met };
};
