import { firstCodePoints } from './code-points.js';
/** The seven statuses that callers see, spelled as the SDKs compare them (SP-29). */
export const jobStatuses = [
  'pending',
  'scheduled',
  'processing',
  'completed',
  'failed',
  'deadletter',
  'cancelled',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

export type JobOutcome = Extract<JobStatus, 'completed' | 'failed' | 'deadletter' | 'cancelled'>;

const moves: Record<JobStatus, readonly JobStatus[]> = {
  pending: ['processing', 'cancelled'],
  scheduled: ['pending', 'processing', 'cancelled'],
  processing: ['completed', 'pending', 'deadletter'],
  completed: ['pending'],
  failed: ['pending'],
  deadletter: ['pending'],
  cancelled: ['pending'],
};

/**
 * Whether a job may go from one status to another (SP-30). Only a workflow's retry requeues cancelled and completed jobs.
 * @internal The SQL decides in production; a spec of libs/queue compares what it does with this table.
 */
export const mayMove = (from: JobStatus, to: JobStatus): boolean => moves[from].includes(to);

export const isTerminal = (status: JobStatus): status is JobOutcome =>
  status === 'completed' || status === 'failed' || status === 'deadletter' || status === 'cancelled';

export const isJobStatus = (text: string): text is JobStatus => (jobStatuses as readonly string[]).includes(text);

const longestJobType = 255;

/**
 * `payload.job_type` when that is a text, else ''. It is kept beside the record, so that lists never read payloads: cut to 255
 * characters and without U+0000 and halves of surrogate pairs, which PostgreSQL cannot hold in a text.
 */
export function jobTypeOf(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || !('job_type' in payload)) return '';
  const { job_type: jobType } = payload;
  return typeof jobType === 'string' ? storableText(firstCodePoints(jobType, longestJobType)) : '';
}

/** Text that PostgreSQL can hold: U+0000 and halves of surrogate pairs become U+FFFD. */
export const storableText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
