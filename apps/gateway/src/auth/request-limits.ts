import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@spooled/platform';
import {
  type AddressCall,
  AddressLimits,
  type AddressWindow,
  consoleBucket,
  limitsOfKey,
  organizationBucket,
  type Principal,
  rateExceeded,
  rateHeaders,
  uncounted,
} from '@spooled/service';
import { rateLimitKeys, RateLimits, type RateLimit, type RateLimitResult } from '@spooled/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { GatewaySettings } from '../gateway.config.js';
import { defaultsPerMinute, tierOf, type RouteTier } from './route-tier.js';

/** Limits guesses at the administrator's key. */
export const adminWindows: AddressWindow[] = [{ scope: 'admin:60', limit: 60, windowSeconds: 60, counts: 'admin' }];

/** Requests with the valid key. Counted apart, so that guesses from the same address do not refuse it. */
const validAdminWindows: AddressWindow[] = [{ scope: 'valid-admin:60', limit: 60, windowSeconds: 60, counts: 'admin' }];

/** Callers whose last state is kept. */
const maxKnown = 10_000;

/** Logins with one key. */
const loginsPerMinute = 5;

/** Requests with one signal URL: who has it must not use up the rate of the organization. */
const signalsPerMinute = 60;

/** The burst of one session of the console, in seconds at its rate. */
const consoleBurstSeconds = 5;

/** Rate limits of REST requests (SP-13, SP-67): one Redis round trip per request, reported in headers of every response. */
@Injectable()
export class RequestLimits {
  private readonly known = new LRUCache<string, RateLimitResult>({ maxSize: maxKnown, sizeCalculation: () => 1 });

  constructor(
    private readonly limiter: RateLimits,
    private readonly addresses: AddressLimits,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Counts against the organization's bucket and, if set, the windows of the key and of the route's tier. @throws SpooledError 429, 503 */
  async checkPrincipal(principal: Principal, reply: FastifyReply, tier: RouteTier): Promise<void> {
    const { organizationId, keyHash, session } = principal;
    const [caller, scope] = session?.console ? [session.sid, 'console' as const] : [keyHash, 'api_key' as const];
    const window = this.tierWindows(tier, this.settings[tierSettingOf[tier]]).map((one): RateLimit => {
      const key = rateLimitKeys.apiKey(organizationId, `${caller}:${one.scope}`);
      return { kind: 'window', key, scope, limit: one.limit, windowSeconds: one.windowSeconds };
    });
    const own = session?.console
      ? this.consoleLimits(principal, session.sid)
      : [...limitsOfKey(principal), ...signalLimits(principal)];
    const result = await this.limiter.check(organizationId, [...own, ...window], this.failsClosed(tier));
    this.known.set(callerOf(principal), result);
    applyResult(result, reply);
  }

  /** Counts a request of the administrator's session in the console. @throws SpooledError 429, 503 */
  async checkAdministrator(sessionId: string, reply: FastifyReply): Promise<void> {
    applyResult(await this.limiter.check(sessionId, [this.sessionBucket('administrator', sessionId)]), reply);
  }

  /**
   * Counts a request that shows a key of the administrator, by its address.
   * @param isValid whether it is the key
   * @throws SpooledError 429, 503
   */
  async checkAdminKey(request: FastifyRequest, reply: FastifyReply, isValid: boolean): Promise<void> {
    if (isValid) await this.checkWindows(request, reply, validAdminWindows);
    else await this.checkAddress(request, reply, adminWindows);
  }

  /** Counts a gRPC call of an organization and its key. @throws SpooledError 503 */
  async count(principal: Principal): Promise<RateLimitResult> {
    const result = await this.limiter.check(
      principal.organizationId,
      limitsOfKey(principal),
      this.failsClosed('protocol'),
    );
    this.known.set(callerOf(principal), result);
    return result;
  }

  /** What a response says whose request was refused before it was counted: the state at the caller's last request to this process. */
  lastKnown(principal: Principal | null): RateLimitResult {
    if (!principal) return this.addresses.uncounted();
    const isConsole = principal.session?.console;
    const first = isConsole ? consoleBucket(principal) : limitsOfKey(principal)[0]!;
    return this.known.get(callerOf(principal)) ?? uncounted(first);
  }

  /** As `calls` calls of `count`; grants as many as the limits allow. @throws SpooledError 503 */
  countMany(principal: Principal, calls: number): Promise<{ granted: number; last: RateLimitResult }> {
    return this.limiter.take(principal.organizationId, limitsOfKey(principal), calls, this.failsClosed('protocol'));
  }

  /** Takes tokens for work of a request that costs more than an ordinary one. Never throws. */
  async charge(principal: Principal, tokens: number): Promise<RateLimitResult> {
    const { organizationId, limits, session } = principal;
    const bucket = session?.console ? consoleBucket(principal) : organizationBucket(organizationId, limits);
    const result = await this.limiter.charge(organizationId, [bucket], tokens);
    this.known.set(callerOf(principal), result);
    return result;
  }

  /** Counts a request without a valid credential, by its address. @throws SpooledError 429, 503 */
  async checkAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    windows?: readonly AddressWindow[],
  ): Promise<AddressCall> {
    const call = this.callOf(request, reply, windows);
    await this.addresses.check(call);
    return call;
  }

  /** As `checkAddress`, in these windows only. @throws SpooledError 429, 503 */
  async checkWindows(request: FastifyRequest, reply: FastifyReply, windows: readonly AddressWindow[]): Promise<void> {
    await this.addresses.checkWindows({ ...this.callOf(request, reply), windows });
  }

