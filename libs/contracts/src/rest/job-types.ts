import { z } from 'zod';
import { wholeFilter } from './conventions.js';
import { count, timestamp } from './fields.js';
import { lastMinute } from './figures.js';
import { queueQuery } from './jobs.js';

const maxMinutes = 60;
const maxTypes = 100;
export const trendParts = 12;

export const jobTypesQuery = queueQuery.extend({
  minutes: wholeFilter(1, maxMinutes).meta({ description: 'Minutes before now; absent = 60' }),
});
export type JobTypesQuery = z.infer<typeof jobTypesQuery>;

const failedAttempts = count.meta({ description: 'Whether they were retried or not' });
const milliseconds = z.number().min(0);
const percentiles = z.object({ p50: milliseconds, p95: milliseconds, p99: milliseconds, jobs: z.int().min(1) });

export const jobType = z.object({
  queue_name: z.string(),
  job_type: z.string().nullable(),
  from: timestamp.meta({
    description: 'The figures are of all jobs created since; later than that of the list if `is_cut`',
  }),
  is_cut: z.boolean().meta({ description: 'Whether more jobs were created than are counted' }),
  created: count,
  completed: count,
  dead_lettered: count,
  cancelled: count,
  failed_attempts: failedAttempts,
  failure_share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'Failed attempts in those that ended; null: none ended' }),
  last_minute: lastMinute.meta({ description: 'What happened to these jobs in the last minute' }),
  wait_ms: percentiles.nullable().meta({
    description: 'From claimable to started, of the jobs that completed in their first attempt; null: none did',
  }),
  run_ms: percentiles.nullable().meta({ description: 'Of the completed jobs; null: none completed' }),
  trend: z
    .array(z.object({ at: timestamp, created: count, completed: count, failed_attempts: failedAttempts }).nullable())
    .length(trendParts)
    .meta({
      description: 'By when the jobs were created: twelfths of the period, oldest first. Null: before `from`',
    }),
  versions: z
    .array(
      z.object({
        version: z
          .string()
          .nullable()
          .meta({ description: 'As its workers are registered now; null: they are not, or without a version' }),
        completed: count,
        failed_attempts: failedAttempts,
        run_p95_ms: milliseconds.nullable(),
      }),
    )
    .max(5)
    .meta({ description: 'Of the workers, the most used first' }),
});
export type JobType = z.infer<typeof jobType>;

export const jobTypes = z.object({
  from: timestamp,
  to: timestamp,
  types: z
    .array(jobType)
    .max(maxTypes)
    .meta({ description: 'One for each queue and type, those with the most jobs first' }),
  more: count.meta({ description: 'Types that were found and are not listed' }),
});
export type JobTypes = z.infer<typeof jobTypes>;
