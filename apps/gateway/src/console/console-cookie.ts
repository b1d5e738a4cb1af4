import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

const cookieName = 'spooled_console';
/** Pages of other origins cannot send it: CORS does not allow it. */
const header = 'x-spooled-console';

/** The token in the request's cookie, whatever else the request has. */
export const cookieToken = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[cookieName] || undefined;

/** Whether a page of the console sent the request. */
export const comesFromConsole = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers[header] === '1';

/** The value of Set-Cookie for a session. */
export const sessionCookie = (request: FastifyRequest, token: string, seconds: number): string =>
  stringifySetCookie({ ...attributesFor(request), value: token, maxAge: seconds });

/** The value of Set-Cookie that ends a session in the browser. */
export const noCookie = (request: FastifyRequest): string =>
  stringifySetCookie({ ...attributesFor(request), value: '', maxAge: 0 });

const attributesFor = (request: FastifyRequest) =>
  ({ name: cookieName, path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(request) }) as const;

/** The scheme as the server or its proxy sees it, or as the browser says, which a proxy that tells nothing does not change. */
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https://') === true;

/** Whether the request's Origin, if it has one, is the server itself. @param externalUrl EXTERNAL_URL */
export function hasOwnOrigin(request: FastifyRequest, externalUrl: string | undefined): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  // The scheme is not compared: behind a proxy the server may not know it. Cookies of http and https are different sites to a browser.
  const { host } = new URL(origin);
  return host === request.host.toLowerCase() || (externalUrl !== undefined && host === new URL(externalUrl).host);
}
