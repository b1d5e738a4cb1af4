import type { SettingsOf } from '@spooled/platform';
import { parseCookie } from 'cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isToken } from './access-tokens.js';
import type { consoleSettings } from '../settings/console.settings.js';

type Settings = SettingsOf<typeof consoleSettings>;

export const consoleCookieName = 'spooled_console';
/** Pages of other origins cannot send it: CORS does not allow it. */
const header = 'x-spooled-console';

/**
 * The token in the cookie of the console, if it counts for this request (BX-24): another site can cause a browser to send the cookie,
 * but not the header. A credential in a header comes first.
 */
export function consoleToken(request: FastifyRequest, settings: Settings): string | undefined {
  const { authorization, cookie, 'x-api-key': apiKey, 'x-admin-key': adminKey } = request.headers;
  if (cookie === undefined || request.headers[header] !== '1' || !settings.CONSOLE_ENABLED) return undefined;
  if (authorization !== undefined || apiKey !== undefined || adminKey !== undefined) return undefined;
  if (!hasOwnOrigin(request, settings)) return undefined;
  const value = parseCookie(cookie)[consoleCookieName];
  return value !== undefined && isToken(value) ? value : undefined;
}

/** Whether the request's Origin, if it has one, is the server itself. */
export function hasOwnOrigin(request: FastifyRequest, { EXTERNAL_URL: external }: Settings): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  // Not the scheme: behind a proxy the server may not know it. To a browser, cookies of http and https belong to different sites.
  const { host } = new URL(origin);
  return host === request.host.toLowerCase() || (external !== undefined && host === new URL(external).host);
}

/**
 * Makes the cookie of a session the access token of the request, in a service that an ingress may reach past the gateway. Register
 * before all hooks that read credentials.
 */
export function acceptConsoleCookies(fastify: FastifyInstance, settings: Settings): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const token = consoleToken(request, settings);
    if (token !== undefined) request.raw.headers.authorization = `Bearer ${token}`;
    done();
  });
}
