import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics } from '@spooled/platform';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** How long the request waited because its caller asked it to; does not count as our time. */
    waitedMs: number;
  }
}

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts requests and their time (SP-105). Probes and scrapes are left out: they would hide the callers. */
export function measureRequests(
  fastify: FastifyInstance,
  { apiRequests, apiRequestDuration }: Pick<Metrics<ProductMetrics>, 'apiRequests' | 'apiRequestDuration'>,
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.url.startsWith('/api/')) {
      const method = known.has(request.method) ? request.method : 'other';
      apiRequests.inc({ method, status: `${Math.floor(reply.statusCode / 100)}xx` });
      apiRequestDuration.observe((reply.elapsedTime - request.waitedMs) / 1000);
    }
    done();
  });
}
