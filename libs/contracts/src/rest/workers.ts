import { z } from 'zod';
import { listPage } from './conventions.js';
import { boundedCount } from './figures.js';
import { atMost, count, nullableTimestamp, queueName, smallJson, text, timestamp, whole } from './fields.js';

const workerStatuses = ['healthy', 'degraded', 'draining', 'offline'] as const;

export const registerWorkerBody = z.object({
  queue_name: queueName,
  hostname: text(1, 255).regex(
    /^(?![.-])[A-Za-z0-9._-]*(?<![.-])$/,
    'may hold letters, digits, ".", "-" and "_" and must not start or end with "." or "-"',
  ),
  worker_id: atMost(128)
    .regex(/^[A-Za-z0-9._-]{1,128}$/, 'must be 1 to 128 letters, digits, ".", "_" or "-"')
    .nullish(),
  worker_type: text(0, 50).nullish(),
  max_concurrency: whole(1, 100).nullish(),
  metadata: smallJson,
  version: text(0, 50).nullish(),
});
export type RegisterWorkerBody = z.infer<typeof registerWorkerBody>;

export const workerHeartbeatBody = z.object({
  current_jobs: whole(0, 1000),
  status: z.enum(workerStatuses).nullish(),
  metadata: smallJson,
});
export type WorkerHeartbeatBody = z.infer<typeof workerHeartbeatBody>;

/** Pages by cursor are ordered by id, others by the latest heartbeat. */
export const listWorkersQuery = z.object(listPage({ limit: 100 }));
export type ListWorkersQuery = z.infer<typeof listWorkersQuery>;

export const registeredWorker = z.object({
  id: z.string(),
  queue_name: z.string(),
  lease_duration_secs: z.int(),
  heartbeat_interval_secs: z.int(),
});

/** Published SDKs read nothing from it. */
export const heartbeatAnswer = z.object({
  status: z.enum(workerStatuses),
  should_drain: z.boolean().meta({ description: 'Whether the worker should take no more jobs' }),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>;

/** Its answer to a request to drain, or to work again. */
export const drainedWorker = z.object({ id: z.string(), status: z.enum(workerStatuses) });

const versionText = z
  .string()
  .nullable()
  .meta({ description: 'As workers register it; null: those that registered none' });

export const workerVersionBody = z.strictObject({
  version: text(0, 50).nullable().meta({ description: 'Null: workers that registered none' }),
});
export type WorkerVersionBody = z.infer<typeof workerVersionBody>;

export const changedVersion = z.object({
  version: versionText,
  workers: count.meta({ description: 'How many were changed' }),
  more: z.boolean().meta({ description: 'Whether more than 1,000 were found, so that the request must be repeated' }),
});
export type ChangedVersion = z.infer<typeof changedVersion>;

const notChecked = z.array(z.string()).meta({ description: 'What could not be checked now; empty if everything was' });

export const workerVersions = z.object({
  versions: z
    .array(
      z.object({
        version: versionText,
        workers: count.meta({ description: 'Those that are not offline' }),
        healthy: count,
        degraded: count,
        draining: count,
        told_to_drain: count.meta({
          description: 'Of `draining`, those that were told to; others say so themselves',
        }),
        drained: count.meta({ description: 'Of `told_to_drain`, those that hold no job' }),
        running_jobs: count,
        first_registered_at: timestamp,
      }),
    )
    .max(100)
    .meta({ description: 'The version that registered last comes first' }),
  not_checked: notChecked,
  checked_at: timestamp,
});
export type WorkerVersions = z.infer<typeof workerVersions>;

const runningMembers = {
  id: z.uuid(),
  queue_name: z.string(),
  job_type: z.string().nullable(),
  attempt: z.int().meta({ description: '1 for the first' }),
  max_attempts: z.int(),
  priority: z.int(),
  started_at: nullableTimestamp,
  lease_expires_at: nullableTimestamp,
  timeout_seconds: z.int().nullable(),
  progress: z.number().nullable().meta({ description: 'Percent' }),
  progress_message: z.string().nullable(),
  progress_at: nullableTimestamp,
};

export const jobsInHand = z.object({
  worker_id: z.string(),
  jobs: z.array(z.object(runningMembers)).max(1_000).meta({ description: 'The oldest attempt first; at most 1,000' }),
  not_checked: notChecked,
});
export type JobsInHand = z.infer<typeof jobsInHand>;

export const runningJobs = z.object({
  jobs: z
    .array(
      z.object({
        ...runningMembers,
        worker_id: z.string().nullable(),
        hostname: z.string().nullable().meta({ description: 'Of the worker; null if it is not registered' }),
      }),
    )
    .max(100)
    .meta({ description: 'The longest first; at most 100' }),
  running: boundedCount.meta({
    description:
      'All that run, or match the search. With `at_least`, others were not compared: more may match, and one may have run longer',
  }),
  checked_at: timestamp,
  not_checked: notChecked,
});
export type RunningJobs = z.infer<typeof runningJobs>;

export const workerSummary = z.object({
  id: z.string(),
  queue_name: z.string(),
  hostname: z.string(),
  status: z.enum(workerStatuses),
  current_jobs: z.int(),
  max_concurrency: z.int(),
  last_heartbeat: timestamp,
  jobs_processed: z.int().meta({ description: 'Jobs that this worker has completed' }),
  jobs_failed: z.int().meta({ description: 'Failures that this worker has reported, each attempt counting one' }),
});
export type WorkerSummary = z.infer<typeof workerSummary>;

/** Carries both sets of names: the published server's and those that the dashboard and older SDKs read. */
export const worker = workerSummary.extend({
  organization_id: z.uuid(),
  queue_names: z.array(z.string()),
  worker_type: z.string().nullable(),
  metadata: z.unknown(),
  version: z.string().nullable(),
  registered_at: timestamp,
  updated_at: timestamp,
  max_concurrent_jobs: z.int(),
  current_job_count: z.int(),
  created_at: timestamp,
  drain_requested_at: nullableTimestamp.meta({
    description: 'Since when the worker is drained; null: it is not, or says itself that it drains',
  }),
});
export type Worker = z.infer<typeof worker>;
