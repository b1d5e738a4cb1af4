import { consoleToken } from '@spooled/service';
import { decodeJwt } from 'jose';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ConsoleSession } from '../auth/console-session.js';
import type { RouteAccess } from '../auth/route-access.js';
import type { GatewaySettings } from '../gateway.config.js';
import type { ConsoleSessions } from './console-sessions.service.js';

/**
 * Replaces the console's cookie by an ordinary credential (BX-24): an access token, also in forwarded requests, or the administrator's
 * key on routes that require it. Register it before all hooks that read credentials.
 */
export function authenticateConsole(
  fastify: FastifyInstance,
  sessions: ConsoleSessions,
  settings: GatewaySettings,
): void {
  fastify.decorateRequest('consoleSession', null);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const token = consoleToken(request, settings);
    if (token === undefined) return done();
    applyCredential(request, token, sessions, settings).then(() => done(), done);
  });
}

async function applyCredential(
  request: FastifyRequest,
  token: string,
  sessions: ConsoleSessions,
  { ADMIN_API_KEY }: GatewaySettings,
): Promise<void> {
  const { access } = (request.routeOptions.config ?? {}) as Partial<RouteAccess>;
  if (!isAdministrators(token)) {
    request.consoleSession = { kind: 'organization', token };
    request.raw.headers.authorization = `Bearer ${token}`;
  } else if (access === 'admin' || access === 'console') {
    request.consoleSession = await sessions.findAdministrator(token);
    if (access === 'admin' && request.consoleSession) request.raw.headers['x-admin-key'] = ADMIN_API_KEY;
  }
}

/** By what the token says, which is verified later. */
function isAdministrators(token: string): boolean {
  try {
    return decodeJwt(token).token_type === 'administrator';
  } catch {
    return false;
  }
}

/** The request's session, on routes with `ConsoleAccess`. */
export function sessionOf({ consoleSession }: FastifyRequest): ConsoleSession {
  if (!consoleSession) throw new Error('sessionOf on a route without ConsoleAccess');
  return consoleSession;
}
