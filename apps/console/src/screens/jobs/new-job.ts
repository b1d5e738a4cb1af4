import type { Job, NewJob } from '@spooled/sdk/browser';
import { prettyJson, readJson } from '../../ui/json-text';

/** What a user types for a new job. Empty texts leave a member to the server. */
export const emptyJobForm = {
  queueName: '',
  jobType: '',
  payload: '{}',
  priority: '',
  /** ISO 8601. */
  startAt: '',
  /** Seconds from now. */
  delay: '',
  idempotencyKey: '',
  maxRetries: '',
  timeoutSeconds: '',
  tags: '',
};

export type NewJobForm = typeof emptyJobForm;
export type NewJobProblems = Partial<Record<keyof NewJobForm, string>>;

type Copied = Pick<Job, 'queueName' | 'payload' | 'priority' | 'maxRetries' | 'timeoutSeconds' | 'tags'>;

/** A copy of a job, to change. Its key is not copied: the server would return the job that has it. */
export const formOfCopy = (job: Copied): NewJobForm => ({
  ...emptyJobForm,
  queueName: job.queueName,
  payload: prettyJson(job.payload),
  priority: String(job.priority),
  maxRetries: String(job.maxRetries),
  timeoutSeconds: String(job.timeoutSeconds),
  tags: job.tags === null ? '' : prettyJson(job.tags),
});

/**
 * The job, or what is wrong with the form; neither while the queue has no name.
 * @param now milliseconds since the epoch, which a delay counts from
 */
export function readJobForm(form: NewJobForm, now: number): { job: NewJob | null; problems: NewJobProblems } {
  const numbers = numberProblems(form);
  const payload = readPayload(form);
  const tags = form.tags.trim() === '' ? { value: undefined, error: null } : readJson(form.tags);
  const problems = present({
    ...numbers,
    ...payload.problems,
    tags: tags.error,
    startAt: form.startAt !== '' && form.delay.trim() !== '' ? 'Either a time or a delay' : null,
  });
  const queueName = form.queueName.trim();
  if (queueName === '' || Object.keys(problems).length > 0) return { job: null, problems };
  const job: NewJob = {
    queueName,
    payload: payload.value,
    ...present({
      priority: numberOf(form.priority),
      maxRetries: numberOf(form.maxRetries),
      timeoutSeconds: numberOf(form.timeoutSeconds),
      tags: tags.value,
      idempotencyKey: form.idempotencyKey.trim() || null,
      scheduledAt: startOf(form, now),
    }),
  };
  return { job, problems };
}

const bounds = {
  priority: [-100, 100],
  delay: [0, 31_536_000],
  maxRetries: [0, 100],
  timeoutSeconds: [1, 86_400],
} as const satisfies Partial<Record<keyof NewJobForm, readonly [number, number]>>;

function numberProblems(form: NewJobForm): Partial<Record<keyof NewJobForm, string | null>> {
  const problems = Object.entries(bounds).map(([name, [least, most]]) => {
    const value = numberOf(form[name as keyof typeof bounds]);
    const isFine = value === null || (Number.isInteger(value) && value >= least && value <= most);
    return [name, isFine ? null : `A whole number from ${least} to ${most}`];
  });
  return Object.fromEntries(problems) as Partial<Record<keyof typeof bounds, string | null>>;
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** The type is a member of the payload, so that it may be typed in either place, but not differently. */
function readPayload({ payload, jobType }: NewJobForm): { value?: unknown; problems: Record<string, string | null> } {
  const { value, error } = readJson(payload);
  const type = jobType.trim();
  if (error !== null || type === '') return { value, problems: { payload: error } };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: { jobType: 'Only a payload that is an object has a type' } };
  }
  const { job_type: present = type } = value as { job_type?: unknown };
  if (present !== type) return { problems: { jobType: `The payload says ${JSON.stringify(present)}` } };
  return { value: { job_type: type, ...value }, problems: {} };
}

function startOf({ startAt, delay }: NewJobForm, now: number): string | null {
  if (startAt !== '') return startAt;
  const seconds = numberOf(delay);
  return seconds === null ? null : new Date(now + seconds * 1_000).toISOString();
}

const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
