import { z } from 'zod';
import { condition, conditionCode } from './conditions.js';
import { count, nullableTimestamp, timestamp } from './fields.js';

const severity = z.enum(['critical', 'warning', 'info']).meta({
  description:
    'critical: something is stalled; warning: it gets worse or is about to stall; info: somebody has set it so',
});
const jobs = count.nullable().meta({ description: 'Jobs that wait or have failed. Null: it does not concern jobs' });
const atLeast = z.boolean().meta({ description: 'True: there are more jobs, and how many is unknown' });
const harm = count.nullable().meta({
  description:
    'Jobs times the seconds for which the first has waited, or since when they fail. Null: it does not concern jobs',
});

/** Where a problem is. */
export const place = z.object({
  queue: z.string().nullable(),
  schedule: z.uuid().nullable(),
  webhook: z.uuid().nullable(),
  jobs,
  at_least: atLeast,
  harm,
  condition,
  request: z
    .object({ method: z.enum(['POST', 'PUT', 'DELETE']), path: z.string() })
    .nullable()
    .meta({
      description: 'A request without a body that helps, or the settings to be changed. Null: no one request does',
    }),
});
export type Place = z.infer<typeof place>;

export const problem = z.object({
  code: conditionCode,
  severity,
  since: nullableTimestamp.meta({ description: 'Since when it is so at the first of its places, as far as known' }),
  jobs,
  at_least: atLeast,
  harm,
  action: z.string().meta({ description: 'What can be done about it' }),
  total: count.meta({ description: 'Its places, also those that are left out below' }),
  places: z.array(place).min(1).max(20).meta({ description: 'Queues, schedules or webhooks; the worst first' }),
  consequences: z
    .array(z.object({ code: conditionCode, total: count }))
    .meta({ description: 'Conditions that it explains, and at how many places; they are no problems of their own' }),
});
export type Problem = z.infer<typeof problem>;

export const problems = z.object({
  problems: z.array(problem).max(100).meta({
    description:
      'One for each cause. First those of the installation and the plan, then the most harm; what somebody has set so comes last',
  }),
  total: count.meta({ description: 'Problems, also those beyond the first 100' }),
  muted: count.meta({ description: 'Places of causes of failures that are left out because the cause is muted' }),
  unexamined: z
    .object({ queues: count, schedules: count, webhooks: count })
    .meta({ description: 'What looks as if it had a problem and was not examined; the longest waiting are' }),
  not_checked: z.array(z.string()).meta({ description: 'What could not be checked now; empty if everything was' }),
  checked_at: timestamp,
});
export type Problems = z.infer<typeof problems>;
