import { type ConsoleCookie, consoleCookieName, consoleCookies, isSecure } from '@spooled/service';
import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

export const sessionCookie = (request: FastifyRequest, token: string, seconds: number): string =>
  stringifySetCookie({ ...attributesFor(request, consoleCookies.session), value: token, maxAge: seconds });

/** The value of Set-Cookie for the browser that shows a login link. */
export const loginCookie = (request: FastifyRequest, browser: string, seconds: number): string =>
  stringifySetCookie({ ...attributesFor(request, consoleCookies.login), value: browser, maxAge: seconds });

/** The value of Set-Cookie for a browser that goes to the provider of OpenID Connect. */
export const signInCookie = (request: FastifyRequest, token: string, seconds: number): string =>
  stringifySetCookie({ ...attributesFor(request, consoleCookies.signIn), value: token, maxAge: seconds });

/** The value of Set-Cookie that removes a cookie from the browser. */
export const noCookie = (request: FastifyRequest, name: ConsoleCookie): string =>
  stringifySetCookie({ ...attributesFor(request, name), value: '', maxAge: 0 });

const attributesFor = (request: FastifyRequest, name: ConsoleCookie) =>
  ({
    name: consoleCookieName(request, name),
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(request),
  }) as const;
