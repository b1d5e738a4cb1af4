import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.js';

export type Access = 'public' | 'unlimited' | 'unscoped';

export const ACCESS = 'spooled:access';

/** The route asks for no credential; the caller's address is rate limited. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies Access);

/** The route asks for no credential and has no limit: probes and scrapes. */
export const Unlimited = () => SetMetadata(ACCESS, 'unlimited' satisfies Access);

/** The route wants a key for all queues; a scoped key is answered 403. */
export const Unscoped = () => SetMetadata(ACCESS, 'unscoped' satisfies Access);

/** `@CurrentPrincipal() principal: Principal`: who is asking. Not on public routes. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no principal');
  return principal;
});
