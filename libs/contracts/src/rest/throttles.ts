import { z } from 'zod';
import { actor } from './actor.js';
import { hasAny } from './conventions.js';
import { count, queueName, text, timestamp, whole } from './fields.js';

const longestSeconds = 86_400;
const targets = ['api_key_id', 'queue_name', 'tag'];

const tag = z.strictObject({
  name: text(1, 255).meta({ description: 'A top-level key of `tags`, an element of an array, or the whole of a text' }),
  value: text(0, 255).nullish().meta({ description: 'The value of that key as text; absent = any' }),
});

/** A strict object: an unknown member may be a misspelt target, and the throttle would hold for more jobs than its caller meant. */
export const throttleBody = z
  .strictObject({
    api_key_id: z.uuid().nullish().meta({ description: 'Jobs that this key creates, also in sessions of its own' }),
    queue_name: queueName.nullish(),
    tag: tag.nullish(),
    per_second: z
      .number()
      .min(0.01, 'must be at least 0.01')
      .max(100_000, 'must be at most 100000')
      .meta({ description: 'Jobs, also fractions; up to 100, or those of one second, pass at once after a pause' }),
    expires_in_seconds: whole(1, longestSeconds).meta({ description: 'It ends by itself then; at most a day' }),
    dry_run: z.boolean().nullish().meta({ description: 'Only say what it would have admitted of late' }),
  })
  .check(({ value, issues }) => {
    if (hasAny(value, targets)) return;
    issues.push({
      code: 'custom',
      input: null,
      path: ['api_key_id'],
      message: `or ${targets.slice(1).join(' or ')} is required`,
    });
  });
export type ThrottleBody = z.infer<typeof throttleBody>;

export const throttle = z.object({
  id: z.uuid(),
  api_key_id: z.uuid().nullable(),
  api_key_name: z.string().nullable(),
  queue_name: z.string().nullable(),
  tag: z.object({ name: z.string(), value: z.string().nullable() }).nullable(),
  per_second: z.number(),
  created_at: timestamp,
  created_by: actor.nullable(),
  expires_at: timestamp,
});
export type Throttle = z.infer<typeof throttle>;

export const throttleList = z.object({
  throttles: z.array(throttle).meta({ description: 'Those that hold, the newest first' }),
});
export type ThrottleList = z.infer<typeof throttleList>;

export const throttlePreview = z.object({
  dry_run: z.literal(true),
  from: timestamp.meta({
    description: 'Start of the period of which all jobs are counted; later than ten minutes ago if `is_cut`',
  }),
  to: timestamp,
  is_cut: z
    .boolean()
    .meta({ description: 'Whether more jobs were created than are looked at, so that the period is shorter' }),
  created: count.meta({ description: 'Jobs that it would have counted; without those of sessions of the key' }),
  admitted: count.meta({ description: 'Of these, as if they had been created one by one' }),
  refused: count,
});
export type ThrottlePreview = z.infer<typeof throttlePreview>;
