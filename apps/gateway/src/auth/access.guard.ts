import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SpooledError } from '@spooled/domain';
import { addLogContext, SETTINGS } from '@spooled/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCESS, type Access } from './access.decorators.js';
import type { GatewaySettings } from '../gateway.config.js';
import { requireAdminKey } from './admin-key.js';
import { Authenticator } from './authenticator.js';
import { requireUnscoped } from './queue-scope.js';
import { RequestLimits } from './request-limits.js';
import { tierOf } from './route-tier.js';

/** Slow enough that nobody guesses the administrator's key. */
const adminWindows = [{ limit: 60, windowSeconds: 60 }];

/** The door: who is asking, how often may he, and is the route his (SP-04). Runs before everything else of a route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'unlimited') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (access === 'public') await this.limits.checkAddress(request, reply);
    else if (access === 'admin') await this.admitAdmin(request, reply);
    else await this.admit(request, reply, access);
    return true;
  }

  private async admitAdmin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.limits.checkAddressWindows(request, reply, 'admin', adminWindows);
    requireAdminKey(request.headers['x-admin-key'], this.settings.ADMIN_API_KEY);
  }

  private async admit(request: FastifyRequest, reply: FastifyReply, access: Access | undefined): Promise<void> {
    const principal = await this.authenticator.authenticate(request.headers).catch(async (error: unknown) => {
      // Guessing counts against the address, or it would be the one thing that is free.
      if (error instanceof SpooledError && error.status === 401) await this.limits.checkAddress(request, reply);
      throw error;
    });
    request.principal = principal;
    addLogContext({ organizationId: principal.organizationId });
    await this.limits.checkPrincipal(principal, reply, tierOf(request.method, request.routeOptions.url ?? ''));
    if (access === 'unscoped') requireUnscoped(principal);
  }
}
