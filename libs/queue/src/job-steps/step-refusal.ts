import { invalidField, type SpooledError, stepLimits } from '@spooled/domain';
import { refusalError } from '../step/lease-refusal.js';

/** The error for a step that the functions of this folder refuse. */
export function stepRefusal(why: string): SpooledError {
  if (why === 'steps') return invalidField('step', `the job has ${stepLimits.perJob} steps, which is the most`);
  if (why === 'kind') return invalidField('step', 'is the name of a step of another kind');
  return refusalError(why);
}
