import { adminActor } from '@spooled/contracts';
import { callerContext, readRequests } from '@spooled/data-access';
import { clientAddress } from '@spooled/domain';
import { proxyTrust } from '@spooled/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAdminKey } from '../auth/admin-key.js';
import type { RouteAccess } from '../auth/route-access.js';
import type { GatewaySettings } from '../gateway.config.js';

const longestUserAgent = 255;
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Names the caller of each request that may change something to the transactions of its handler, for the audit log (BX-21), and marks
 * those that only read. The last hook before the handler: a context begun earlier ends where the body is read.
 */
export function identifyCallers(fastify: FastifyInstance, settings: GatewaySettings): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    if (reading.has(request.method)) return readRequests.run(true, done);
    callerContext.run(callerOf(request, settings), done);
  });
}

function callerOf(request: FastifyRequest, settings: GatewaySettings) {
  const { headers, socket, principal } = request;
  return {
    actor: principal?.actor ?? (isAdministrator(request, settings) ? adminActor : null),
    address: clientAddress(headers, socket.remoteAddress ?? '', proxyTrust(settings)) || null,
    userAgent: headers['user-agent']?.slice(0, longestUserAgent) ?? null,
  };
}

/** On admin routes, which have been admitted by the key, and at a registration with it. */
function isAdministrator({ routeOptions, headers }: FastifyRequest, settings: GatewaySettings): boolean {
  const { access } = routeOptions.config as Partial<RouteAccess>;
  return (
    access === 'admin' || (access === 'registration' && isAdminKey(headers['x-admin-key'], settings.ADMIN_API_KEY))
  );
}
