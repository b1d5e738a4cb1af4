import { z } from 'zod';
import { atMost } from './fields.js';

/** A cursor holds the sort keys of one row: an id or a name of up to 255 characters, and a time. */
const maxCursorLength = 1_600;

const clamp = (min: number, max: number) => (value: number) => Math.min(max, Math.max(min, value));
const wholeNumber = (fallback: number) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.coerce.number().int()).catch(fallback);

/** `limit` and `offset` of a list: out of bounds is clamped, nonsense counts as absent. */
export const pageQuery = ({ limit = 50, maxLimit = 100 } = {}) => ({
  limit: wholeNumber(limit).transform(clamp(1, maxLimit)),
  offset: wholeNumber(0).transform(clamp(0, Number.MAX_SAFE_INTEGER)),
});

/** As `pageQuery`, with the cursor: present, also empty, it asks for the page envelope (SP-17). */
export const listPage = (bounds?: { limit?: number; maxLimit?: number }) => ({
  ...pageQuery(bounds),
  cursor: atMost(maxCursorLength).optional().meta({
    description:
      'Asks for a page envelope: empty for the first page, then `next_cursor` of the previous one; `offset` does not apply',
  }),
});

/** A filter: a value that does not fit counts as absent, because bad filters are ignored. */
export const filter = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

/** `true` or `false` in a query. */
export const flagFilter = () =>
  filter(z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })).meta({ maxLength: 5 });

/** The body of every error. */
export const errorBody = z
  .looseObject({
    code: z.string().meta({ description: 'Error code in upper case, such as `NOT_FOUND`.' }),
    message: z.string(),
    details: z.record(z.string(), z.string()).optional().meta({ description: 'The problem with each invalid field.' }),
    error: z.string().optional(),
  })
  .meta({ id: 'Error' });