  /** As `checkAddress`, on a route that needs no credential: the default of the route's tier applies as well. */
  checkPublic(
    request: FastifyRequest,
    reply: FastifyReply,
    windows: readonly AddressWindow[] = [],
  ): Promise<AddressCall> {
    return this.checkAddress(request, reply, [...this.defaultWindows(request), ...windows]);
  }

  /** The window of a route that needs no credential, if the operator has set none for its tier. */
  defaultWindows(request: FastifyRequest): AddressWindow[] {
    const path = request.routeOptions.url ?? '';
    const tier = tierOf(request.method, path);
    if (this.settings[tierSettingOf[tier]] !== undefined) return [];
    if (tier === 'auth' && tokenRoutes.has(path)) return [];
    // Failures on one of the auth routes must not stop the others.
    const scope = tier === 'auth' ? `default:${path}` : `default:${tier}`;
    return [{ scope, limit: defaultsPerMinute[tier], windowSeconds: 60 }];
  }

  /** Undoes one `checkAddress`. */
  refund(call: AddressCall): void {
    this.addresses.refund(call);
  }

  /** Undoes what one `checkPublic` counted by the default of a tier, because it was no guess. */
  refundDefaults(request: FastifyRequest): void {
    const address = this.addresses.addressOf(request.headers, request.socket.remoteAddress);
    this.addresses.refundWindows({ address, windows: this.defaultWindows(request) });
  }

  /** Limits logins per minute with one key, or with one beginning of a key, from all addresses. @throws SpooledError 429, 503 */
  async checkLogin(digest: string, reply: FastifyReply, limit = loginsPerMinute): Promise<void> {
    const key = rateLimitKeys.login(digest);
    const result = await this.limiter.check(digest, [
      { kind: 'window', key, scope: 'login', limit, windowSeconds: 60 },
    ]);
    report(result, reply);
    if (!result.allowed) throw rateExceeded(result);
  }

  /** Refills the bucket of an organization after its limits were changed. */
  async reset(organizationId: string): Promise<void> {
    const names = [rateLimitKeys.organization(organizationId), rateLimitKeys.console(organizationId)];
    await this.limiter.reset(organizationId, names);
  }

  /** What is counted of a request that has shown no valid credential. */
  callOf(request: FastifyRequest, reply: FastifyReply, windows: readonly AddressWindow[] = []): AddressCall {
    const tier = tierOf(request.method, request.routeOptions.url ?? '');
    return {
      address: this.addresses.addressOf(request.headers, request.socket.remoteAddress),
      windows: [...this.tierWindows(tier, this.settings[tierSettingOf[tier]]), ...windows],
      failClosed: this.failsClosed(tier),
      onCount: (result) => report(result, reply),
    };
  }

  /** Console sessions have a bucket of their own, so an open page does not consume the organization's rate. */
  private consoleLimits(principal: Principal, sessionId: string): RateLimit[] {
    return [consoleBucket(principal), this.sessionBucket(principal.organizationId, sessionId)];
  }

  private sessionBucket(owner: string, sessionId: string): RateLimit {
    const ratePerSecond = this.settings.RATE_LIMIT_CONSOLE_PER_SECOND;
    const key = rateLimitKeys.consoleSession(owner, sessionId);
    return { kind: 'bucket', key, scope: 'console', ratePerSecond, burst: consoleBurstSeconds * ratePerSecond };
  }

  /** A sliding window of one minute (PB-07 to PB-11, PB-28). */
  private tierWindows(tier: RouteTier, limit = 0): AddressWindow[] {
    return limit === 0 ? [] : [{ scope: `tier:${tier}`, limit, windowSeconds: 60 }];
  }

  private failsClosed(tier: RouteTier): boolean | undefined {
    return this.settings.RATE_LIMIT_FAIL_CLOSED_TIERS.includes(tier) ? true : undefined;
  }
}

/** The window of a signal URL. */
function signalLimits({ organizationId, signal }: Principal): RateLimit[] {
  if (!signal) return [];
  const key = rateLimitKeys.signal(organizationId, signal.job_id, signal.step);
  return [{ kind: 'window', key, scope: 'signal', limit: signalsPerMinute, windowSeconds: 60 }];
}

const callerOf = ({ organizationId, keyHash, session }: Principal): string =>
  `${organizationId} ${session?.console ? session.sid : keyHash}`;

/** Tokens are signed, so trying them is no guess. */
const tokenRoutes: ReadonlySet<string> = new Set(['/api/v1/auth/validate', '/api/v1/auth/refresh']);

const tierSettingOf = {
  auth: 'RATE_LIMIT_AUTH_PER_MINUTE',
  write: 'RATE_LIMIT_WRITE_PER_MINUTE',
  read: 'RATE_LIMIT_READ_PER_MINUTE',
  protocol: 'RATE_LIMIT_PROTOCOL_PER_MINUTE',
} as const satisfies Record<RouteTier, keyof GatewaySettings>;

/** If several limits were counted, the headers are those of the one with the fewest calls left. */
function report(result: RateLimitResult, reply: FastifyReply): void {
  const reported = reply.getHeader('x-ratelimit-remaining');
  if (result.allowed && reported !== undefined && Number(reported) <= result.remaining) return;
  void reply.headers(rateHeaders(result));
}

function applyResult(result: RateLimitResult, reply: FastifyReply): void {
  void reply.headers(rateHeaders(result));
  if (!result.allowed) throw rateExceeded(result);
}
