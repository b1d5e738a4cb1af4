import { consoleCookieName, isSecure } from '@spooled/service';
import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

/** The value of Set-Cookie for a session. */
export const sessionCookie = (request: FastifyRequest, token: string, seconds: number): string =>
  stringifySetCookie({ ...attributesFor(request), value: token, maxAge: seconds });

/** The value of Set-Cookie that ends a session in the browser. */
export const noCookie = (request: FastifyRequest): string =>
  stringifySetCookie({ ...attributesFor(request), value: '', maxAge: 0 });

const attributesFor = (request: FastifyRequest) =>
  ({
    name: consoleCookieName(request),
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(request),
  }) as const;
