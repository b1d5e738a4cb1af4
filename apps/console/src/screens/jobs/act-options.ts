import { readMergePatch } from '../../ui/json-text';
import type { ActOptions, JobAct } from './job-acts';

/** What the user types for an act. */
export const emptyActForm = { priority: '10', toQueue: '', patch: '' };
export type ActForm = typeof emptyActForm;

/** The options of an act; null until they are complete. The problem is null while nothing is wrong. */
export function readActForm(
  act: JobAct,
  form: ActForm,
  queueName: string | undefined,
): { options: ActOptions | null; problem: string | null } {
  const { value: payloadPatch, problem } = readMergePatch(form.patch);
  const toQueue = form.toQueue.trim();
  const options = { priority: Number(form.priority), toQueue, payloadPatch: payloadPatch ?? {} };
  switch (act) {
    case 'priority':
      return isPriority(form.priority)
        ? { options, problem: null }
        : { options: null, problem: 'must be a whole number from -100 to 100' };
    case 'move':
      if (toQueue === queueName) return { options: null, problem: 'must be another queue' };
      return { options: toQueue === '' ? null : options, problem: null };
    case 'patch':
      return { options: Object.keys(options.payloadPatch).length === 0 ? null : options, problem };
    default:
      return { options, problem: null };
  }
}

const isPriority = (text: string): boolean => /^-?\d{1,3}$/.test(text) && Math.abs(Number(text)) <= 100;
