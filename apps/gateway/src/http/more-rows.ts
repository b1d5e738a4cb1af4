import type { FastifyReply } from 'fastify';

/** A page read with one row more than its limit: the rows to show, and header `X-Has-More` saying whether another page follows. */
export function pageOf<Row>(found: Row[], limit: number, reply: FastifyReply): Row[] {
  void reply.header('x-has-more', String(found.length > limit));
  return found.slice(0, limit);
}
