import type { Searched, TimedPage } from '@spooled/data-access';
import { invalidField } from '@spooled/domain';
import { encodeCursor, timeAndId } from './cursor.js';

/** A page of a list, returned by handlers with `@ListResponse`. */
export interface Page<T> {
  rows: T[];
  /** Whether a row follows under the same filters. */
  hasMore: boolean;
  /** Null on the last page, and when the order has no cursor. */
  nextCursor: string | null;
  /** `offset` of the next page. */
  nextOffset: number;
  /** Whether the rows may be fewer than the limit although more follow: then only `nextCursor` leads to these, not an offset. */
  isShort?: true;
  /** The rows are JSON texts, made by `rawJson`. */
  asText?: true;
  /** Sent instead of the array to a request without a cursor. */
  wrapped?: object;
}

export interface PageQuery {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

/** What to read for a page: one row more than it has, to know whether another page follows; `offset` only without a cursor. */
export const rowsOf = ({ limit, offset, cursor }: PageQuery): { limit: number; offset: number } => ({
  limit: limit + 1,
  offset: cursor === undefined ? offset : 0,
});

/**
 * The page of the rows that `rowsOf` asked for.
 * @param keysOf the sort keys of a row, which its cursor is made of; null = no cursor
 */
export function pageOf<T>(found: T[], { limit, offset }: PageQuery, keysOf: ((row: T) => string[]) | null): Page<T> {
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  const nextCursor = hasMore && keysOf ? encodeCursor(keysOf(rows.at(-1)!)) : null;
  return { rows, hasMore, nextCursor, nextOffset: offset + limit };
}

export interface SearchedPageQuery extends PageQuery {
  after?: string | undefined;
}

/** `rowsOf` of a list that is searched in parts. @throws SpooledError 400 for an invalid cursor */
export const searchedRowsOf = (query: SearchedPageQuery): TimedPage => ({
  ...rowsOf(query),
  after: timeAndId(query.cursor ?? query.after, query.cursor === undefined ? 'after' : 'cursor'),
});

const offsetTooFar =
  'is not reached by the search, because few rows match or they are large: continue with `after`, the X-Next-Cursor of the first page';

/**
 * The page of the rows that a search for `searchedRowsOf` has found; it may end where the search ended (SP-91).
 * @throws SpooledError 400 for an offset that the search did not reach
 */
export function pageOfSearch<T>(
  { rows, searchedTo }: Searched<T>,
  query: SearchedPageQuery,
  keysOf: ((row: T) => string[]) | null,
): Page<T> {
  if (searchedTo && rowsOf(query).offset > 0) throw invalidField('offset', offsetTooFar);
  const page = pageOf(rows, query, keysOf);
  if (!searchedTo) return page;
  return { ...page, hasMore: true, nextCursor: encodeCursor([searchedTo.at, searchedTo.id]), isShort: true };
}

/** The same page of other rows. */
export const mapPage = <T, U>(page: Page<T>, change: (row: T) => U): Page<U> => ({
  ...page,
  rows: page.rows.map(change),
});

/** The same page of rows as JSON texts, whose documents are copied without parsing. */
export const textPage = <T>(page: Page<T>, toText: (row: T) => string): Page<string> => ({
  ...mapPage(page, toText),
  asText: true,
});

/** Sort keys of rows that are ordered by creation. */
export const byCreation = ({ created_at, id }: { created_at: string; id: string }): string[] => [created_at, id];
