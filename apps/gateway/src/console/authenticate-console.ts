import { decodeJwt } from 'jose';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ConsoleSession } from '../auth/console-session.js';
import type { RouteAccess } from '../auth/route-access.js';
import type { GatewaySettings } from '../gateway.config.js';
import { comesFromConsole, cookieToken, hasOwnOrigin } from './console-cookie.js';
import type { ConsoleSessions } from './console-sessions.service.js';

type Settings = Pick<GatewaySettings, 'ADMIN_API_KEY' | 'CONSOLE_ENABLED' | 'EXTERNAL_URL'>;

/**
 * Turns the cookie of the console into the credential that everything behind it knows (BX-24): an access token, also for requests that
 * are forwarded, or the administrator's key on routes that require it. Register before all hooks that read credentials.
 */
export function authenticateConsole(fastify: FastifyInstance, sessions: ConsoleSessions, settings: Settings): void {
  fastify.decorateRequest('consoleSession', null);
  if (!settings.CONSOLE_ENABLED) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const token = credentialOf(request, settings);
    if (token === undefined) return done();
    applyCredential(request, token, sessions, settings).then(() => done(), done);
  });
}

/** The cookie's token, if it counts for this request: another site may cause a browser to send the cookie, but not the header. */
function credentialOf(request: FastifyRequest, { EXTERNAL_URL }: Settings): string | undefined {
  const { authorization, 'x-api-key': apiKey, 'x-admin-key': adminKey } = request.headers;
  if (authorization !== undefined || apiKey !== undefined || adminKey !== undefined) return undefined;
  if (!comesFromConsole(request) || !hasOwnOrigin(request, EXTERNAL_URL)) return undefined;
  return cookieToken(request);
}

async function applyCredential(
  request: FastifyRequest,
  token: string,
  sessions: ConsoleSessions,
  { ADMIN_API_KEY }: Settings,
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
