import type { jobSchemas } from '@spooled/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobPage } from './jobs.service.js';

/**
 * A page envelope if the request has a cursor, otherwise the plain array that SDKs read, with the next page in the headers `Link`
 * and `X-Next-Cursor`.
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

/** URL of the next page, relative because the public host name is unknown. */
function nextPage(url: string, offset: number): string {
  const next = new URL(url, 'http://unknown-host');
  next.searchParams.set('offset', String(offset));
  return `${next.pathname}${next.search}`;
}
