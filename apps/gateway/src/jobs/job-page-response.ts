import type { jobSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobPage } from './jobs.service.js';

/**
 * A list in the shape that was asked for: the envelope where the request carries a cursor, else the bare array
 * that SDKs read, with the way to the next page in headers.
 */
export function toPageResponse(
  page: JobPage,
  query: jobSchemas.ListJobsQuery,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { jobs, hasMore, nextCursor } = page;
  if (query.cursor !== undefined) return { data: jobs, next_cursor: nextCursor, has_more: hasMore };
  if (nextCursor) void reply.header('x-next-cursor', nextCursor);
  if (hasMore) void reply.header('link', `<${nextPage(request.url, query.offset + query.limit)}>; rel="next"`);
  return jobs;
}

/** The same request one page on; relative, because we need not know under which name we are reached. */
function nextPage(url: string, offset: number): string {
  const next = new URL(url, 'http://relative');
  next.searchParams.set('offset', String(offset));
  return `${next.pathname}${next.search}`;
}
