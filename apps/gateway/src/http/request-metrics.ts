import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics } from '@spooled/platform';
import type { FastifyInstance } from 'fastify';

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
      apiRequestDuration.observe(reply.elapsedTime / 1000);
    }
    done();
  });
}
