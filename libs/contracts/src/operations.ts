import { filterWithTerms } from '@spooled/domain';
import { z } from 'zod';

export const operationKinds = [
  'deadletter.replay',
  'deadletter.purge',
  'job.cancel',
  'job.prioritize',
  'job.run_now',
  'job.move',
  'job.patch',
  'job.delete',
  'delivery.resend',
  'queue.delete',
  'organization.delete',
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** Whether it takes jobs that have not ended. */
export const isOfLiveJobs = (kind: OperationKind): boolean => kind.startsWith('job.');

/** `completed`: all done · `stopped`: by its own rule · `cancelled`: by a caller. The last three are final. */
export const operationStates = ['pending', 'running', 'completed', 'stopped', 'cancelled'] as const;
export type OperationState = (typeof operationStates)[number];

/** As callers see it: `held` is `pending` before its `starts_at`. */
export const shownOperationStates = ['held', ...operationStates] as const;

/** What has become of a job that an operation has had. `waiting`: a replayed job that has not ended. */
export const operationOutcomes = ['waiting', 'succeeded', 'failed', 'ended_otherwise', 'refused'] as const;

/** Kinds whose jobs are listed: those of the others are gone, or they have none. */
const listedKinds: readonly string[] = [
  'deadletter.replay',
  'job.cancel',
  'job.prioritize',
  'job.run_now',
  'job.move',
  'job.patch',
] satisfies OperationKind[];
export const listsJobs = ({ kind }: { kind: string }): boolean => listedKinds.includes(kind);

/** Which jobs an operation takes; absent = any. Stored, so members may be added but not renamed. */
export const operationFilter = z.object({
  job_ids: z.array(z.string()).nullish(),
  group_id: z.string().nullish(),
  queue_name: z.string().nullish(),
  job_type: z.string().nullish(),
  /** Dead letters: part of the error of their group, or of the job type, in any case. */
  cause: z.string().nullish(),
  cause_id: z.string().nullish(),
  /** Dead letters: dead since then or later, before then. */
  dead_after: z.string().nullish(),
  dead_before: z.string().nullish(),
  /** Live jobs, as in lists of jobs: created since then or later, before then; id, queue or type; tag. */
  created_after: z.string().nullish(),
  created_before: z.string().nullish(),
  q: z.string().nullish(),
  /** Dead letters and live jobs: a search line; its ages count from the start of the operation. */
  search: z.string().nullish(),
  tag: z.string().nullish(),
  /** Live jobs: those that wait to be claimed or for other jobs, also before a retry, or those whose time has not come. */
  status: z.enum(['pending', 'scheduled']).nullish(),
  /** Live jobs: of this batch. */
  batch_id: z.string().nullish(),
  /** Deliveries: of this webhook, of this event; `created_after` and `created_before` as above. */
  webhook_id: z.string().nullish(),
  event: z.string().nullish(),
});
export type OperationFilter = z.infer<typeof operationFilter>;

/** How an operation proceeds. Stored, so members may be added but not renamed. */
export const operationSettings = z.object({
  /** Jobs per second; absent = as fast as its steps. */
  per_second: z.number().nullish(),
  /** What `job.prioritize` sets. */
  priority: z.number().nullish(),
  /** Where `job.move` moves jobs to. */
  to_queue: z.string().nullish(),
  /** Number of jobs in each stage but the last; the next begins when all of a stage have ended. */
  stages: z.array(z.number()).nullish(),
  /** It stops when more than this share of the replayed jobs have failed an attempt, of at least `min_ended` that completed or did. */
  max_failure_share: z.number().nullish(),
  min_ended: z.number().nullish(),
  /** Largest payload after a patch, in bytes. */
  max_payload_bytes: z.number().nullish(),
});
export type OperationSettings = z.infer<typeof operationSettings>;

/**
 * The live jobs that an operation takes, as `matching_live_jobs_v1` reads them: without those that it would not change, so that each of
 * its steps finds others.
 * @param now what ages of the search line count from
 */
export const liveSelection = (
  { kind, filter, settings }: { kind: OperationKind; filter: OperationFilter; settings: OperationSettings },
  now: string,
) => ({
  ...filterWithTerms(filter, now),
  ...(kind === 'job.prioritize' && { other_priority_than: settings.priority }),
  ...(kind === 'job.run_now' && { waits_for_time: true }),
  ...(kind === 'job.move' && { other_queue_than: settings.to_queue }),
});
