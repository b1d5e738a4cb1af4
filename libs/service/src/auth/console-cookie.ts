import type { SettingsOf } from '@spooled/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { isToken } from './access-tokens.js';
import type { consoleSettings } from '../settings/console.settings.js';

type Settings = SettingsOf<typeof consoleSettings>;

/** Names of the cookies of the console: of its session, of a browser that shows a login link, and of a sign-in that it has begun. */
export const consoleCookies = {
  session: 'spooled_console',
  login: 'spooled_login',
  signIn: 'spooled_sign_in',
} as const;
export type ConsoleCookie = (typeof consoleCookies)[keyof typeof consoleCookies];
/** Browsers accept a cookie with this prefix from the host itself only, over HTTPS: no page of another subdomain can replace it. */
const secureName = (name: ConsoleCookie): string => `__Host-${name}`;
/** Pages of other origins cannot send it: CORS does not allow it. */
const header = 'x-spooled-console';
/** The session that the page shows. After a sign-in in another tab the cookie is of another one, perhaps of another organization. */
const sessionHeader = 'x-spooled-console-session';

/**
 * The token in the cookie of the console, if it counts for this request (BX-24): another site can cause a browser to send the cookie,
 * but not the header. A credential in a header comes first.
 */
export function consoleToken(request: FastifyRequest, settings: Settings): string | undefined {
  const { authorization, 'x-api-key': apiKey, 'x-admin-key': adminKey } = request.headers;
  if (request.headers[header] !== '1' || !settings.CONSOLE_ENABLED) return undefined;
  if (authorization !== undefined || apiKey !== undefined || adminKey !== undefined) return undefined;
  if (!hasOwnOrigin(request, settings)) return undefined;
  const value = readConsoleCookie(request, consoleCookies.session);
  if (!value || !isToken(value)) return undefined;
  const shown = request.headers[sessionHeader];
  return shown === undefined || shown === sessionIdOf(value) ? value : undefined;
}

/** By what the token says, which is verified later. */
function sessionIdOf(token: string): unknown {
  try {
    return decodeJwt(token).sid;
  } catch {
    return undefined;
  }
}

/** The value of a cookie of the console; absent or null without exactly one that only this host can have set. */
export function readConsoleCookie(request: FastifyRequest, name: ConsoleCookie): string | null | undefined {
  const { cookie = '' } = request.headers;
  const secure = onlyValue(cookie, secureName(name));
  return secure === undefined && !isSecure(request) ? onlyValue(cookie, name) : secure;
}

/** The name of the cookie that a response to this request sets. */
export const consoleCookieName = (request: FastifyRequest, name: ConsoleCookie): string =>
  isSecure(request) ? secureName(name) : name;

/** Whether the browser uses HTTPS. A proxy may not forward the scheme; the browser's `Origin` header still has it. */
export const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https://') === true;

/** Absent without such a cookie; null for several values: their order says nothing about who has set them. */
function onlyValue(cookies: string, name: string): string | null | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  const values = new Set(
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)),
  );
  return values.size > 1 ? null : values.values().next().value;
}

/** Whether the request's Origin, if it has one, is the server itself, and its browser, if it says so, agrees. */
export function hasOwnOrigin(request: FastifyRequest, { EXTERNAL_URL: external }: Settings): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (site !== 'same-origin') return false;
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
