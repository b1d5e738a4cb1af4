import { z } from 'zod';
import { actor } from './actor.js';
import { wholeFilter } from './conventions.js';
import { count, timestamp } from './fields.js';

const maxMinutes = 60;
const maxRows = 20;

export const producersQuery = z.object({
  minutes: wholeFilter(1, maxMinutes).meta({ description: 'Minutes before now; absent = 10' }),
});
export type ProducersQuery = z.infer<typeof producersQuery>;

const share = z.number().min(0).max(1).meta({ description: 'Of the jobs of the sample' });

export const producers = z.object({
  queue_name: z.string(),
  from: timestamp.meta({
    description: 'Start of the period of which the sample has all jobs; later than requested if `is_cut`',
  }),
  to: timestamp,
  jobs: count.meta({ description: 'Jobs of the sample, which are all that were created in the period' }),
  is_cut: z
    .boolean()
    .meta({ description: 'Whether more jobs were created than are counted, so that the period is shorter' }),
  per_second: z.number().min(0),
  by_actor: z
    .array(z.object({ actor: actor.nullable(), jobs: count, share }))
    .max(maxRows)
    .meta({ description: 'Keys, sessions, schedules and inbound webhooks that created them; null: unknown' }),
  by_job_type: z.array(z.object({ job_type: z.string().nullable(), jobs: count, share })).max(maxRows),
  by_tag: z
    .array(z.object({ tag: z.string(), jobs: count, share }))
    .max(maxRows)
    .meta({ description: 'Names of tags; a job can have several' }),
});
export type Producers = z.infer<typeof producers>;
