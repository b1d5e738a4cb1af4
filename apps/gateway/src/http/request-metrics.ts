import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics } from '@spooled/platform';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds that the request waited because its caller asked for it; not counted in its duration. */
    waitedMs: number;
  }
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts requests and measures their duration (SP-105), except probes and scrapes. */
export function measureRequests(
  fastify: FastifyInstance,
  { apiRequests, apiRequestDuration }: Pick<Metrics<ProductMetrics>, 'apiRequests' | 'apiRequestDuration'>,
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.url.startsWith('/api/')) {
      const method = knownMethods.has(request.method) ? request.method : 'other';
      apiRequests.inc({ method, status: `${Math.floor(reply.statusCode / 100)}xx` });
      apiRequestDuration.observe((reply.elapsedTime - request.waitedMs) / 1000);
    }
    done();
  });
}
