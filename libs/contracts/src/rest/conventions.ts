import { z } from 'zod';
import { requestLimits } from '../limits.js';
import { atMost, storable } from './fields.js';

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

/** The position where a page begins. */
const pageCursor = atMost(maxCursorLength).optional();

/** As `pageQuery`, with the cursor: present, also empty, it asks for the page envelope (SP-17). */
export const listPage = (bounds?: { limit?: number; maxLimit?: number }) => ({
  ...pageQuery(bounds),
  cursor: pageCursor.meta({
    description:
      'Asks for a page envelope: empty for the first page, then `next_cursor` of the previous one; `offset` does not apply',
  }),
});

/** As `listPage`, of a list that may have a million rows: its arrays continue by a position too, not by counting rows. */
export const longListPage = (bounds?: { limit?: number; maxLimit?: number }) => ({
  ...listPage(bounds),
  after: pageCursor.meta({
    description:
      '`X-Next-Cursor` of the previous page: the response is the array of the rows after it; `offset` does not apply',
  }),
});

/** As `listPage`, of a list that is searched in parts: a page may be short although more rows follow (SP-91). */
export const searchedPage = (bounds?: { limit?: number; maxLimit?: number }) => ({
  ...listPage(bounds),
  after: pageCursor.meta({
    description:
      '`X-Next-Cursor` of the previous page: the response is the array of the rows after it. Where few of the rows that were searched match, a page may be short although more follow (`X-Has-More: true`), and `offset` is refused: only `after` and `cursor` continue there',
  }),
});

/** The array that a list sends to a request without a cursor. */
export const arrayOf = (row: z.ZodType): z.ZodType => z.array(row);

/** Response of a list: a page envelope if the request has a cursor, otherwise `array`. */
export const listOrPage = (row: z.ZodType, array: z.ZodType) =>
  z.union([array, z.object({ data: z.array(row), next_cursor: z.string().nullable(), has_more: z.boolean() })]);

/** Ten times all names of statuses. */
const maxStatusText = 640;

/**
 * Any of several statuses. Empty = absent.
 * @param unknown what a list without a known status means: it matches nothing, or counts as absent
 */
export const statusFilter = <S extends string>(statuses: readonly S[], unknown: 'matches nothing' | 'is ignored') =>
  atMost(maxStatusText)
    .transform((list) => {
      const named = list.split(',').flatMap((one) => one.trim() || []);
      const known = statuses.filter((status) => named.includes(status));
      return known.length > 0 || (named.length > 0 && unknown === 'matches nothing') ? known : undefined;
    })
    .optional()
    .meta({
      description: `Statuses joined by commas, any of which matches: ${statuses.join(', ')}. An unknown one ${unknown}`,
    });

/** A text that something is compared with. Empty = absent. */
export const textFilter = (longest: number, description: string) =>
  storable(longest)
    .transform((value) => value || undefined)
    .optional()
    .meta({ description });

/** A filter that is refused when it does not fit. Empty = absent. */
export const exactFilter = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** A whole number in a query. Empty = absent. */
export const wholeFilter = (min: number, max: number) =>
  exactFilter(
    z.coerce
      .number()
      .int('must be a whole number')
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`),
  );

/** A value that does not fit counts as absent; for orders, and where a wrong value is known to be sent. */
export const filter = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

/** `true` or `false` in a query. Anything else is refused: a deletion that leaves the jobs is not what `delete_jobs=yes` asks for. */
export const flagFilter = () =>
  exactFilter(z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], error: 'must be true or false' })).meta({
    type: 'boolean',
  });

/** Whether any of these members has a value; null counts as absent. */
export const hasAny = (body: object, names: readonly string[]): boolean =>
  names.some((name) => ((body as Record<string, unknown>)[name] ?? null) !== null);

/** The first members that `shape` does not have; null counts as absent. */
function unknownMembers(body: object, shape: object): string[] {
  const names: string[] = [];
  // Not Object.entries: a body may have 600,000 members.
  for (const name in body) {
    if (!(name in shape) && hasAny(body, [name])) names.push(name);
    if (names.length === requestLimits.reportedIssues) break;
  }
  return names;
}

/**
 * The body of a published route that acts on many jobs. SDKs may send members that are unknown here; they are ignored beside a known
 * filter. Without one they are errors: one of them may be a misspelt filter, and the act would take all jobs.
 * @param otherFilters filters of newer routes, which this one does not have: errors in any case, because it would take more than is meant
 */
export const bodyOfPublishedAct = <S extends z.ZodRawShape>(
  shape: S,
  filters: readonly (keyof S & string)[],
  otherFilters: readonly string[] = [],
) =>
  z.preprocess((body, { issues }) => {
    if (typeof body !== 'object' || body === null) return body;
    const isOther = (name: string) => !(name in shape) && hasAny(body, [name]);
    const keys = hasAny(body, filters) ? otherFilters.filter(isOther) : unknownMembers(body, shape);
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', input: body as Record<string, unknown>, keys });
    return body;
  }, z.object(shape));

/** The body of every error. */
export const errorBody = z
  .looseObject({
    code: z.string().meta({ description: 'Error code in upper case, such as `NOT_FOUND`.' }),
    message: z.string(),
    details: z.record(z.string(), z.string()).optional().meta({ description: 'The problem with each invalid field.' }),
    error: z.string().optional(),
  })
  .meta({ id: 'Error' });
