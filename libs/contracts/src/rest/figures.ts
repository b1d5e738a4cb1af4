import { z } from 'zod';
import { count } from './fields.js';

/** How much of a period counts cover. */
export const coveredSeconds = count.meta({
  description: 'Seconds of the period that the counts cover: all of it, unless no scheduler took samples for a while',
});

/** A count that ends at a bound, so that its cost does not grow with the queue. */
export const boundedCount = z.object({
  count,
  at_least: z.boolean().meta({ description: 'True: there may be more than `count`, and how many is unknown' }),
});
export type BoundedCount = z.infer<typeof boundedCount>;

export const lastMinute = z
  .object({
    created: count,
    completed: count,
    failed_attempts: count.meta({ description: 'Whether they are retried or not' }),
    covered_seconds: count.meta({
      description: 'Seconds in which this was counted: 60, or the time that a sample after missed ones covers',
    }),
  })
  .nullable()
  .meta({ description: 'The last minute that was sampled; null: unknown, such as without a scheduler' });
export type LastMinute = z.infer<typeof lastMinute>;
