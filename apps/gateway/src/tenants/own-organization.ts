import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { notFound } from '@spooled/domain';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '@spooled/service';

/**
 * `@OwnOrganization() principal: Principal`: the authenticated caller, on routes with an organization id in their path.
 * @throws SpooledError 404 for any organization but the caller's own
 */
export const OwnOrganization = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal, params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { id?: string } }>>();
  if (!principal) throw new Error('CurrentPrincipal on a route without authentication');
  const { id } = params;
  if (id !== undefined && id.toLowerCase() !== principal.organizationId) throw notFound('Organization');
  return principal;
});
