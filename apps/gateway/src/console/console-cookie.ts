import { type ConsoleCookie, consoleCookieName, isSecure } from '@spooled/service';
import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

/** The value of Set-Cookie that keeps one of the console's secrets in the browser, which scripts and other sites cannot read. */
export const consoleCookie = (request: FastifyRequest, name: ConsoleCookie, value: string, seconds: number): string =>
  stringifySetCookie({
    name: consoleCookieName(request, name),
    value,
    maxAge: seconds,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(request),
  });

/** The value of Set-Cookie that removes a cookie from the browser. */
export const noCookie = (request: FastifyRequest, name: ConsoleCookie): string => consoleCookie(request, name, '', 0);
