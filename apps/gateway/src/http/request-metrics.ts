import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics } from '@spooled/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds that the request waited because its caller asked for it; not counted in its duration. */
    waitedMs: number;
    /** Whether it was counted before its response ended. */
    isMeasured: boolean;
  }
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts requests and measures their duration (SP-105), except probes and scrapes. That of a stream of events ends when it begins: it is
 * open for as long as its caller listens.
 */
export function measureRequests(
  fastify: FastifyInstance,
  { apiRequests, apiRequestDuration }: Pick<Metrics<ProductMetrics>, 'apiRequests' | 'apiRequestDuration'>,
): void {
  const measure = (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.isMeasured || !request.url.startsWith('/api/')) return;
    request.isMeasured = true;
    const method = knownMethods.has(request.method) ? request.method : 'other';
    apiRequests.inc({ method, status: `${Math.floor(reply.statusCode / 100)}xx` });
    apiRequestDuration.observe((reply.elapsedTime - request.waitedMs) / 1000);
  };
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) measure(request, reply);
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    measure(request, reply);
    done();
  });
}
