import { conflict, stepLimits } from '@spooled/domain';
import { statusOf } from '../cancel/cancel.js';
import type { SingleStep } from '../step/single-step.js';
import { stepRefusal } from './step-refusal.js';
import { signalJob as signalJobSql } from './steps.queries.js';

/**
 * Gives a job the value that it waits for, or keeps the value until the job gets there.
 * @throws SpooledError 400 for the name of another step or too many steps, 404, 409 when the job or its wait has ended
 */
export const signalJob: SingleStep<'job.signal'> = async (tx, { body }, effects) => {
  const { organizationId } = tx;
  const { jobId, step, payload: value, queues: scope, knownAt: known = null } = body;
  const row = await tx.one(signalJobSql, { jobId, step, value, most: stepLimits.perJob, known, scope });
  const { why, accepted, resumed, queue_name: queue, given_at: at } = row;
  if (why === 'ended') {
    await statusOf(tx, jobId, scope);
    throw conflict('Job has ended');
  }
  if (why === 'rerun') throw conflict('Job has ended, and runs again: this signal was for the run before');
  if (why === 'late') throw conflict('The wait has ended: its deadline has passed');
  if (why !== null) throw stepRefusal(why);
  if (resumed) {
    effects.statusChange(organizationId, { id: jobId, queue }, { from: 'scheduled', to: 'pending', at });
    effects.wake(organizationId, queue);
  }
  return { accepted, resumed };
};
