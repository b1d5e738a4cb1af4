import { z } from 'zod';
import { wholeFilter } from './conventions.js';
import { count, timestamp } from './fields.js';
import { boundedCount } from './figures.js';

export const desiredReplicasQuery = z.object({
  concurrency: wholeFilter(1, 10_000).meta({
    description: 'Jobs that one replica runs at a time; absent = 1',
  }),
  drain_seconds: wholeFilter(1, 86_400).meta({
    description: 'The claimable jobs shall have run after this time; absent = 60',
  }),
});
export type DesiredReplicasQuery = z.infer<typeof desiredReplicasQuery>;

export const replicaReasons = [
  'idle',
  'backlog',
  'running',
  'average_unknown',
  'queue_paused',
  'push_queue',
  'concurrency_limit',
  'rate_limit',
] as const;

export const desiredReplicas = z.object({
  queue_name: z.string(),
  desired_replicas: count,
  reason: z.enum(replicaReasons).meta({
    description:
      'What decided. idle: no job is claimable or runs; backlog: the claimable jobs; running: the jobs in progress; ' +
      'average_unknown: claimable jobs of which none has completed in 24 hours, so one replica begins; ' +
      'queue_paused, push_queue: claims get no job, so only the jobs in progress count; ' +
      'concurrency_limit, rate_limit: more replicas would not run more jobs',
  }),
  ready: boundedCount,
  running: boundedCount,
  average_run_ms: count.nullable(),
  concurrency: z.int().min(1),
  drain_seconds: z.int().min(1),
  checked_at: timestamp,
});
export type DesiredReplicas = z.infer<typeof desiredReplicas>;
