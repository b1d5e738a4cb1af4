import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeCursor } from './cursor.js';

/** A page of a list. */
export interface Page<T> {
  rows: T[];
  /** Whether a row follows under the same filters. */
  hasMore: boolean;
  /** Null on the last page, and when the order has no cursor. */
  nextCursor: string | null;
}

/**
 * Makes a page of up to `limit` rows of `found`, which has one row more if another page follows.
 * @param keysOf the sort keys of a row, which its cursor is made of; null = no cursor
 */
export function pageOf<T>(found: T[], limit: number, keysOf: ((row: T) => string[]) | null): Page<T> {
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { rows, hasMore, nextCursor: hasMore && keysOf ? encodeCursor(keysOf(rows.at(-1)!)) : null };
}

interface PageQuery {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

/**
 * A page envelope if the request has a cursor, otherwise the plain array that SDKs read. Both have the header `X-Has-More`; the array
 * has the next page in the headers `Link` and `X-Next-Cursor`.
 */
export function toListResponse<T>(page: Page<T>, query: PageQuery, request: FastifyRequest, reply: FastifyReply) {
  const { rows, hasMore, nextCursor } = page;
  void reply.header('x-has-more', String(hasMore));
  if (query.cursor !== undefined) return { data: rows, next_cursor: nextCursor, has_more: hasMore };
  if (nextCursor) void reply.header('x-next-cursor', nextCursor);
  if (hasMore) void reply.header('link', `<${nextPage(request.url, query.offset + query.limit)}>; rel="next"`);
  return rows;
}

/** URL of the next page, relative because the public host name is unknown. */
function nextPage(url: string, offset: number): string {
  const next = new URL(url, 'http://unknown-host');
  next.searchParams.set('offset', String(offset));
  return `${next.pathname}${next.search}`;
}
