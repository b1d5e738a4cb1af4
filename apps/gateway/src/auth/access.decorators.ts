import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { unauthorized } from '@spooled/domain';
import type { AddressWindow, TokenClaims } from '@spooled/service';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.js';

export type Access = 'public' | 'unlimited' | 'unscoped' | 'admin' | 'login' | 'registration' | 'metrics';

export const ACCESS = 'spooled:access';
export const ADDRESS_LIMITS = 'spooled:address-limits';

/** The route asks for no credential; the caller's address is rate limited. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies Access);

/** The route asks for no credential and has no limit: probes. */
export const Unlimited = () => SetMetadata(ACCESS, 'unlimited' satisfies Access);

/** The route wants a key for all queues; a scoped key is answered 403. */
export const Unscoped = () => SetMetadata(ACCESS, 'unscoped' satisfies Access);

/** The route wants the administrator's key, in X-Admin-Key, and nothing else. */
export const Admin = () => SetMetadata(ACCESS, 'admin' satisfies Access);

/** The route is public and takes a credential in its body; failures of one address have a limit of their own. */
export const Login = () => SetMetadata(ACCESS, 'login' satisfies Access);

/** The route is public while REGISTRATION_MODE is open, else it wants the administrator's key. */
export const Registration = () => SetMetadata(ACCESS, 'registration' satisfies Access);

/** The route wants METRICS_TOKEN as bearer token; without such a setting it is public, but in production unknown. */
export const MetricsAccess = () => SetMetadata(ACCESS, 'metrics' satisfies Access);

/** Further limits of one address on a public route. Routes with the same scope share them. */
export const LimitAddress = (windows: readonly AddressWindow[]) => SetMetadata(ADDRESS_LIMITS, windows);

/** `@CurrentPrincipal() principal: Principal`: who is asking. Not on public routes. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('CurrentPrincipal on a route without authentication');
  return principal;
});

/**
 * `@CurrentSession() session: TokenClaims`: the access token of the request, on routes that an API key does not open.
 * @throws SpooledError 401 for an API key
 */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): TokenClaims => {
  const session = context.switchToHttp().getRequest<FastifyRequest>().principal?.session;
  if (!session) throw unauthorized('This route requires an access token from POST /api/v1/auth/login');
  return session;
});
