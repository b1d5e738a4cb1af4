import { z } from 'zod';
import { exactFilter, listPage, pageQuery } from './conventions.js';
import { deadLetterFilterQuery } from './dead-letter-filter.js';
import { timestamp } from './fields.js';
import { jobSummary } from './jobs.js';

export const listGroupsQuery = z.object({
  ...deadLetterFilterQuery,
  order_by: exactFilter(z.enum(['count', 'last_seen'])).meta({
    description: 'The largest group first (`count`, the default), or the one seen last first',
  }),
  ...listPage(),
});
export type ListGroupsQuery = z.infer<typeof listGroupsQuery>;

export const groupQuery = z.object(pageQuery());
export type GroupQuery = z.infer<typeof groupQuery>;

const count = z.int().min(0);

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

export const deadLettersOfGroup = z.object({ group: deadLetterGroup, jobs: z.array(jobSummary) });
