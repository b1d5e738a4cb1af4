import { longestQueueName } from '@spooled/domain';
import { z } from 'zod';
import { exactFilter } from './conventions.js';
import { anyId, instant, text } from './fields.js';
import { searchAsText, searchOfAct } from './search-line.js';

const maxIds = 1_000;
const statuses = ['deadletter'] as const;

/** The search line in a query. Empty = absent. */
export const deadLetterSearchQuery = searchAsText(statuses).meta({
  description: 'A line of terms as in lists of jobs; all dead letters that the other filters select are compared',
});

/** What the list of groups and all acts on dead letters may be limited to. All given members must hold at once. */
const fields = {
  queue_name: text(1, longestQueueName),
  job_type: text(0, 255).meta({ description: 'Equal to `payload.job_type`' }),
  // A space is part of nearly every error, so it would limit an act to everything.
  cause: text(1, 255)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .meta({
      description: 'Part of the error as groups show it (`#` for what differs), or of the job type, in any case',
    }),
  cause_id: z.uuid().meta({ description: 'Of this cause, over queues and job types' }),
  dead_after: instant.meta({ description: 'Dead since then or later' }),
  dead_before: instant.meta({ description: 'Dead before then' }),
};

/** In a query. Empty = absent. */
export const deadLetterFilterQuery = {
  queue_name: exactFilter(fields.queue_name),
  job_type: exactFilter(fields.job_type),
  cause: exactFilter(fields.cause),
  cause_id: exactFilter(fields.cause_id),
  dead_after: exactFilter(fields.dead_after),
  dead_before: exactFilter(fields.dead_before),
  search: deadLetterSearchQuery,
} satisfies Record<keyof typeof fields | 'search', z.ZodType>;

/** In a body, where dead letters may also be named one by one or by their group. Null = absent. */
export const deadLetterFilter = {
  job_ids: z.array(anyId).min(1, 'must hold at least one id').max(maxIds, `must hold at most ${maxIds} ids`).nullish(),
  group_id: z.uuid().nullish(),
  queue_name: fields.queue_name.nullish(),
  job_type: fields.job_type.nullish(),
  cause: fields.cause.nullish(),
  cause_id: fields.cause_id.nullish(),
  dead_after: fields.dead_after.nullish(),
  dead_before: fields.dead_before.nullish(),
  search: searchOfAct(statuses),
} satisfies Record<keyof typeof fields | 'job_ids' | 'group_id' | 'search', z.ZodType>;
