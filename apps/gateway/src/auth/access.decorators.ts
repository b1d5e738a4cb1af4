import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { type Permission, unauthorized } from '@spooled/domain';
import type { AddressWindow, CheckCaller, Principal, TokenClaims } from '@spooled/service';
import type { FastifyRequest } from 'fastify';

export type Access =
  | 'public'
  | 'unlimited'
  | 'unscoped'
  | 'signal'
  | 'admin'
  | 'login'
  | 'console'
  | 'registration'
  | 'metrics';

export const ACCESS = 'spooled:access';
export const PERMISSION = 'spooled:permission';
export const ADDRESS_LIMITS = 'spooled:address-limits';

/**
 * What the role of the key must permit (BX-23). Every route that accepts a key has one, of its own or of its controller; the gateway
 * does not start with a route that has none.
 */
export const Requires = (permission: Permission) => SetMetadata(PERMISSION, permission);

/** The route needs no credential; it is rate limited by address. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies Access);

/** The route needs no credential and has no rate limit: probes. */
export const Unlimited = () => SetMetadata(ACCESS, 'unlimited' satisfies Access);

/** The route needs a key for all queues; a scoped key gets 403. */
export const Unscoped = () => SetMetadata(ACCESS, 'unscoped' satisfies Access);

/** The route needs the token of a signal URL in its query; a key or another token gets 401. */
export const SignalToken = () => SetMetadata(ACCESS, 'signal' satisfies Access);

/** The route needs the administrator's key in X-Admin-Key, and no other credential. */
export const Admin = () => SetMetadata(ACCESS, 'admin' satisfies Access);

/** The route is public and takes a credential in its body; failures per address have their own limit. */
export const Login = () => SetMetadata(ACCESS, 'login' satisfies Access);

/** The route needs a session of the browser console, of an organization or of the administrator. */
export const ConsoleAccess = () => SetMetadata(ACCESS, 'console' satisfies Access);

/** The route is public if REGISTRATION_MODE is open, otherwise it needs the administrator's key. */
export const Registration = () => SetMetadata(ACCESS, 'registration' satisfies Access);

/** The route needs METRICS_TOKEN as bearer token. If the setting is unset, it is public, and 404 in production. */
export const MetricsAccess = () => SetMetadata(ACCESS, 'metrics' satisfies Access);

/** Additional rate limits by address on a public route. Routes with the same scope share a limit. */
export const LimitAddress = (windows: readonly AddressWindow[]) => SetMetadata(ADDRESS_LIMITS, windows);

/** `@CurrentPrincipal() principal: Principal`: the authenticated caller. Not on public routes. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('CurrentPrincipal on a route without authentication');
  return principal;
});

/** `@CurrentChecks() checks: CheckCaller`: who pays for checks of payloads, and waits for them. Not on public routes. */
export const CurrentChecks = createParamDecorator((_: unknown, context: ExecutionContext): CheckCaller => {
  const { checks } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!checks) throw new Error('CurrentChecks on a route without authentication');
  return checks;
});

/**
 * `@CurrentSession() session: TokenClaims`: the claims of the request's access token, on routes that accept no API key.
 * @throws SpooledError 401 for an API key
 */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): TokenClaims => {
  const session = context.switchToHttp().getRequest<FastifyRequest>().principal?.session;
  if (!session) throw unauthorized('This route requires an access token from POST /api/v1/auth/login');
  return session;
});
