import { z } from 'zod';
import { muteOfCause } from './cause-mutes.js';
import { exactFilter, listPage, pageQuery } from './conventions.js';
import { deadLetterFilterQuery, deadLetterSearchQuery } from './dead-letter-filter.js';
import { count, timestamp } from './fields.js';
import { jobSummary } from './jobs.js';

export const listGroupsQuery = z.object({
  ...deadLetterFilterQuery,
  order_by: exactFilter(z.enum(['count', 'last_seen'])).meta({
    description: 'The largest group first (`count`, the default), or the one seen last first',
  }),
  ...listPage(),
});
export type ListGroupsQuery = z.infer<typeof listGroupsQuery>;

export const listCausesQuery = z.object({
  ...deadLetterFilterQuery,
  order_by: exactFilter(z.enum(['count', 'first_seen'])).meta({
    description: 'The cause with the most dead letters first (`count`, the default), or the newest cause first',
  }),
});
export type ListCausesQuery = z.infer<typeof listCausesQuery>;

export const groupQuery = z.object({ search: deadLetterSearchQuery, ...pageQuery() });
export type GroupQuery = z.infer<typeof groupQuery>;

export const deadLetterGroup = z.object({
  id: z.uuid(),
  queue_name: z.string(),
  job_type: z.string(),
  error: z.string().meta({ description: 'Without what differs between occurrences: `#` for numbers, ids and quotes' }),
  count,
  first_seen: timestamp,
  last_seen: timestamp,
  per_hour: z.array(count).length(24).meta({ description: 'Dead letters of the last 24 clock hours, oldest first' }),
  sample: z
    .object({ job_id: z.uuid(), error: z.string().nullable(), retry_count: count, dead_at: timestamp })
    .meta({ description: 'The newest dead letter of the group' }),
});

const maxCauses = 100;
const maxTypesOfCause = 10;

export const deadLetterCause = z.object({
  id: z.uuid().meta({ description: 'The `cause_id` of filters' }),
  error: z.string().meta({ description: 'As groups have it' }),
  count,
  last_hour: count.meta({ description: 'Of this minute and the 60 before it' }),
  first_seen: timestamp.meta({
    description: 'Death of the oldest dead letter that there is: the cause is new since then',
  }),
  last_seen: timestamp,
  groups: count,
  queues: count,
  types: z
    .array(z.object({ group_id: z.uuid(), queue_name: z.string(), job_type: z.string(), count }))
    .max(maxTypesOfCause)
    .meta({ description: `The largest groups, at most ${maxTypesOfCause}` }),
  muted: muteOfCause.nullable().meta({ description: 'Null: it is a problem when it is new or grows' }),
});

export const deadLetterCauses = z.object({
  causes: z.array(deadLetterCause).max(maxCauses),
  more: count.meta({ description: 'Causes that were found and are not listed' }),
  groups_left: count.meta({ description: 'Groups beyond the 2,000 largest, whose dead letters are in no figure here' }),
});
export type DeadLetterCauses = z.infer<typeof deadLetterCauses>;

export const deadLettersOfGroup = z.object({ group: deadLetterGroup, jobs: z.array(jobSummary) });
