import { z } from 'zod';
import { actor } from './actor.js';
import { text, timestamp, whole } from './fields.js';

const longestSeconds = 30 * 86_400;
const maxMutes = 200;

/** A strict object: with a misspelt time the cause would be muted for another. */
export const causeMuteBody = z.strictObject({
  reason: text(1, 500).meta({ description: 'Why nobody has to look at it until then' }),
  expires_in_seconds: whole(1, longestSeconds).meta({ description: 'It ends by itself then; at most 30 days' }),
});
export type CauseMuteBody = z.infer<typeof causeMuteBody>;

/** Who muted a cause, why and until when. */
export const muteOfCause = z.object({
  reason: z.string(),
  created_at: timestamp,
  created_by: actor.nullable(),
  expires_at: timestamp,
});

export const causeMute = muteOfCause.extend({
  cause_id: z.uuid(),
  error: z.string().meta({ description: 'As causes have it' }),
});
export type CauseMute = z.infer<typeof causeMute>;

export const causeMutes = z.object({
  mutes: z
    .array(causeMute)
    .max(maxMutes)
    .meta({ description: 'Those that hold, also of causes without dead letters; the next to end first' }),
});
export type CauseMutes = z.infer<typeof causeMutes>;
export { maxMutes };
