import { Inject, Injectable } from '@nestjs/common';
import { validationError } from '@spooled/contracts';
import { accessDenied, notFound, requirePermission, unauthorized } from '@spooled/domain';
import { bearerMatches, isProduction, SETTINGS } from '@spooled/platform';
import {
  type AddressWindow,
  type AuthenticationAttempt,
  CallerAuthenticator,
  type CheckCaller,
  endSignal,
  findCredential,
  ownerOfPrincipal,
  type Principal,
  reportCharge,
} from '@spooled/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway.config.js';
import { refuseIdempotencyKey } from '../http/idempotency-key.js';
import { InFlightRequests } from '../load/in-flight-requests.js';
import { RequestTurns } from '../load/request-turns.js';
import { requireCapacity } from '../load/shed-requests.js';
import { isAdminKey, requireAdminKey } from './admin-key.js';
import type { ConsoleSession } from './console-session.js';
import { requireUnscoped } from './queue-scope.js';
import { adminWindows, RequestLimits } from './request-limits.js';
import type { RouteAccess } from './route-access.js';
import { tierOf } from './route-tier.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the admission of the request; null on public routes. */
    principal: Principal | null;
    /** Who has payloads checked; null on public routes. */
    checks: CheckCaller | null;
    /** Null unless the request's credential is the cookie of the console. */
    consoleSession: ConsoleSession | null;
  }
}

const missing = 'A credential is required: Authorization: Bearer <API key or token>';
const missingToken = 'The token of a signal URL is required: ?token=<token>';

/** Limits of guesses at the operator's secret. */
const metricsWindows: AddressWindow[] = [{ scope: 'metrics:60', limit: 60, windowSeconds: 60, counts: 'admin' }];

/**
 * Authenticates, rate-limits and authorizes every request (SP-04): limits by address first, then the credential, then the share and
 * the limits of its organization, and all of it before the body is read.
 */
@Injectable()
export class RequestAdmission {
  constructor(
    private readonly callers: CallerAuthenticator,
    private readonly limits: RequestLimits,
    private readonly load: InFlightRequests,
    private readonly turns: RequestTurns,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @throws SpooledError 400 for a query or an Idempotency-Key that the route does not have, 401, 403, 404, 429, 503 */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { forwarded, ...route } = request.routeOptions.config as Partial<RouteAccess> & { forwarded?: boolean };
    // The upstream service authenticates and rate-limits its callers itself.
    if (forwarded) return;
    await this.admitCaller(request, reply, route);
    if (route.takesQuery === false) refuseQuery(request, route.access);
    refuseIdempotencyKey(request);
  }

  private async admitCaller(request: FastifyRequest, reply: FastifyReply, route: Partial<RouteAccess>): Promise<void> {
    if (!this.settings.CONSOLE_ENABLED && isConsoleRoute(request)) {
      await this.limits.checkAddress(request, reply);
      throw notFound('Route');
    }
    switch (route.access) {
      case 'unlimited':
        return;
      case 'public':
        return void (await this.limits.checkPublic(request, reply, route.addressLimits));
      case 'login':
        return this.admitLogin(request, reply);
      case 'console':
        return this.admitConsole(request, reply);
      case 'registration':
        return this.admitRegistration(request, reply);
      case 'admin':
        return this.admitAdmin(request, reply);
      case 'metrics':
        return this.admitMetrics(request, reply);
      default:
        return this.admitKey(request, reply, route);
    }
  }

