import { z } from 'zod';
import { operationKinds } from '../operations.js';
import { exactFilter } from './conventions.js';
import { instant, queueName, timestamp } from './fields.js';

/** Steps that a series can have, in seconds. */
export const seriesSteps = [10, 30, 60, 300, 900, 3_600] as const;
/** Points of a series at most: 31 days by the hour. */
export const maxSeriesPoints = 750;

export const seriesQuery = z.object({
  queue: exactFilter(queueName).meta({ description: 'Absent = all queues that the key may see' }),
  from: exactFilter(instant).meta({ description: 'Absent = one hour before `to`' }),
  to: exactFilter(instant).meta({ description: 'Absent = now' }),
  step: exactFilter(
    z
      .string()
      .max(4)
      .refine((text) => (seriesSteps as readonly number[]).includes(Number(text)), {
        error: `must be one of ${seriesSteps.join(', ')}`,
      })
      .transform(Number),
  ).meta({
    description: `Seconds: ${seriesSteps.join(', ')}. Absent = the shortest that is kept for the period and gives at most 400 points`,
  }),
});
export type SeriesQuery = z.infer<typeof seriesQuery>;

const count = z.int().min(0).nullable();
const average = z.number().min(0).nullable();
const milliseconds = z.number().min(0);
const latency = z
  .object({
    p50: milliseconds,
    p95: milliseconds,
    p99: milliseconds,
    jobs: z.int().min(1).meta({ description: 'How many were measured' }),
  })
  .nullable();

const pointMembers = {
  created: count,
  started: count.meta({
    description: 'Attempts that began, except those that were released or cancelled while they ran',
  }),
  completed: count,
  failed: count.meta({ description: 'Failed attempts, whether they are retried or not' }),
  dead_lettered: count,
  cancelled: count,
  pending: count.meta({ description: 'At the end of the step, as are `scheduled` and `processing`' }),
  scheduled: count,
  processing: count,
  oldest_pending_ms: count.meta({
    description: 'Age of the oldest claimable job, the largest of the step; 0 = there was none',
  }),
  avg_wait_ms: average.meta({ description: 'From claimable to started, of the jobs completed in the step' }),
  avg_run_ms: average.meta({ description: 'Of the jobs completed in the step' }),
  wait_ms: latency.meta({
    description:
      'Percentiles of the time from claimable to started, of the attempts that began in the step, computed from a histogram: off by a factor of 1.78 at most, and 8.8 hours for all longer times. Null: none was measured',
  }),
  run_ms: latency.meta({ description: 'The same of the run times of the jobs completed in the step' }),
};

export const seriesPoint = z.object({ at: timestamp.meta({ description: 'Where the step begins' }), ...pointMembers });
export type SeriesPoint = z.infer<typeof seriesPoint>;

export const series = z.object({
  queue: z.string().nullable().meta({ description: 'Null = all queues' }),
  from: timestamp,
  to: timestamp,
  step_seconds: z.int(),
  points: z.array(seriesPoint).max(maxSeriesPoints).meta({
    description:
      'One for each whole step of the period. Null in a point means unknown, such as when no scheduler ran: nothing is interpolated',
  }),
});
export type Series = z.infer<typeof series>;

export const seriesMarksQuery = seriesQuery.pick({ queue: true, from: true, to: true });
export type SeriesMarksQuery = z.infer<typeof seriesMarksQuery>;

export const maxSeriesMarks = 100;

export const seriesMarks = z.object({
  from: timestamp,
  to: timestamp,
  marks: z
    .array(
      z.object({
        at: timestamp,
        kind: z.enum(['deploy', 'pause', 'resume', 'operation']).meta({
          description: 'A `deploy` is the first registration of a version, of the workers that are known',
        }),
        queue_name: z.string().nullable().meta({ description: 'Null: a version, or an operation on several queues' }),
        version: z.string().nullable(),
        operation_id: z.uuid().nullable(),
        operation_kind: z.enum(operationKinds).nullable(),
      }),
    )
    .max(maxSeriesMarks)
    .meta({ description: 'The newest first' }),
  has_more: z.boolean().meta({
    description:
      'Whether older ones were left out: beyond 100 marks, or beyond the newest 5,000 pauses, operations or workers',
  }),
});
export type SeriesMarks = z.infer<typeof seriesMarks>;

export const maxSeriesQueues = 500;

export const seriesMomentQuery = z.object({
  at: instant.meta({ description: 'A moment of the last 60 minutes' }),
});
export type SeriesMomentQuery = z.infer<typeof seriesMomentQuery>;

const minute = z.object(pointMembers).meta({ description: 'Counts are of the minute before, depths of its end' });

export const seriesMoment = z.object({
  at: timestamp.meta({ description: 'The last full ten seconds before the wanted moment' }),
  all: minute,
  queues: z
    .array(minute.extend({ queue: z.string() }))
    .max(maxSeriesQueues)
    .meta({
      description:
        'Queues that had jobs at that moment or in the minute before, those with the most pending jobs first. Null in a queue means unknown',
    }),
});
export type SeriesMoment = z.infer<typeof seriesMoment>;