  private async admitLogin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { address } = await this.limits.checkAddress(request, reply);
    reply.raw.once('finish', () => {
      // Not the window that the operator has set for the tier, which also counts successful logins.
      if (reply.statusCode < 400 || reply.statusCode >= 500) this.limits.refund({ address });
    });
  }

  private async admitRegistration(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isOpen = this.settings.REGISTRATION_MODE === 'open';
    const isAdmin = isAdminKey(request.headers['x-admin-key'], this.settings.ADMIN_API_KEY);
    if (!isOpen && isAdmin) return this.limits.checkAdminKey(request, reply, true);
    await this.limits.checkPublic(request, reply, isOpen ? [] : adminWindows);
    // Only what may be a guess counts: of the administrator's key, or of names in use.
    reply.raw.once('finish', () => {
      if (reply.statusCode !== 403 && reply.statusCode !== 409) this.limits.refundDefaults(request);
    });
    if (!isOpen) throw accessDenied('Registration is closed');
  }

  private async admitAdmin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { consoleSession: session } = request;
    if (session?.kind === 'administrator') return this.limits.checkAdministrator(session.sessionId, reply);
    const { ADMIN_API_KEY: adminKey } = this.settings;
    const given = request.headers['x-admin-key'];
    await this.limits.checkAdminKey(request, reply, isAdminKey(given, adminKey));
    requireAdminKey(given, adminKey);
  }

  private async admitConsole(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { consoleSession: session } = request;
    if (session?.kind === 'administrator') return this.limits.checkAdministrator(session.sessionId, reply);
    if (session) return this.admitKey(request, reply, { permission: 'connect' });
    await this.limits.checkAddress(request, reply);
    throw unauthorized('There is no session of the console');
  }

  private async admitMetrics(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { METRICS_TOKEN } = this.settings;
    if (METRICS_TOKEN === undefined && isProduction(this.settings)) {
      await this.limits.checkAddress(request, reply);
      throw notFound('Route');
    }
    if (METRICS_TOKEN === undefined) return;
    if (bearerMatches(request.headers.authorization, METRICS_TOKEN)) return;
    await this.limits.checkAddress(request, reply, metricsWindows);
    void reply.header('www-authenticate', 'Bearer');
    throw unauthorized('Bearer token required');
  }

  private async admitKey(
    request: FastifyRequest,
    reply: FastifyReply,
    { access, permission }: Partial<RouteAccess>,
  ): Promise<void> {
    const attempt = access === 'signal' ? signalAttempt(request) : keyAttempt(request);
    const principal = await this.callers.authenticate(attempt, () => this.limits.callOf(request, reply));
    request.principal = principal;
    request.checks = new RestCheckCaller(principal, reply, this.limits);
    requireCapacity(request, this.load, ownerOfPrincipal(principal));
    await this.limits.checkPrincipal(principal, reply, tierOf(request.method, request.routeOptions.url ?? ''));
    if (!permission) throw new Error('a route without a permission accepts no key');
    requirePermission(principal, permission);
    if (access === 'unscoped') requireUnscoped(principal);
    const turn = this.turns.enter(principal.organizationId, Number(request.headers['content-length'] ?? 0));
    if (turn) await turn;
  }
}

const keyAttempt = ({ headers }: FastifyRequest): AuthenticationAttempt => ({
  credential: findCredential({ headers }),
  missing,
});

function signalAttempt({ query }: FastifyRequest): AuthenticationAttempt {
  const { token } = query as Record<string, unknown>;
  return {
    credential: typeof token === 'string' && token !== '' ? token : undefined,
    missing: missingToken,
    kind: 'signal',
  };
}

/** Probes, scrapers and the senders of signals may add parameters of their own. */
const takeAnyQuery: ReadonlySet<RouteAccess['access'] | undefined> = new Set(['unlimited', 'metrics', 'signal']);

/**
 * Refuses the parameters of a route that has none: an act that ignores `?dry_run=true` or `?queue_name=mails` does more than its
 * caller wants.
 * @throws SpooledError 400
 */
function refuseQuery({ query }: FastifyRequest, access: RouteAccess['access'] | undefined): void {
  if (takeAnyQuery.has(access)) return;
  const keys = Object.keys(query as object);
  if (keys.length > 0) throw validationError([{ code: 'unrecognized_keys', keys, path: [], message: '' }], query);
}

const isConsoleRoute = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith('/api/v1/console/') === true;

/** Body limit of routes without credential: logins and registrations are small. */
const anonymousBodyBytes = 256 * 1024;

/** Limits the bodies of routes that need no credential. */
export function limitAnonymousBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { access } = (route.config ?? {}) as Partial<RouteAccess>;
    if (access === 'public' || access === 'login' || access === 'registration') route.bodyLimit = anonymousBodyBytes;
  });
}

/** A REST request that has payloads checked: it pays with tokens of its caller's bucket, and waits until it ends (BX-09). */
class RestCheckCaller implements CheckCaller {
  private signal: AbortSignal | null = null;

  constructor(
    private readonly principal: Principal,
    private readonly reply: FastifyReply,
    private readonly limits: Pick<RequestLimits, 'charge'>,
  ) {}

  get organizationId(): string {
    return this.principal.organizationId;
  }

  /** Created when it is needed: few requests have checks. */
  get ended(): AbortSignal {
    return (this.signal ??= endSignal(this.reply));
  }

  async charge(tokens: number): Promise<void> {
    reportCharge(this.reply, await this.limits.charge(this.principal, tokens), tokens);
  }
}
